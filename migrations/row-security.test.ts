import type { Client } from 'pg';
import t from 'tap';

import { connect } from '../src/platform/database/connection.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrator.ts';
import { DATABASE_ROLES, type DatabaseRole } from '../src/platform/database/roles.ts';
import { withTestDatabase } from '../src/testing/database.ts';
import {
  ACTOR_TABLES,
  ADMINISTRATION_TABLES,
  APPEND_ONLY_TABLES,
  PERSON_TABLES,
  SYSTEM_READABLE,
  SYSTEM_TABLES,
  TENANT_TABLES,
} from '../src/testing/tables.ts';

const database = await withTestDatabase(t);
const { admin, url } = database;

/** One row of tenant `a` in every table, written past row security; foreign keys and checks are not the point. */
async function fillEveryTable(): Promise<void> {
  await admin.query(`set session_replication_role = 'replica'`);
  for (const table of TENANT_TABLES) {
    const { rows } = await admin.query<{ name: string; type: string; label: string | null }>(
      `select a.attname as name, format_type(a.atttypid, null) as type,
         (select min(enumlabel) from pg_enum e where e.enumtypid = a.atttypid) as label
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = $1::regclass and a.attnum > 0 and a.attnotnull and d.oid is null and a.attidentity = ''`,
      [table],
    );
    const values = rows.map(({ name, type, label }) => (name === 'tenant_id' ? 'a' : (label ?? sample(name, type))));
    const marks = values.map((_, index) => `$${index + 1}`);
    const names = rows.map((row) => row.name);
    await admin.query(`insert into ${table} (${names.join()}) values (${marks.join()})`, values);
  }
  await admin.query('reset session_replication_role');
}

function sample(name: string, type: string): string {
  if (name === 'nights') return '1';
  if (name === 'kind') return 'INVOICE';
  if (name === 'check_out') return '2027-01-02';
  if (type === 'boolean') return 'true';
  if (type.endsWith('[]')) return '{}';
  if (type === 'uuid') return crypto.randomUUID();
  if (type === 'date') return '2027-01-01';
  if (type.startsWith('timestamp')) return '2027-01-01T00:00:00Z';
  if (type.startsWith('json')) return '{}';
  if (/int|numeric/.test(type)) return '1';
  return 'X';
}

await fillEveryTable();

/** Number of rows that a role sees, or the message with which the table refuses. */
async function seen(client: Client, table: string): Promise<number | string> {
  try {
    const { rows } = await client.query<{ n: number }>(`select count(tenant_id)::int as n from ${table}`);
    return rows[0]!.n;
  } catch (error) {
    return (error as Error).message;
  }
}

async function seenInAll(client: Client): Promise<Set<number | string>> {
  const answers = new Set<number | string>();
  for (const table of TENANT_TABLES) answers.add(await seen(client, table));
  return answers;
}

async function acting<T>(role: DatabaseRole, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url, role);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const error = 'no tenant is set for this transaction';

t.test('every tenant table and every partition has row security, enabled and forced', async (t) => {
  const { rows } = await admin.query<{ name: string; safe: boolean }>(`
    select n.nspname || '.' || c.relname as name, c.relrowsecurity and c.relforcerowsecurity as safe
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'availability')`);
  t.ok(rows.length > TENANT_TABLES.length, 'partitions are among them');
  t.same(
    rows.filter((row) => !row.safe),
    [],
  );
});

t.test('roles have no power beyond their grants', async (t) => {
  const { rows } = await admin.query(
    `select rolname from pg_roles where rolname = any ($1)
     and not (rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb)
     and not exists (select from pg_auth_members m where m.member = pg_roles.oid)`,
    [DATABASE_ROLES],
  );
  t.equal(rows.length, DATABASE_ROLES.length);
});

t.test('innkeeper_app sees its tenant, and without one no row of any table', async (t) => {
  await acting('innkeeper_app', async (client) => {
    t.same(await seenInAll(client), new Set([error]), 'never set');
    await client.query('begin');
    await client.query(`select set_config('innkeeper.tenant', 'a', true)`);
    t.same(await seenInAll(client), new Set([1]), 'its own');
    await client.query(`select set_config('innkeeper.tenant', 'b', true)`);
    t.same(await seenInAll(client), new Set([0]), 'the wrong one');
    await client.query('commit');
    const { rows } = await client.query(`select current_setting('innkeeper.tenant', true) as left_behind`);
    t.same(rows, [{ left_behind: '' }], 'a used connection keeps an empty text');
    t.same(await seenInAll(client), new Set([error]), 'which is refused like none at all');
  });
});

