import fc from 'fast-check';
import t from 'tap';

import type { What } from '../../src/testing/actors/life-moves.ts';
import { Life, lives } from '../../src/testing/actors/life.ts';
import { inCiOrNightly } from '../../test/loop/nightly.ts';

/** Lives of reservations; the moves of each depend on the seed that fast-check prints when one fails. */
const LIVES = inCiOrNightly(2_000, 20_000);

/** In full length. */
t.setTimeout(inCiOrNightly(120_000, 600_000));

t.test('whatever happens to a reservation, its rooms and its money are those of a naive model', async (t) => {
  const done = new Map<What, number>();
  const refused = new Map<What, number>();
  fc.assert(
    fc.property(lives, ({ property, moves }) => {
      const life = new Life(property);
      for (const move of moves) {
        const { what, outcome } = life.play(move);
        const into = outcome === 'done' ? done : refused;
        if (outcome) into.set(what, (into.get(what) ?? 0) + 1);
      }
    }),
    { numRuns: LIVES },
  );
  const summary = [...done].map(([what, times]) => `${what} ${times}/${refused.get(what) ?? 0}`);
  t.comment(`${LIVES} lives; done/refused: ${summary.toSorted().join(', ')}`);
  for (const what of [
    'waive',
    'confirm',
    'checkIn',
    'checkOut',
    'extend',
    'modify',
    'noShow',
    'walk',
    'answer',
    'payOut',
    'reinstate',
    'undoCheckIn',
    'chargeBack',
    'closeChargeback',
    'winChargeback',
    'post',
    'void',
    'comp',
    'undoComp',
    'upgrade',
  ] as const)
    // The rarest are done 50 to 70 times in 2,000 lives: at 40 chance alone failed one run in some fifty.
    t.ok((done.get(what) ?? 0) > LIVES / 100, `${what} was done often enough to say something`);
});
