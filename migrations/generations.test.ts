import t from 'tap';

import { connect } from '../src/platform/database/connection.ts';
import { withTestDatabase } from '../src/testing/database.ts';

const { admin, url } = await withTestDatabase(t);
const system = await connect(url, 'innkeeper_system');
const app = await connect(url, 'innkeeper_app');
t.teardown(() => Promise.all([system.end(), app.end()]));

const take = (tenantId: string, propertyId: string) =>
  app.query(`select epoch, generation from take_property_v1($1, $2, 'node')`, [tenantId, propertyId]);
const rewind = (above = 0) => system.query('select * from system.rewind_generations_v1($1)', [above]);

t.test('a database without properties is rewound too', async (t) => {
  t.same((await rewind()).rows, [{ properties: 0, generation: 2 }]);
});

t.test('properties of all tenants go on in the same new generation, under the next epoch', async (t) => {
  for (const tenant of ['a', 'b']) for (const property of ['one', 'two']) await take(tenant, property);
  t.same((await rewind()).rows, [{ properties: 4, generation: 3 }]);
  const { rows } = await admin.query('select distinct generation, epoch::int from property_actor');
  t.same(rows, [{ generation: 3, epoch: 2 }]);
});

t.test('a property that is created later begins in the newest generation', async (t) => {
  t.same((await take('c', 'new')).rows, [{ epoch: 1, generation: 3 }]);
  t.same((await take('a', 'one')).rows, [{ epoch: 3, generation: 3 }], 'and taking one changes nothing');
});

t.test('a generation that is known from elsewhere is left behind', async (t) => {
  t.same((await rewind(7)).rows, [{ properties: 5, generation: 8 }]);
  t.same((await rewind(7)).rows, [{ properties: 5, generation: 9 }]);
});

t.test('nothing is rewound under a node that runs', async (t) => {
  const lease = (ms: number) =>
    admin.query(
      `insert into system.cluster_node (node_id, lease_until, lock_key)
       values ('n1', clock_timestamp() + $1 * interval '1 millisecond', 1)
       on conflict (node_id) do update set lease_until = excluded.lease_until`,
      [ms],
    );
  await lease(5_000);
  await t.rejects(rewind(), { code: 'IK005', message: /node n1 runs on this database: stop all nodes/ });
  await lease(-1);
  t.same((await rewind()).rows, [{ properties: 5, generation: 10 }]);
});

t.test('channels are asked what they have, and other subscriptions go on', async (t) => {
  const ids = { CHANNEL: '0192f1f0-0000-7000-8000-000000000001', WEBHOOK: '0192f1f0-0000-7000-8000-000000000002' };
  await admin.query(`insert into tenants (tenant_id, name, type) values ('a', 'A', 'CHAIN')`);
  await admin.query(
    `insert into properties (tenant_id, property_id, name, property_type, metadata) values ('a', 'one', 'A', 'HOTEL', '{}')`,
  );
  for (const [kind, id] of Object.entries(ids)) {
    await admin.query(`insert into subscriptions (tenant_id, id, kind, property_ids) values ('a', $1, $2, '{one}')`, [
      id,
      kind,
    ]);
    await admin.query(
      `insert into subscription_cursors (tenant_id, subscription_id, property_id, seq) values ('a', $1, 'one', 0)`,
      [id],
    );
  }
  await admin.query(
    `insert into channels (tenant_id, id, property_id, channel_code, name, adapter, url, availability_sync,
       rate_sync_enabled, stop_sell_on_failure, audited_day)
     values ('a', $1, 'one', 'C', 'C', 'generic-json', 'https://c.example.com', true, true, false, '2026-06-01')`,
    [ids.CHANNEL],
  );
  await rewind();
  t.same((await admin.query('select audited_day from channels')).rows, [{ audited_day: null }]);
  const { rows } = await admin.query('select subscription_id as id, snapshot from subscription_cursors order by id');
  t.same(rows, [
    { id: ids.CHANNEL, snapshot: true },
    { id: ids.WEBHOOK, snapshot: false },
  ]);
});

t.test(
  'what was seen and is not there ends a generation; a property that is not there begins in the next',
  async (t) => {
    await take('d', 'one');
    await take('d', 'two');
    await admin.query(`update property_actor set seq = 4, head_hash = 'h4' where tenant_id = 'd'`);
    await admin.query(
      `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     select 'd', p, n, now(), 'TICK', 's', 'r', 'e', '{}', 'h' || n from unnest('{one,two}'::text[]) as p, generate_series(1, 4) as n`,
    );
    const [{ current }] = (await admin.query('select current from system.generation')).rows;
    const seen = (p: string, seq: number, head: string) => ({ t: 'd', p, g: current, seq, head });
    const lost = async (...of: object[]) =>
      (await app.query(`select p, stored::int, generation from rewind_lost_v1('d', $1)`, [JSON.stringify(of)])).rows;
    t.same(await lost(seen('one', 4, 'h4'), seen('two', 3, 'h3')), [], 'all is there');
    t.same(await lost(seen('one', 4, 'h4'), seen('two', 5, 'h5'), seen('gone', 9, 'h9')), [
      { p: 'gone', stored: 0, generation: current + 1 },
      { p: 'two', stored: 4, generation: current + 1 },
    ]);
    const { rows } = await admin.query(
      `select property_id as p, generation, last_seq::int as last from property_generations where tenant_id = 'd'`,
    );
    t.same(rows, [{ p: 'two', generation: current, last: 4 }]);
    t.match((await take('d', 'one')).rows, [{ generation: current }]);
    t.match((await take('d', 'two')).rows, [{ generation: current + 1 }]);
    t.match((await take('d', 'gone')).rows, [{ generation: current + 1 }]);
    t.same(await lost(seen('two', 5, 'h5')), [], 'once is enough');
  },
);

t.test('the application may not rewind', async (t) => {
  await t.rejects(app.query('select system.rewind_generations_v1()'), { code: '42501' });
  await t.rejects(app.query(`select system.rewind_tenants_v1('a', 0)`), { code: '42501' });
});