t.test('an empty table answers a session without a tenant with an error too, never with rows', async (t) => {
  const empty = await database.createDatabase('empty');
  await migrate(empty, () => {});
  const client = await connect(empty, 'innkeeper_app');
  t.teardown(() => client.end());
  for (const table of TENANT_TABLES) {
    // A scan that finds no row never comes to ask the policy, so 0 is as good; it depends on the plan.
    t.match(String(await seen(client, table)), /^0$|no tenant is set/, table);
    await t.rejects(client.query(`insert into ${table} (tenant_id) values ('')`), { code: '42501' }, table);
  }
});

t.test('a row of another tenant can be neither written nor moved', async (t) => {
  await acting('innkeeper_app', async (client) => {
    await client.query(`begin; select set_config('innkeeper.tenant', 'b', true)`);
    await client.query('savepoint clean');
    await t.rejects(client.query(`insert into tenants (tenant_id, name) values ('c', 'C')`), { code: '42501' });
    await client.query('rollback to clean');
    const { rowCount } = await client.query(`update tenants set name = 'mine now'`);
    t.equal(rowCount, 0);
    await client.query(`select set_config('innkeeper.tenant', 'a', true)`);
    await t.rejects(client.query(`update tenants set tenant_id = 'b'`), { code: '42501' });
    await client.query('rollback');
  });
});

t.test('innkeeper_app sees what belongs to its person, and without one nothing', async (t) => {
  const [mine, other] = ['m', 'o'].map((letter) => letter.repeat(43));
  for (const person of [mine, other]) {
    await admin.query(`insert into person_preferences (person) values ($1)`, [person]);
    await admin.query(`insert into ended_tokens (person, mark, ends_at) values ($1, 'x', now() + interval '1 day')`, [
      person,
    ]);
    await admin.query(
      `insert into browser_sessions (tenant_id, id, sealed, ends_at, person) values ($1, $1, 's', now(), $1)`,
      [person],
    );
  }
  const tables = [...PERSON_TABLES, 'public.browser_sessions'];
  await acting('innkeeper_app', async (client) => {
    for (const table of PERSON_TABLES)
      await t.rejects(client.query(`select person from ${table}`), { message: /no person is set/ }, table);
    await client.query('begin');
    await client.query(`select set_config('innkeeper.tenant', 'a', true)`);
    await client.query('savepoint tenant');
    for (const table of PERSON_TABLES) {
      await t.rejects(client.query(`select person from ${table}`), { message: /no person is set/ }, table);
      await client.query('rollback to tenant');
    }
    await client.query(`select set_config('innkeeper.person', $1, true)`, [mine]);
    for (const table of tables)
      t.same((await client.query(`select person from ${table}`)).rows, [{ person: mine }], table);
    await t.rejects(client.query(`insert into person_preferences (person) values ('${'x'.repeat(43)}')`), {
      code: '42501',
    });
    await client.query('rollback');
    t.match(await seen(client, 'public.browser_sessions'), error, 'the setting is left behind empty');
  });
  await admin.query(`delete from browser_sessions where person is not null`);
});

t.test('innkeeper_writer sees the tenants of its batch and no others', async (t) => {
  await acting('innkeeper_writer', async (client) => {
    const readable = ACTOR_TABLES.filter((table) => table !== 'public.journal');
    for (const table of readable) t.equal(await seen(client, table), 'no tenants are set for this batch', table);
    await client.query('begin');
    for (const [tenants, rows] of [
      ['a', 1],
      ['b,a', 1],
      ['b,c', 0],
      ['a;b', 0],
    ] as const) {
      await client.query(`select set_config('innkeeper.batch_tenants', $1, true)`, [tenants]);
      for (const table of readable) t.equal(await seen(client, table), rows, `${table} for ${tenants}`);
    }
    await client.query('rollback');
  });
});

t.test('the batch setting gives innkeeper_app nothing, the tenant setting innkeeper_writer nothing', async (t) => {
  await acting('innkeeper_app', async (client) => {
    await client.query(`set innkeeper.batch_tenants = 'a'`);
    t.same(await seenInAll(client), new Set([error]));
  });
  await acting('innkeeper_writer', async (client) => {
    await client.query(`set innkeeper.tenant = 'a'`);
    t.equal(await seen(client, 'public.holds'), 'no tenants are set for this batch');
  });
});

t.test('the owner of the tables sees no row of any', async (t) => {
  await acting('innkeeper_owner', async (client) => {
    await client.query(`set innkeeper.tenant = 'a'`);
    t.same(await seenInAll(client), new Set([0]));
  });
});

