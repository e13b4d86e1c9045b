import t from 'tap';

import { demandLevel } from './demand-level.ts';

void t.test('a week is as forecast until bookings say otherwise, and few say little', async (t) => {
  t.equal(demandLevel(0, 0), 1);
  t.equal(demandLevel(100, 100), 1);
  t.ok(demandLevel(4, 2) < 1.1);
  t.ok(demandLevel(400, 200) > 1.8);
  t.ok(demandLevel(0, 100) < 0.25);
});
