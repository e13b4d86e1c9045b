import t from 'tap';

import { connect } from '../src/platform/database/connection.ts';
import { withTestDatabase } from '../src/testing/database.ts';

const { admin, url } = await withTestDatabase(t);

const key = (tenant: string, property: string): string => `${tenant} ${property}`;

async function versions(): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ t: string; p: string; v: string }>(
    'select tenant_id as t, property_id as p, version as v from rate_version',
  );
  return Object.fromEntries(rows.map(({ t: tenant, p, v }) => [key(tenant, p), Number(v)]));
}

/** The properties whose version some work raised. */
async function raisedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = await versions();
  await work();
  const after = Object.entries(await versions());
  return after.flatMap(([name, version]) => (version === before[name] ? [] : [name])).sort();
}

/** Nights from the first of 2030 on in a row, for each of `places` (`tenant property`). */
const insert = (places: string[], nights = 3) =>
  admin.query(
    `insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency)
     select split_part(place, ' ', 1), split_part(place, ' ', 2), 'STD', date '2030-01-01' + n, 100, 'EUR'
     from unnest($1::text[]) as place, generate_series(0, $2::int - 1) as n
     on conflict (tenant_id, property_id, room_type, rate_date) do update set rate = excluded.rate`,
    [places, nights],
  );
const change = (sql: string) => () => admin.query(sql);
const where = `where tenant_id = 'a' and property_id`;

t.test('a foreign change of base rates raises the version of what it touched, and of nothing else', async (t) => {
  t.same(await raisedBy(() => insert(['a one', 'a two', 'b one'])), ['a one', 'a two', 'b one']);
  t.same(await raisedBy(() => insert(['a two'])), ['a two'], 'by rows that are there already, too');
  t.same(await raisedBy(change(`update base_rates set rate = 90 ${where} = 'one'`)), ['a one']);
  t.same(await raisedBy(change(`update base_rates set rate = 90 ${where} = 'nowhere'`)), []);
  t.same(await raisedBy(change(`delete from base_rates ${where} = 'two' and rate_date = '2030-01-02'`)), ['a two']);
  t.same(
    await raisedBy(change(`update base_rates set property_id = 'three' ${where} = 'one'`)),
    ['a one', 'a three'],
    'a row that moves concerns both',
  );
});

t.test('so does one of rate plans', async (t) => {
  const plan = `insert into rates (tenant_id, id, property_id, code, name) values ('a', gen_random_uuid(), 'one', 'X', 'X')`;
  t.same(await raisedBy(change(plan)), ['a one']);
  t.same(await raisedBy(change(`update rates set status = 'INACTIVE' where code = 'X'`)), ['a one']);
  t.same(await raisedBy(change(`update rates set tenant_id = 'b' where code = 'X'`)), ['a one', 'b one']);
  t.same(await raisedBy(change(`delete from rates where code = 'X'`)), ['b one']);
});

t.test('who sees the version sees the rows: a change that is rolled back raises nothing', async (t) => {
  t.same(await raisedBy(change(`begin; update base_rates set rate = 1 ${where} = 'two'; rollback`)), []);
});

t.test('a session that switches triggers off is noticed all the same, and nothing is truncated', async (t) => {
  const off = change(
    `set session_replication_role = 'replica'; update base_rates set rate = 80 ${where} = 'two';
     reset session_replication_role`,
  );
  t.same(await raisedBy(off), ['a two']);
  for (const table of ['base_rates', 'rates'])
    await t.rejects(admin.query(`truncate ${table}`), { code: '0A000', message: /deleted, not truncated/ });
});

t.test('the owner of the tables is noticed too, once it lets itself see rows', async (t) => {
  const owner = await connect(url, 'innkeeper_owner');
  t.teardown(() => owner.end());
  await owner.query('alter table base_rates no force row level security');
  t.same(await raisedBy(() => owner.query(`update base_rates set rate = 70 ${where} = 'two'`)), ['a two']);
  await owner.query('alter table base_rates force row level security');
  t.same(await raisedBy(() => owner.query(`update base_rates set rate = 60 ${where} = 'two'`)), []);
});

t.test('what the commit function writes is no foreign change', async (t) => {
  const writer = await connect(url, 'innkeeper_writer');
  t.teardown(() => writer.end());
  const own = async () => {
    await writer.query(`begin; set local innkeeper.batch_tenants = 'a'`);
    const rates = `[{"t": "a", "p": "two", "roomType": "STD", "day": "2030-01-01", "rate": 55, "currency": "EUR",
      "multiplier": 1, "amount": 0, "at": "2030-01-01T00:00:00Z"}]`;
    await writer.query(`select system.write_inventory_v2('{"baseRates": 1}', null, null, $1)`, [rates]);
    await writer.query('commit');
  };
  t.same(await raisedBy(own), []);
  const { rows } = await admin.query(`select rate from base_rates ${where} = 'two' and rate_date = '2030-01-01'`);
  t.same(rows, [{ rate: '55.00' }]);
});

t.test('versions are asked for over many tenants, of those and no others', async (t) => {
  const app = await connect(url, 'innkeeper_app');
  t.teardown(() => app.end());
  await admin.query(`insert into property_actor (tenant_id, property_id, epoch)
    values ('a', 'two', 3), ('b', 'one', 4), ('a', 'untouched', 5)`);
  const ask = async (tenants: string, wanted: unknown) =>
    (await app.query('select n, version, epoch from rate_versions_v1($1, $2) order by n', [tenants, wanted])).rows;
  const wanted = JSON.stringify(
    ['a two', 'b one', 'a untouched', 'a nobody'].map((name, n) => ({
      n,
      t: name.split(' ')[0],
      p: name.split(' ')[1],
    })),
  );
  const { 'a two': first, 'b one': second } = await versions();
  const answers = [
    { n: 0, version: first, epoch: 3 },
    { n: 1, version: second, epoch: 4 },
    { n: 2, version: 0, epoch: 5 },
  ];
  t.same(await ask('a,b', wanted), answers);
  t.same(await ask('a', wanted), [answers[0], answers[2]]);
  await t.rejects(app.query(`update rate_version set version = 0`), { code: '42501' });
  await t.rejects(app.query(`select system.raise_rate_versions_v1('[]')`), { code: '42501' });
});
