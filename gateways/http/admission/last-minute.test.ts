import t from 'tap';

import { LastMinute } from './last-minute.ts';

t.test('what is older than a minute is not counted', async (t) => {
  let now = 1_000_000;
  const refused = new LastMinute(() => now);
  t.equal(refused.count, 0);
  refused.note();
  now += 30_000;
  refused.note();
  refused.note();
  t.equal(refused.count, 3);
  now += 29_000;
  t.equal(refused.count, 3);
  now += 6_000;
  t.equal(refused.count, 2);
  now += 3_600_000;
  t.equal(refused.count, 0);
  refused.note();
  t.equal(refused.count, 1);
});
