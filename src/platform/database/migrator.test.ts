import { Client } from 'pg';
import t from 'tap';

import { MIGRATIONS } from '../../../migrations/all.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { connect } from './connection.ts';
import { migrate } from './migrator.ts';
import { DATABASE_ROLES } from './roles.ts';

const database = await withTestDatabase(t);
const { admin, url } = database;
const names = MIGRATIONS.map((migration) => migration.name);
const quiet = () => {};

t.test('a fresh database is migrated, and a second run changes nothing', async (t) => {
  const fresh = await database.createDatabase('fresh');
  const lines: string[] = [];
  const first = await migrate(fresh, (line) => lines.push(line));
  t.same(first.applied, names);
  t.equal(lines.length, first.applied.length + first.functions.length);
  const before = await snapshot(fresh);
  t.match(await migrate(fresh, quiet), { applied: [], functions: [] });
  t.same(await snapshot(fresh), before);
});

/** Everything that a second run could have touched: catalogue rows carry the transaction that wrote them. */
async function snapshot(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(`
    select (select array_agg(xmin::text || relname order by oid) from pg_class where oid >= 16384) as tables,
      (select array_agg(xmin::text || proname order by oid) from pg_proc where oid >= 16384) as functions,
      (select array_agg(xmin::text || nspname || nspacl::text order by oid) from pg_namespace) as schemas,
      (select array_agg(name || executed_at order by id) from system.migration) as migrations`);
  await client.end();
  return rows;
}

t.test('four processes that start at once migrate once', async (t) => {
  const fresh = await database.createDatabase('at_once');
  const reports = await Promise.all([1, 2, 3, 4].map(() => migrate(fresh, quiet)));
  t.same(
    reports.flatMap((report) => report.applied),
    names,
  );
});

t.test('functions that no supported release calls are dropped from a database that has them', async (t) => {
  const old = await database.createDatabase('old_functions');
  await migrate(
    old,
    quiet,
    MIGRATIONS.filter(({ name }) => name !== '0014-unused-functions'),
  );
  const client = new Client({ connectionString: old });
  await client.connect();
  await client.query(`
    set role innkeeper_owner;
    grant create on schema public, system to innkeeper_writer;
    set role innkeeper_writer;
    create function public.commit_batch_v1(batches json) returns void language sql as '';
    create function system.write_keys_v1(keys json) returns void language sql as '';
    reset role`);
  t.match(await migrate(old, quiet), { applied: ['0014-unused-functions'], functions: [] });
  const { rows } = await client.query(
    `select proname from pg_proc where proname in ('commit_batch_v1', 'write_keys_v1', 'commit_batch_v2')`,
  );
  await client.end();
  t.same(rows, [{ proname: 'commit_batch_v2' }]);
});

t.test('functions whose parameters have other names now are created again', async (t) => {
  const old = await database.createDatabase('old_lists');
  const renaming = '0019-commit-list-names';
  await migrate(
    old,
    quiet,
    MIGRATIONS.filter(({ name }) => name !== renaming),
  );
  const client = new Client({ connectionString: old });
  await client.connect();
  await client.query(`
    set role innkeeper_owner;
    grant create on schema system to innkeeper_writer;
    set role innkeeper_writer;
    drop function system.write_keys_v3(jsonb, json, json, json);
    create function system.write_keys_v3(counts jsonb, claims json, ends json, releases json) returns void
      language sql as '';
    reset role`);
  t.match(await migrate(old, quiet), { applied: [renaming] });
  const { rows } = await client.query(`select proargnames from pg_proc where proname = 'write_keys_v3'`);
  await client.end();
  t.match(rows, [{ proargnames: ['counts', 'key_claims', 'key_completions', 'key_releases'] }]);
});

t.test('two databases of one server are migrated at once', async (t) => {
  const urls = [await database.createDatabase('left'), await database.createDatabase('right')];
  const reports = await Promise.all(urls.map((each) => migrate(each, quiet)));
  t.same(
    reports.map((report) => report.applied),
    [names, names],
  );
});