t.test('innkeeper_system reads what it needs over all tenants, and nothing else', async (t) => {
  await acting('innkeeper_system', async (client) => {
    for (const table of TENANT_TABLES) {
      const readable = (SYSTEM_READABLE as readonly string[]).includes(table);
      t.equal(await seen(client, table), readable ? 1 : `permission denied for table ${table.split('.')[1]}`, table);
    }
    for (const hidden of [
      'tenants.config',
      'tenants.subscription',
      'users.email',
      'users.name',
      'holds.doc',
      'journal_checkpoints.grid',
    ]) {
      const [table, column] = hidden.split('.');
      await t.rejects(client.query(`select ${column} from ${table}`), { code: '42501' }, hidden);
    }
  });
  await acting('innkeeper_jobs', async (client) => {
    for (const table of TENANT_TABLES) t.match(await seen(client, table), /permission denied/, table);
  });
});

type Right = { role: string; place: string; rights: string };

/** Every right that somebody else than the owner has on a table of these schemas, from the catalogue. */
async function rights(schemas: string[]): Promise<Right[]> {
  const { rows } = await admin.query<Right>(
    `select grantee::regrole::text as role, n.nspname || '.' || c.relname as place,
       string_agg(lower(privilege_type), ' ' order by privilege_type) as rights
     from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl)
     where n.nspname = any ($1) and c.relkind in ('r', 'p', 'v', 'm', 'S') and grantee <> c.relowner
     group by 1, 2 order by 1, 2`,
    [schemas],
  );
  return rows;
}

t.test('rights on tenant data are these and no others', async (t) => {
  const withDelete = new Set([
    'public.holds',
    'public.idempotency',
    // Release 0.1.0 writes lines of an invoice anew when something is credited after it was issued.
    'public.invoice_items',
    // A block that a change leaves out.
    'public.group_blocks',
    'public.room_types',
    'public.rooms',
    'public.base_rates',
    'public.rate_restrictions',
    'public.rate_signals',
    'public.room_assignments',
    'public.extra_stays',
    'public.calendar_events',
    'availability.room_availability',
  ]);
  // By row security of sandboxes and their guests only (docs/concepts/sandbox.md#how-it-is-thrown-away).
  const ofSandboxes = new Set(
    (
      'properties rate_version rates night_books rate_changes promotions promotion_nights property_actor ' +
      'property_generations relay_cursor journal journal_checkpoints reservations reservation_status_history payments ' +
      'reservation_groups maintenances waitlist inquiries housekeeping_tasks invoices invoice_documents guests guest_keys'
    )
      .split(' ')
      .map((name) => `public.${name}`),
  );
  const writer = (place: string) => (ofSandboxes.has(place) ? `delete ${owned(place)}` : owned(place));
  const owned = (place: string) => {
    // Of an issued invoice it may change the words of lines alone.
    if (place === 'public.invoice_documents') return 'insert select';
    if (place.startsWith('public.journal') || place === 'public.property_generations') return 'insert select';
    return withDelete.has(place) ? 'delete insert select update' : 'insert select update';
  };
  const whole = [
    'public.administration_journal',
    'public.audit_heads',
    'public.imports',
    'public.journal',
    'public.property_actor',
    'public.property_generations',
    'public.relay_cursor',
    'public.subscription_cursors',
    'public.subscriptions',
    'public.user_tenant_associations',
  ];
  /** Rows that are removed again, and never changed. */
  const written = new Set<string>(['public.import_lines', 'public.import_uploads']);
  const expected: Right[] = [
    ...ADMINISTRATION_TABLES.map((place) => ({
      role: 'innkeeper_app',
      place,
      rights: written.has(place) ? 'delete insert select' : 'delete insert select update',
    })),
    ...ACTOR_TABLES.map((place) => ({ role: 'innkeeper_app', place, rights: 'select' })),
    { role: 'innkeeper_app', place: 'public.ended_tokens', rights: 'delete insert select' },
    { role: 'innkeeper_app', place: 'public.person_preferences', rights: 'insert select update' },
    ...APPEND_ONLY_TABLES.map((place) => ({ role: 'innkeeper_app', place, rights: 'insert select' })),
    // A guest's words go when he is forgotten.
    { role: 'innkeeper_writer', place: 'public.stay_surveys', rights: 'select' },
    { role: 'innkeeper_writer', place: 'public.sandbox_guests', rights: 'select' },
    { role: 'innkeeper_writer', place: 'public.company_payments', rights: 'select' },
    { role: 'innkeeper_writer', place: 'public.subscriptions', rights: 'select' },
    // A restore forgets their last audit.
    { role: 'innkeeper_writer', place: 'public.channels', rights: 'select' },
    // The node that sends moves them, over all tenants.
    { role: 'innkeeper_writer', place: 'public.subscription_cursors', rights: 'insert select update' },
    ...whole.map((place) => ({ role: 'innkeeper_system', place, rights: 'select' })),
    ...ACTOR_TABLES.map((place) => ({
      role: 'innkeeper_writer',
      place,
      rights: writer(place),
    })),
  ];
  const order = (a: Right, b: Right) => `${a.role} ${a.place}`.localeCompare(`${b.role} ${b.place}`, 'en');
  t.same((await rights(['public', 'availability'])).sort(order), expected.sort(order));
});

