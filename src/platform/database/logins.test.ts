import { Client } from 'pg';
import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { makeLogins } from '../../testing/logins.ts';
import { actingAs, connect } from './connection.ts';
import { databaseLogins, isSeparated } from './logins.ts';
import type { DatabaseRole } from './roles.ts';

const database = await withTestDatabase(t);
const own = await makeLogins(database.admin, database.url);

const ROLE_OF = { app: 'innkeeper_app', system: 'innkeeper_system', jobs: 'innkeeper_jobs' } as const;

/** What an attacker tries who can run statements in a session of the service. */
const ESCAPES = [
  'reset role; select count(*) from public.reservations',
  'set role none; select count(*) from public.reservations',
  'set role innkeeper_owner',
  'set role innkeeper_writer',
  'set session authorization innkeeper_owner',
];

async function codeOf(url: string, role: DatabaseRole, statement: string): Promise<string | undefined> {
  const client = new Client({ connectionString: actingAs(url, role) });
  await client.connect();
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

t.test('a login of its own acts as its role and cannot become another', async (t) => {
  for (const [name, role] of Object.entries(ROLE_OF)) {
    const url = own[name as keyof typeof own];
    const client = await connect(url, role);
    await client.end();
    const others = Object.values(ROLE_OF).filter((other) => other !== role);
    for (const statement of [...ESCAPES, ...others.map((other) => `set role ${other}`)])
      t.equal(await codeOf(url, role, statement), '42501', `${name}: ${statement}`);
  }
});

t.test('the one login for everything can, which is why production warns', async (t) => {
  t.equal(
    await codeOf(database.url, 'innkeeper_app', 'set role none; select count(*) from public.reservations'),
    'done',
  );
  t.equal(await codeOf(database.url, 'innkeeper_app', 'set role innkeeper_system'), 'done');
});

t.test('without logins of their own all roles use the one of DATABASE_URL', (t) => {
  const one = databaseLogins({ DATABASE_URL: database.url });
  t.same(new Set(Object.values(one)), new Set([database.url]));
  t.notOk(isSeparated(one));
  const each = databaseLogins({
    DATABASE_URL: database.url,
    DATABASE_APP_URL: own.app,
    DATABASE_SYSTEM_URL: own.system,
    DATABASE_JOBS_URL: own.jobs,
  });
  t.match(each, { owner: database.url, ...own });
  t.ok(isSeparated(each));
  t.throws(() => databaseLogins({}), /DATABASE_URL is not set/);
  t.end();
});
