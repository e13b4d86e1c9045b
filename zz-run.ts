import fc from 'fast-check';
import { Life, lives } from './actors/testing/life.ts';
const r = fc.check(fc.property(lives, ({ house, moves }) => { const life = new Life(house); for (const m of moves) life.play(m); }), { numRuns: Number(process.argv[2] ?? 2000), endOnFailure: true });
console.log(r.failed ? `CAUGHT after ${r.numRuns}: ${String((r.errorInstance as Error)?.message).slice(0,100)}` : `SURVIVED ${r.numRuns}`);
