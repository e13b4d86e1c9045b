import fc from 'fast-check';
import t from 'tap';

import { inCiOrNightly } from '../../test/loop/nightly.ts';
import { WaitingLife, waitingLives, type WaitingMove } from './waiting-life.ts';

/** Waitlists; the moves of each depend on the seed that fast-check prints. */
const LIVES = inCiOrNightly(120, 10_000);

t.setTimeout(inCiOrNightly(120_000, 600_000));

t.test('a room that comes free is offered to the first who can have it', async (t) => {
  const done = new Map<WaitingMove, number>();
  fc.assert(
    fc.property(waitingLives, (moves) => {
      const life = new WaitingLife();
      for (const move of moves) if (life.play(move)) done.set(move.what, (done.get(move.what) ?? 0) + 1);
    }),
    { numRuns: LIVES },
  );
  for (const what of ['wait', 'book', 'cancel', 'leave'] as const)
    t.ok((done.get(what) ?? 0) > LIVES / 2, `${what} was done often enough to say something`);
});
