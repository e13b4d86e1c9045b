import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';

import { FUNCTION_FILES } from '../../../migrations/all.ts';
import { ReservationEntity, PaymentEntity } from '../../platform/database/entities/reservations.ts';
import { PAYMENTS_TABLE, RESERVATIONS_TABLE } from '../../platform/database/tables/bookings.ts';
import {
  type Column,
  type Columns,
  nameOf,
  type ActorTable,
  typeOf,
  type Unsaid,
  sqlName,
} from '../../platform/database/tables/table.ts';
import type { Room } from '../../properties/rules/property.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { withGenerated } from './commit-sql.ts';
import {
  type ColumnsOf,
  columnsOf,
  COMMIT,
  COMMIT_FUNCTION,
  COMMIT_VERSION,
  ROW_LISTS,
  type RowList,
  LISTS,
} from './lists.ts';

const { admin } = await withTestDatabase(t);
const folder = new URL(`../../../migrations/sql/commit-batch.${COMMIT_VERSION}/`, import.meta.url);
const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
const tables = new Set(ROW_LISTS.map((name) => LISTS[name].table));
const LABELS = new Map(
  (
    await admin.query<{ type: string; label: string }>(
      'select enumtypid::regtype::text as type, min(enumlabel::text) as label from pg_enum group by 1',
    )
  ).rows.map(({ type, label }) => [type, label]),
);

t.test('the commit function is what is generated from the tables, and all of it is installed', (t) => {
  for (const { name, text } of files) t.equal(text, withGenerated(text), `${name}: npm run sql:generate`);
  const installed = FUNCTION_FILES.map(({ name }) => name).filter((name) =>
    name.startsWith(`commit-batch.${COMMIT_VERSION}/`),
  );
  t.same(installed.sort(), files.map(({ name }) => `commit-batch.${COMMIT_VERSION}/${name}`).sort());
  t.end();
});

