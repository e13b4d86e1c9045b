import t from 'tap';

import { retryPause } from './retries.ts';

t.test('pauses double up to a minute, and are five minutes after an hour of failures', async (t) => {
  t.same(
    [1, 2, 3, 6, 7, 64, 65, 1_000].map((attempts) => retryPause(attempts, 0.5) / 1_000),
    [1, 2, 4, 32, 60, 60, 300, 300],
  );
  t.equal(retryPause(1, 0), 800);
  t.equal(retryPause(1, 1), 1_200);
});

t.test('a receiver may ask for more time, up to an hour', async (t) => {
  t.equal(retryPause(1, 0.5, 30_000), 30_000);
  t.equal(retryPause(7, 0.5, 30_000), 60_000, 'not for less');
  t.equal(retryPause(1, 0.5, 86_400_000), 3_600_000);
});
