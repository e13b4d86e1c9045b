import fc from 'fast-check';

import { evasiveGuests, playEvasion } from '../../src/testing/actors/guest-moves.ts';
import { instalmentLives, playInstalments } from '../../src/testing/actors/instalment-moves.ts';
import { USUAL } from '../../src/testing/actors/life-moves.ts';
import { Life, lives } from '../../src/testing/actors/life.ts';
import type { Played } from './kinds.ts';
import { SharedLife, sharedLives } from './shared-life.ts';
import { WaitingLife, waitingLives } from './waiting-life.ts';

/** Lives of one seed: so many of the naive model, and of each of the others. */
const MODEL_LIVES = 20;
const OTHER_LIVES = 5;

/**
 * Everything that must have happened to a reservation. What is not confirmed in time lapses when time passes, and hardly
 * ever by a request.
 */
export const LIFE_MOVES: readonly string[] = [
  ...new Set<string>(Object.values(USUAL).flat()).difference(new Set(['lapse'])),
  'cheaper than a cancellation?',
  'instalment',
  'shared by two guests',
  'waiting for a room',
];

/** Lives of reservations of one seed, each against sums made by plain counting. A fault ends its life. */
export function playLives(seed: number): Played {
  const fired: Record<string, number> = {};
  const violations: string[] = [];
  const trace: string[] = [];
  const count = (what: string, times = 1): void => void (fired[what] = (fired[what] ?? 0) + times);
  const each = <T>(kind: string, drawn: fc.Arbitrary<T>, times: number, play: (life: T) => void): void => {
    for (const life of fc.sample(drawn, { seed, numRuns: times }))
      try {
        play(life);
      } catch (error) {
        violations.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
        trace.push(JSON.stringify(life));
      }
  };
  let moves = 0;
  each('life', lives, MODEL_LIVES, (drawn) => {
    const life = new Life(drawn.property);
    for (const move of drawn.moves) {
      const { what, outcome } = life.play(move);
      if (outcome) moves += 1;
      if (outcome === 'done') count(what);
    }
  });
  each('evasion', evasiveGuests, OTHER_LIVES, (guest) =>
    count('cheaper than a cancellation?', playEvasion(guest).costly),
  );
  each('instalments', instalmentLives, OTHER_LIVES, (life) => count('instalment', playInstalments(life)));
  each('shared', sharedLives, OTHER_LIVES, (drawn) => {
    const life = new SharedLife(drawn);
    for (const move of drawn.moves) if (life.play(move).done) count('shared by two guests');
  });
  each('waiting', waitingLives, OTHER_LIVES, (drawn) => {
    const life = new WaitingLife();
    for (const move of drawn) if (life.play(move)) count('waiting for a room');
  });
  const fingerprint = JSON.stringify([fired, violations]);
  const sums = { lives: MODEL_LIVES + 4 * OTHER_LIVES, moves };
  return { seed, violations, fired, trace, fingerprint, sums };
}
