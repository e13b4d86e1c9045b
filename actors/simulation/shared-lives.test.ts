import fc from 'fast-check';
import t from 'tap';

import { inCiOrNightly } from '../../test/loop/nightly.ts';
import { SharedLife, sharedLives, type SharedMove } from './shared-life.ts';

/** Lives of stays that two guests pay for; the moves of each depend on the seed that fast-check prints. */
const LIVES = inCiOrNightly(400, 10_000);

/** In full length. */
t.setTimeout(inCiOrNightly(120_000, 600_000));

t.test('whatever two guests of a room pay, their windows and invoices are those of plain sums', async (t) => {
  const done = new Map<SharedMove, number>();
  fc.assert(
    fc.property(sharedLives, (drawn) => {
      const life = new SharedLife(drawn);
      for (const move of drawn.moves) {
        const { what, done: isDone } = life.play(move);
        if (isDone) done.set(what, (done.get(what) ?? 0) + 1);
      }
    }),
    { numRuns: LIVES },
  );
  t.comment([...done].map(([what, times]) => `${what} ${times}`).join(', '));
  for (const what of ['name', 'route', 'post', 'void', 'pay', 'paySharer', 'checkOut', 'forced', 'refund'] as const)
    t.ok((done.get(what) ?? 0) > LIVES / 50, `${what} was done often enough to say something`);
  for (const what of [
    'cancel',
    'waive',
    'reinstate',
    'chargeBack',
    'winChargeback',
    'upgrade',
    'comp',
    'noShow',
    'chargeDue',
  ] as const)
    t.ok((done.get(what) ?? 0) > 0, `${what} was done`);
});
