import t from 'tap';
import { FAULTS } from './faults.ts';
import { simulate } from './simulate.ts';

const SEEDS = 300;

void t.test(`${SEEDS} seeds of faults, and clients see what a naive model allows`, async (t) => {
  const fired = new Map(FAULTS.map((fault) => [fault, 0]));
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulate(seed);
    if (run.violations.length > 0) t.same(run.violations, [], `npm run simulate -- --seed ${seed}`);
    for (const fault of FAULTS) fired.set(fault, fired.get(fault)! + run.fired[fault]);
  }
  for (const [fault, count] of fired) t.ok(count > 0, `${fault} fired ${count} times`);
});

void t.test('a seed determines its run', async (t) => {
  for (const seed of [3, 7]) t.same((await simulate(seed)).trace, (await simulate(seed)).trace);
  t.not((await simulate(1)).fingerprint, (await simulate(2)).fingerprint);
});
