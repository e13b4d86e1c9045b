import { test } from 'tap';

import { withTestDatabase } from '../../src/testing/database.ts';
import { makeLogins } from '../../src/testing/logins.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

const SOON_MS = 60_000;

void test('with a login for each role the service books, relays and works off its jobs as before', async (t) => {
  const database = await withTestDatabase(t);
  const own = await makeLogins(database.admin, database.url);
  const service = await Service.start({
    DATABASE_URL: database.url,
    DATABASE_APP_URL: own.app,
    DATABASE_SYSTEM_URL: own.system,
    DATABASE_JOBS_URL: own.jobs,
  });
  t.teardown(() => service.remove());
  const property = await BlackboxProperty.open(service);
  const { reservationId } = await property.booked();
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
  const health = async (name: string) =>
    (await service.call<{ status: string }>('GET', `${service.dev.reservationUrl}/actuator/health/${name}`)).json
      .status;
  for (const name of ['db', 'jobs', 'rounds'])
    t.ok(await until(`${name} is UP`, SOON_MS, async () => ((await health(name)) === 'UP' ? true : undefined)));
  const { rows } = await database.admin.query<{ usename: string }>(
    `select distinct usename from pg_stat_activity where usename is not null and pid <> pg_backend_pid()
       and backend_type = 'client backend' order by 1`,
  );
  t.same(
    rows.map(({ usename }) => usename),
    ['innkeeper_app_login', 'innkeeper_jobs_login', 'innkeeper_system_login'],
    'nobody is left who may be somebody else',
  );
  must(await service.call('GET', `${service.dev.reservationUrl}/actuator/health`), 200);
});
