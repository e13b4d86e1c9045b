import t from 'tap';

import { untilTime } from '../../testing/fake-clock.ts';
import { StuckLease } from './stuck-lease.ts';

void t.test('without a lease while the database answers: down after a while, up again with it', async (t) => {
  const lease = { held: true };
  let isAway = false;
  let asked = 0;
  using stuck = new StuckLease({
    lease,
    askDatabase: async () => {
      asked += 1;
      if (isAway) throw new Error('away');
    },
    stuckAfterMs: 50,
    lookEveryMs: 5,
  });
  const status = async (): Promise<string> => (await stuck.health.check()).status;
  const look = async (): Promise<void> => {
    const before = asked;
    await untilTime(() => asked > before + 2);
  };
  t.equal(await status(), 'UP');
  isAway = true;
  lease.held = false;
  await untilTime(() => asked > 30);
  t.equal(await status(), 'UP', 'a start would mend nothing as long as the database is away');
  isAway = false;
  await look();
  await untilTime(async () => (await status()) === 'DOWN');
  isAway = true;
  await look();
  t.equal(await status(), 'UP', 'counted anew after the next outage');
  isAway = false;
  await untilTime(async () => (await status()) === 'DOWN');
  lease.held = true;
  t.equal(await status(), 'UP');
});