t.test('statements that are written by hand read columns that their list has, with its types', (t) => {
  const lists = new Map(ROW_LISTS.map((name) => [sqlName(name), columnsOf(LISTS[name])]));
  const read = new Set<string>();
  for (const { name, text } of files) {
    const records = [...text.matchAll(/json_to_recordset\((\w+)\) as r\s+\(((?:[^()]|\([^()]*\))*)\)/g)];
    t.equal(records.length, text.match(/json_to_recordset/g)!.length, `${name}: all are looked at`);
    for (const [, list, record] of records) {
      const columns = Object.entries(lists.get(list!) ?? {});
      const known = new Set(columns.map(([field, column]) => `${field} ${typeOf(column)}`));
      for (const column of record!.split(/,\s+(?=["a-z])/))
        t.ok(known.has(column.replaceAll(/["\n]/g, '').trim()), `${name}: ${column} of ${list}`);
      read.add(list!);
    }
  }
  t.same([...read].sort(), [...lists.keys()].sort(), 'every list is read');
  t.end();
});

type Found = { name: string; type: string; required: boolean };
const columnsIn = async (table: string): Promise<Found[]> =>
  (
    await admin.query<Found>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    )
  ).rows;

/** Column types as PostgreSQL prints them. */
async function described({ columns, computed = {}, ...table }: ActorTable): Promise<Found[]> {
  const all: [string, Column][] = [
    ...Object.entries(columns).map(([field, column]): [string, Column] => [nameOf(table, field), column]),
    ...Object.entries(computed).map(([name, [column]]): [string, Column] => [name, column]),
  ];
  const isRequired = (column: Column) => !column.includes('?');
  const sql = all.map(([name, column]) => `${name} ${typeOf(column)} ${isRequired(column) ? 'not null' : ''}`);
  await admin.query(`create temporary table described (${sql.join(', ')})`);
  const found = await columnsIn('pg_temp.described');
  await admin.query('drop table pg_temp.described');
  return found;
}

t.test('every column that is described is in the database with its type, and every other one is named', async (t) => {
  for (const table of tables) {
    const there = new Map((await columnsIn(table.name)).map((column) => [column.name, column]));
    const columns = await described(table);
    for (const { name, type, required } of columns) {
      t.equal(there.get(name)?.type, type, `${table.name}.${name}`);
      // Statements written by hand have a value for absent members.
      if (table !== LISTS.fences.table && there.get(name)?.required)
        t.ok(required, `${table.name}.${name} is never null`);
    }
    const named = [...columns.map(({ name }) => name), ...(table.others ?? [])];
    t.same(named.sort(), [...there.keys()].sort(), table.name);
    const { rows } = await admin.query<{ name: string }>(
      `select attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       where i.indrelid = $1::regclass and i.indisprimary`,
      [table.name],
    );
    t.same(
      new Set(table.key.map((field) => nameOf(table, field))),
      new Set(rows.map(({ name }) => name)),
      `key of ${table.name}`,
    );
  }
});

t.test('columns read of reservations and payments as entities are those that are written', (t) => {
  for (const [entity, table] of [
    [ReservationEntity, RESERVATIONS_TABLE as ActorTable],
    [PaymentEntity, PAYMENTS_TABLE as ActorTable],
  ] as const) {
    const known = new Set<string>([
      ...Object.keys(table.columns).map((field) => nameOf(table, field)),
      ...(table.others ?? []),
    ]);
    for (const column of Object.keys(entity.meta.properties)) t.ok(known.has(column), column);
  }
  t.end();
});

const ID = '00000000-0000-4000-8000-000000000001';

/** A document that passes the check constraints of invoices. */
const DOCUMENT: Record<string, unknown> = { number: 'INV-2030-000001', year: 2030, corrects: null };

function sample(field: string, column: Column): unknown {
  const type = typeOf(column);
  // Requests on a waitlist have a number that counts.
  if (field in DOCUMENT && !(field === 'number' && type === 'int')) return DOCUMENT[field];
  if (field === 'kind' && type === 'varchar(20)') return 'INVOICE';
  if (field === 't') return 'a';
  if (field === 'checkOut') return '2030-01-02';
  if (type === 'uuid') return ID;
  if (type === 'boolean') return true;
  if (type === 'date') return '2030-01-01';
  if (type.startsWith('timestamptz')) return '2030-01-01T00:00:00Z';
  if (type.endsWith('[]')) return [3];
  if (type.startsWith('json')) return [];
  if (type.startsWith('numeric')) return 0;
  if (type.endsWith('int')) return 1;
  return type === 'char(3)' ? 'EUR' : (LABELS.get(type) ?? 'x');
}

const sampleOf = (columns: Columns): object =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, sample(field, column)]));

/** Calls the commit function with one row of each list, and rolls back. */
async function commitOne(names: readonly RowList[], before = ''): Promise<unknown> {
  const lists = ROW_LISTS.map((name) =>
    names.includes(name) ? JSON.stringify([sampleOf(columnsOf(LISTS[name]))]) : null,
  );
  const counts = Object.fromEntries(names.map((name) => [name, 1]));
  await admin.query('begin');
  try {
    await admin.query(before);
    return (await admin.query(COMMIT, ['a', JSON.stringify(counts), ...lists])).rows[0]?.answer;
  } finally {
    await admin.query('rollback');
  }
}

t.test('every row of each list is written, or none', async (t) => {
  const swallow = (table: string) => `
    create function public.swallow() returns trigger language plpgsql as 'begin return null; end';
    create trigger swallow before insert or update on ${table} for each row execute function public.swallow()`;
  for (const name of ROW_LISTS) {
    const list = LISTS[name];
    if (name === 'fences') continue;
    t.same(await commitOne([name]), {}, name);
    const broken = commitOne([name], swallow(list.table.name));
    if (!('mayBeFewer' in list))
      await t.rejects(broken, { code: 'IK004', message: `0 of 1 rows of ${name} were written` }, name);
    else if (name === 'guests') await t.rejects(broken, { code: 'IK003' });
    else t.same(await broken, {}, `${name}: ${list.mayBeFewer}`);
  }
  await t.rejects(commitOne(['fences']), { code: 'IK001', detail: '[{"p": "x", "t": "a"}]' });
  await t.rejects(commitOne(['guests'], swallow('guest_keys')), { code: 'IK004', message: /0 of 1 keys of guests/ });
});

t.test('a list without its count is refused', async (t) => {
  const lists = ROW_LISTS.map((name) =>
    name === 'books' ? JSON.stringify([sampleOf(columnsOf(LISTS.books))]) : null,
  );
  await t.rejects(admin.query(COMMIT, ['a', '{}', ...lists]), { code: 'IK004' });
});

t.test(
  'the function of the release before stands beside this one, under the same owner and for the same role',
  async (t) => {
    const { rows } = await admin.query(
      `select proname as name, proowner::regrole::text as owner, prosecdef as definer, proconfig::text as settings,
       array(select grantee::regrole::text from aclexplode(proacl) where grantee <> proowner) as callers
     from pg_proc where proname in ('commit_batch_v2', $1) order by 1`,
      [COMMIT_FUNCTION],
    );
    const [before, now] = rows;
    t.same({ ...now, name: 'commit_batch_v2' }, before);
  },
);

// @ts-expect-error a column of which a room says nothing does not compile
const unsaid: Unsaid<ColumnsOf<'rooms'> & { loyaltyNote: 'text?' }, Room> = {};
t.same(unsaid, {});
