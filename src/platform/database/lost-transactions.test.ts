import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { Line } from '../../testing/cluster/line.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { openDatabase } from './database.ts';

const POOL = 3;

void t.test('connections that are lost within transactions leave the pool, at whatever step they were', async (t) => {
  const { url } = await withTestDatabase(t);
  const { line, url: through } = await Line.to(url);
  const database = await openDatabase(through, { poolSize: POOL });
  t.teardown(async () => {
    await database[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  });
  const work = (): Promise<unknown> =>
    database.inTenant('acme', async (em) => {
      await em.execute('select pg_sleep(0.01)');
    });
  let lost = 0;
  for (let round = 0; round < 2 * POOL; round++) {
    const stop = new AbortController();
    const busy = Array.from({ length: 2 * POOL }, async () => {
      while (!stop.signal.aborted) await work().catch(() => (lost += 1));
    });
    await pause(40 + 3 * round);
    // A begin, commit or rollback finds out only then.
    line.cut();
    stop.abort();
    line.mend();
    await Promise.all(busy);
  }
  t.ok(lost > POOL, `${lost} were lost`);
  const began = performance.now();
  await Promise.all(Array.from({ length: POOL }, work));
  t.ok(performance.now() - began < 4_000, 'nobody waits for a place that is never given back');
  t.equal(database.activeConnections(), 0);
});