t.test('a login user without power migrates its own database when the roles are its to act as', async (t) => {
  const fresh = new URL(await database.createDatabase('hosted'));
  await admin.query(`create role hosted login password 'secret' nosuperuser`);
  await admin.query('alter database hosted owner to hosted');
  await admin.query(`grant ${DATABASE_ROLES.join(', ')} to hosted with inherit false, set true`);
  fresh.username = 'hosted';
  fresh.password = 'secret';
  t.same((await migrate(fresh.href, quiet)).applied, names);
  const client = await connect(fresh.href, 'innkeeper_app');
  const { rows } = await client.query('select current_user as name, session_user as login');
  t.same(rows, [{ name: 'innkeeper_app', login: 'hosted' }]);
  await client.end();
});

t.test('a role that stands above row security stops the start', async (t) => {
  const fresh = await database.createDatabase('unsafe');
  await admin.query('alter role innkeeper_app bypassrls');
  t.teardown(() => admin.query('alter role innkeeper_app nobypassrls'));
  await t.rejects(migrate(fresh, quiet), { name: 'DatabaseFailure', message: /may do too much.*innkeeper_app/ });
});

t.test('functions are installed again when their file has changed, and only then', async (t) => {
  const { rowCount } = await admin.query(`update system.function_file set hash = 'of an older text'`);
  const report = await migrate(url, quiet);
  t.equal(report.functions.length, rowCount);
  t.same(report.applied, []);
  t.same((await migrate(url, quiet)).functions, []);
  const { rows } = await admin.query(
    `select has_schema_privilege('innkeeper_writer', schema, 'create') as create
     from unnest('{public,system}'::text[]) as schema`,
  );
  t.same(rows, [{ create: false }, { create: false }], 'the right to create was for that moment');
});

t.test('the journal has this month and three more, and takes a row of any other month', async (t) => {
  t.same(await journalParts(), monthsFrom(new Date(), 4));
  await writeJournal(['2019-05-05T00:00:00Z', '2031-01-31T23:59:59.999Z']);
  t.same(await journalRows(), { journal_default: 2 });
});

t.test('rows that waited in the default partition move into their month', async (t) => {
  const now = new Date();
  const later = new Date(Date.UTC(now.getUTCFullYear() + 2, now.getUTCMonth(), 1));
  await writeJournal([later.toISOString(), new Date(later.getTime() - 1).toISOString()]);
  await admin.query('update system.clock set offset_ms = $1', [later.getTime() - now.getTime() + 60_000]);
  t.teardown(() => admin.query('update system.clock set offset_ms = 0'));
  const system = await connect(url, 'innkeeper_system');
  t.teardown(() => system.end());
  const { rows } = await system.query('select system.ensure_journal_partitions(1) as made');
  t.same(rows, [{ made: 5 }], 'two months, and one for each row that none had taken');
  const [month, next] = monthsFrom(later, 2);
  const [before] = monthsFrom(new Date(later.getTime() - 1), 1);
  t.same(await journalRows(), { journal_2019_05: 1, [before!]: 1, [month!]: 1, journal_2031_01: 1 });
  const safe = await admin.query(
    `select bool_and(relrowsecurity and relforcerowsecurity) as safe from pg_class where relname = any ($1)`,
    [['journal_default', month, next]],
  );
  t.same(safe.rows, [{ safe: true }]);
  const again = await Promise.all([1, 2, 3].map(() => ensureAsSystem(3)));
  t.equal(
    again.reduce((sum, made) => sum + made),
    2,
    'callers at once make each month once',
  );
});

async function ensureAsSystem(months: number): Promise<number> {
  const system = await connect(url, 'innkeeper_system');
  const { rows } = await system.query<{ made: number }>('select system.ensure_journal_partitions($1) as made', [
    months,
  ]);
  await system.end();
  return rows[0]!.made;
}

async function journalParts(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class
     where relispartition and relkind = 'r' and relname ~ '^journal_\\d' order by 1`,
  );
  return rows.map((row) => row.name);
}

function monthsFrom(start: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const month = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index, 1)).toISOString();
    return `journal_${month.slice(0, 7).replace('-', '_')}`;
  });
}

let seq = 0;
async function writeJournal(moments: string[]): Promise<void> {
  for (const at of moments) {
    await admin.query(
      `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
       values ('a', 'p', $1, $2, 'TICK', 's', 'r', 'e', '{}', 'h')`,
      [++seq, at],
    );
  }
}

async function journalRows(): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ name: string; n: number }>(
    'select tableoid::regclass::text as name, count(*)::int as n from journal group by 1',
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.n]));
}
