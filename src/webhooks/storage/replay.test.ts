import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { databaseWebhooks } from './webhooks.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const webhooks = databaseWebhooks(database);

const AT = Date.parse('2026-06-01T10:00:00Z');
const by = { tenantId: 'acme', subject: 'u-1', requestId: 'r-1' };
const webhookId = crypto.randomUUID();

/** A property with a row a second. */
async function journal(propertyId: string, rows: number): Promise<void> {
  await admin.query(`insert into property_actor (tenant_id, property_id, epoch, seq) values ('acme', $1, 1, $2)`, [
    propertyId,
    rows,
  ]);
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     select 'acme', $1, n, to_timestamp($3::float8 / 1000) + n * interval '1 second', 'TICK', 's', 'r', 'e', '{}', 'h'
     from generate_series(1, $2::int) as n`,
    [propertyId, rows, AT],
  );
}

/** A cursor that has sent as many rows, and as many events of the next one. */
const stands = (propertyId: string, seq: number, part = 0, snapshot = false) =>
  admin.query(
    `insert into subscription_cursors (tenant_id, subscription_id, property_id, seq, part, snapshot)
     values ('acme', $1, $2, $3, $4, $5)
     on conflict (tenant_id, subscription_id, property_id) do update
     set seq = excluded.seq, part = excluded.part, snapshot = excluded.snapshot, epoch = 1`,
    [webhookId, propertyId, seq, part, snapshot],
  );

async function cursorOf(propertyId: string): Promise<object | undefined> {
  const { rows } = await admin.query<object>(
    `select seq::int, part, snapshot, epoch from subscription_cursors where subscription_id = $1 and property_id = $2`,
    [webhookId, propertyId],
  );
  return rows[0];
}

for (const name of ['anchor', 'harbor']) await journal(name, 10);
await webhooks.create(by, {
  webhookId,
  url: 'https://hooks.example.com/',
  topics: ['reservation.created'],
  secret: 'sealed',
  snapshot: false,
});
const replay = async (from: Parameters<typeof webhooks.replay>[2]) =>
  (await webhooks.replay(by, webhookId, from)).result;
const anchor = { propertyId: 'anchor' };

t.test('a replay goes back to a row or a moment, under a new fence', async (t) => {
  await stands('anchor', 8, 2);
  t.same(await replay({ ...anchor, seq: 4 }), [{ ...anchor, seq: 4 }]);
  t.same(await cursorOf('anchor'), { seq: 3, part: 0, snapshot: false, epoch: 2 });
  await stands('anchor', 8, 2);
  await stands('harbor', 10);
  const since = AT + 6_000;
  t.same(await replay({ since }), [
    { ...anchor, seq: 6 },
    { propertyId: 'harbor', seq: 6 },
  ]);
  t.same(await cursorOf('harbor'), { seq: 5, part: 0, snapshot: false, epoch: 2 });
  await stands('anchor', 8, 2);
  t.same(await replay({ ...anchor, seq: 9 }), [{ ...anchor, seq: 9 }], 'a row that was sent in part, from its start');
  t.same(await cursorOf('anchor'), { seq: 8, part: 0, snapshot: false, epoch: 2 });
});

t.test('a point ahead of what was sent leaves out nothing that waits', async (t) => {
  const waits = { seq: 4, part: 1, snapshot: false, epoch: 1 };
  for (const from of [
    { ...anchor, seq: 8 },
    { ...anchor, seq: 1_000_000 },
    { since: AT + 8_000 },
    { since: AT + 1e12 },
  ]) {
    await stands('anchor', 4, 1);
    t.match(await replay(from), [{ ...anchor, seq: 5 }], 'the answer says from where it goes on');
    t.same(await cursorOf('anchor'), waits, JSON.stringify(from));
  }
});

t.test('a property that nothing was sent of yet begins with its first row', async (t) => {
  await journal('new', 3);
  for (const from of [{ propertyId: 'new', seq: 3 }, { since: AT + 1e12 }]) {
    t.match((await replay(from)).at(-1), { propertyId: 'new', seq: 1 });
    t.equal(await cursorOf('new'), undefined);
  }
});

t.test('a snapshot that was not sent yet still comes', async (t) => {
  await stands('anchor', 10, 0, true);
  t.same(await replay({ ...anchor, seq: 2 }), [{ ...anchor, seq: 11 }]);
  t.match(await cursorOf('anchor'), { seq: 10, snapshot: true, epoch: 1 });
});

t.test('what the webhook does not have is refused', async (t) => {
  await t.rejects(replay({ propertyId: 'nowhere', seq: 1 }), { code: 'PROPERTY_NOT_FOUND' });
  const nobodys = webhooks.replay({ ...by, tenantId: 'rival' }, webhookId, { since: AT });
  await t.rejects(nobodys, { code: 'WEBHOOK_NOT_FOUND' });
});
