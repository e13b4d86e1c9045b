import fc from 'fast-check';
import t from 'tap';

import { instalmentLives, playInstalments } from '../../../src/testing/actors/instalment-moves.ts';
import { inCiOrNightly } from '../../../test/loop/nightly.ts';

t.test('no instalment is charged twice, too early or not at all, whatever fails and changes between', async (t) => {
  const RUNS = inCiOrNightly(150, 5_000);
  let charges = 0;
  fc.assert(
    fc.property(instalmentLives, (life) => {
      charges += playInstalments(life);
    }),
    { numRuns: RUNS },
  );
  t.comment(`${charges} charges in ${RUNS} lives`);
  t.ok(charges > RUNS, 'often enough to say something');
});
