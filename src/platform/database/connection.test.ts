import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { connect } from './connection.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrator.ts';

const { admin, url } = await withTestDatabase(t);

t.test('values arrive as the row mappings expect them', async (t) => {
  const client = await connect(url, 'innkeeper_app', { settings: { search_path: 'availability, public' } });
  t.teardown(() => client.end());
  const { rows } = await client.query(`
    select date '2027-03-28' as day, 9007199254740991::bigint as seq, 199.00::numeric(10, 2) as amount,
      timestamptz '2027-03-28 01:30:00.123Z' as at, '{"a": [1]}'::jsonb as doc,
      current_setting('search_path') as path`);
  t.same(rows, [
    {
      day: '2027-03-28',
      seq: 9007199254740991,
      amount: '199.00',
      at: new Date('2027-03-28T01:30:00.123Z'),
      doc: { a: [1] },
      path: 'availability, public',
    },
  ]);
});

t.test('options in DATABASE_URL cannot change the role', async (t) => {
  const sly = `${url}?options=${encodeURIComponent('-c role=postgres')}`;
  const client = await connect(sly, 'innkeeper_app');
  t.teardown(() => client.end());
  const { rows } = await client.query(`select current_user as name`);
  t.same(rows, [{ name: 'innkeeper_app' }]);
});

const wrong = {
  port: { change: (to: URL) => (to.port = '1'), says: /ECONNREFUSED.*nothing listens there/ },
  host: { change: (to: URL) => (to.hostname = 'nowhere.invalid'), says: /nowhere\.invalid.*(unknown|looked up)/ },
  database: { change: (to: URL) => (to.pathname = '/lost'), says: /"lost" does not exist.*correct its name/ },
  password: { change: (to: URL) => (to.password = 'wrong'), says: /password.*correct user and password/ },
};

for (const [what, { change, says }] of Object.entries(wrong)) {
  t.test(`a wrong ${what} is one line with a remedy, and without the password`, async (t) => {
    const broken = new URL(url);
    const secret = broken.password;
    change(broken);
    for (const open of [
      () => connect(broken.href, 'innkeeper_app'),
      () => openDatabase(broken.href),
      () => migrate(broken.href, () => {}),
    ]) {
      const failure = await open().then(
        () => t.fail('it connected'),
        (error: Error) => error,
      );
      t.match(failure, { name: 'DatabaseFailure', message: says });
      const text = (failure as Error).message;
      t.notMatch(text, /\n/);
      t.notOk(text.includes(secret) || text.includes('wrong:'), 'no password');
    }
  });
}

t.test('a server on which nothing was migrated says what to run', async (t) => {
  await admin.query('alter role innkeeper_jobs rename to renamed');
  t.teardown(() => admin.query('alter role renamed rename to innkeeper_jobs'));
  await t.rejects(connect(url, 'innkeeper_jobs'), { name: 'DatabaseFailure', message: /run the migrations/ });
});

t.test('a session whose machine is gone ends within seconds, and its locks with it', async (t) => {
  const client = await connect(url, 'innkeeper_system', { settings: { statement_timeout: '2s' } });
  t.teardown(() => client.end());
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name like 'tcp_%' or name = 'statement_timeout' order by name`,
  );
  t.strictSame(
    rows.map(({ name, setting }) => [name, Number(setting)]),
    [
      ['statement_timeout', 2_000],
      ['tcp_keepalives_count', 3],
      ['tcp_keepalives_idle', 3],
      ['tcp_keepalives_interval', 1],
      ['tcp_user_timeout', 6_000],
    ],
  );
});

t.test('the clock of the database is the real one plus its offset', async (t) => {
  const client = await connect(url, 'innkeeper_app');
  t.teardown(() => client.end());
  await admin.query('update system.clock set offset_ms = 86400000');
  const { rows } = await client.query<{ ahead: number }>(
    'select extract(epoch from app_now() - clock_timestamp())::float8 as ahead',
  );
  t.ok(Math.abs(rows[0]!.ahead - 86_400) < 1);
  await t.rejects(client.query('update system.clock set offset_ms = 0'), { code: '42501' });
  await t.rejects(admin.query('update system.clock set offset_ms = -1'), { code: '23514' });
  await t.rejects(admin.query('insert into system.clock values (false, 0)'), { code: '23514' }, 'one row');
});