t.test('rights on single columns are these and no others', async (t) => {
  const { rows } = await admin.query<{ place: string; columns: string }>(`
    select grantee::regrole || ' ' || lower(privilege_type) || ' ' || c.relname as place,
      string_agg(a.attname, ' ' order by a.attnum) as columns
    from pg_attribute a join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl)
    where c.oid >= 16384 group by 1`);
  t.same(Object.fromEntries(rows.map((row) => [row.place, row.columns])), {
    'innkeeper_writer update channels': 'audited_day',
    'innkeeper_writer update invoice_documents': 'lines',
    'innkeeper_system select tenants': 'tenant_id name type status created_at updated_at',
    'innkeeper_system select users': 'tenant_id id iss sub deleted_at',
    'innkeeper_system select journal_checkpoints': 'tenant_id property_id seq at hash generation',
    'innkeeper_system select holds': 'tenant_id property_id id kind expires_at reservation_id created_at',
    'innkeeper_system update clock': 'offset_ms',
    'innkeeper_writer update generation': 'current',
    'innkeeper_writer update stay_surveys': 'comment',
  });
});

t.test('schema system is closed to innkeeper_app, but for the clock', async (t) => {
  const found = await rights(['system']);
  t.same(
    found.filter((right) => right.role !== 'innkeeper_system'),
    [
      ...['innkeeper_app', 'innkeeper_jobs', 'innkeeper_writer'].map((role) => ({
        role,
        place: 'system.clock',
        rights: 'select',
      })),
      { role: 'innkeeper_writer', place: 'system.cluster_node', rights: 'select' },
      { role: 'innkeeper_writer', place: 'system.generation', rights: 'select' },
    ],
  );
  const closed = SYSTEM_TABLES.filter((place) => !found.some((right) => right.place === place));
  t.same(closed, ['system.function_file', 'system.migration']);
});

t.test('what runs with the rights of its owner is owned by a role under row security', async (t) => {
  const { rows } = await admin.query(`
    select p.oid::regprocedure::text as name, p.proowner::regrole::text as owner, p.proconfig::text as settings
    from pg_proc p where p.prosecdef and p.pronamespace in (select oid from pg_namespace where nspname !~ '^pg_')`);
  t.same(
    rows.filter((row) => !['innkeeper_owner', 'innkeeper_writer'].includes(row.owner)),
    [],
  );
  t.same(
    rows.filter((row) => !/search_path=pg_catalog.*pg_temp/.test(row.settings ?? '')),
    [],
    'with a fixed path',
  );
  const open = await admin.query(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'system'::regnamespace)
      and (p.proacl is null or exists (select from aclexplode(p.proacl) where grantee = 0))`);
  t.same(open.rows, [], 'nothing is executable by everybody');
});

t.test('sessions act as their role without the power of the login user', async (t) => {
  for (const role of DATABASE_ROLES) {
    await acting(role, async (client) => {
      const { rows } = await client.query(`select current_user as name, current_setting('is_superuser') as super`);
      t.same(rows, [{ name: role, super: 'off' }]);
      if (role !== 'innkeeper_owner')
        await t.rejects(client.query('create table public.mine (a int)'), { code: '42501' });
      await t.rejects(client.query('create temporary table guests (a int)'), { code: '42501' }, 'no table in front');
      await client.query('reset role');
      const after = await client.query(`select current_user as name`);
      t.same(after.rows, [{ name: role }], 'reset leads back to the role');
    });
  }
});

t.test('transactions of a tenant, one after another on one connection, do not mix', async (t) => {
  await using pool = await openDatabase(url, { poolSize: 1 });
  const count = (tenant: string) =>
    pool.readTenant(tenant, async (em) => (await em.execute('select 1 from reservations')).length);
  t.equal(await count('a'), 1);
  t.equal(await count('b'), 0);
  t.equal(await count('a'), 1);
  await t.rejects(count(''), /no tenant is set/);
  t.equal(await count(`a' or '1'='1`), 0);
  await t.rejects(pool.orm.em.fork().execute('select 1 from reservations'), /no tenant is set/);
  await t.rejects(
    pool.readTenant('a', (em) => em.execute(`update tenants set name = 'B'`)),
    /read-only transaction/,
  );
});
