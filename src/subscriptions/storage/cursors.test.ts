import type { Client } from 'pg';
import t from 'tap';

import type { BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { connect } from '../../platform/database/connection.ts';
import { withTestDatabase } from '../../testing/database.ts';
import type { CursorAddress, LeasedCursor } from '../ports.ts';
import { databaseCursors } from './cursors.ts';

const { admin, url } = await withTestDatabase(t);
const system: Client = await connect(url, 'innkeeper_system');
t.teardown(() => system.end());

const AT = Date.parse('2026-06-01T10:00:00Z');
const cursorsOf = (nodeId: string, takes: BackgroundPartition['takes'] = () => true) =>
  databaseCursors(async () => system, { nodeId, takes });
const cursors = cursorsOf('me');

async function journal(tenantId: string, propertyId: string, rows: number, owner?: string): Promise<Address> {
  await admin.query(
    `insert into property_actor (tenant_id, property_id, epoch, seq, owner_node) values ($1, $2, 1, $3, $4)`,
    [tenantId, propertyId, rows, owner],
  );
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     select $1, $2, n, to_timestamp($4::float8 / 1000) + n * interval '1 second', 'TICK', 's', 'r', 'e', '{}', 'h'
     from generate_series(1, $3::int) as n`,
    [tenantId, propertyId, rows, AT],
  );
  return { tenantId, propertyId };
}

async function subscribed(tenantId: string, propertyIds?: string[]): Promise<string> {
  const id = crypto.randomUUID();
  await admin.query(`insert into subscriptions (tenant_id, id, kind, property_ids) values ($1, $2, 'WEBHOOK', $3)`, [
    tenantId,
    id,
    propertyIds,
  ]);
  return id;
}

async function lives(nodeId: string, seconds: number): Promise<void> {
  await admin.query(
    `insert into system.cluster_node (node_id, lease_until, lock_key)
     values ($1, clock_timestamp() + $2 * interval '1 second', hashtext($1))
     on conflict (node_id) do update set lease_until = excluded.lease_until`,
    [nodeId, seconds],
  );
}

const of = (to: Address, subscriptionId: string): CursorAddress => ({ ...to, subscriptionId });
const idsOf = (all: CursorAddress[]): string[] => all.map(({ propertyId }) => propertyId).toSorted();

await lives('me', 600);
await lives('other', 600);

t.test('cursors with something to send are found where this node is to send it', async (t) => {
  const mine = await journal('acme', 'mine', 3, 'me');
  const free = await journal('acme', 'free', 2);
  await journal('acme', 'taken', 2, 'other');
  await journal('acme', 'copy--sandbox-1', 2);
  await journal('rival', 'mine', 5);
  const id = await subscribed('acme');
  t.match(await cursors.active(10), [{ tenantId: 'acme', subscriptionId: id, kind: 'WEBHOOK' }]);
  t.same(idsOf(await cursors.due(10)), ['free', 'mine'], 'of its tenant, of nobody else, of no sandbox');
  t.same(idsOf(await cursorsOf('me', () => false).due(10)), ['mine']);
  t.same(await cursors.due(1), [of(mine, id)], 'its own come first');
  t.match(await cursors.lag(), { cursors: 3, rows: 7, failing: 0, oldest: AT + 1_000 });
  const [cursor] = await cursors.claim([of(free, id)]);
  t.match(cursor, { of: of(free, id), epoch: 1, seq: 0, part: 0, snapshot: false, attempts: 0 });
  await cursors.move([{ cursor: cursor!, to: { seq: 2, part: 0 } }]);
  t.same(idsOf(await cursors.due(10)), ['mine']);
  await admin.query(`update subscriptions set property_ids = '{free}' where id = $1`, [id]);
  t.same(await cursors.due(10), []);
  await admin.query(`update subscriptions set property_ids = null, status = 'PAUSED' where id = $1`, [id]);
  t.same(await cursors.due(10), []);
  t.same(await cursors.claim([of(mine, id)]), [], 'nothing of a paused one is sent');
  t.match(await cursors.lag(), { cursors: 0, rows: 0 });
});

t.test('one node has a cursor; a move by a node that has lost it changes nothing', async (t) => {
  const to = await journal('fence', 'anchor', 9);
  const id = await subscribed('fence');
  const one = of(to, id);
  const theirs = cursorsOf('other');
  const [mine] = await cursors.claim([one]);
  t.same(await theirs.claim([one]), [], 'it is leased to a node that lives');
  t.match(await cursors.claim([one]), [{ epoch: mine!.epoch }], 'a claim that is repeated changes nothing');
  await lives('me', -1);
  const [taken] = await theirs.claim([one]);
  t.equal(taken!.epoch, mine!.epoch + 1, 'the node that had it is gone');
  t.same(await cursors.move([{ cursor: mine!, to: { seq: 4, part: 0 } }]), [], 'a late move by it');
  await lives('me', 600);
  t.same(await cursors.claim([one]), []);
  const moved = await theirs.move([{ cursor: taken!, to: { seq: 2, part: 1 } }]);
  t.match(moved, [{ failingSeconds: undefined }]);
  t.same(await theirs.move([{ cursor: taken!, to: { seq: 3, part: 0 } }]), [], 'the same from where it was before');
  const [again] = await cursors.claim([one]);
  t.match(again, { seq: 2, part: 1, epoch: taken!.epoch + 1 }, 'a move ends the lease');
  await admin.query(`update property_actor set owner_node = 'other' where tenant_id = 'fence'`);
  t.same(await cursors.claim([one]), [], 'nor of a property that another living node owns');
});

t.test('failures are counted and rest; what was sent before one is progress', async (t) => {
  const to = await journal('retry', 'anchor', 9);
  const id = await subscribed('retry');
  const claimed = async (): Promise<LeasedCursor> => (await cursors.claim([of(to, id)]))[0]!;
  const failure = { failure: 'it answers 500', pauseMs: 60_000 };
  const due = () =>
    admin.query(`update subscription_cursors set retry_at = app_now() where subscription_id = $1`, [id]);
  const [first] = await cursors.move([{ cursor: await claimed(), to: { seq: 0, part: 0 }, ...failure }]);
  t.ok(first!.failingSeconds! >= 0);
  t.same(await cursors.claim([of(to, id)]), [], 'its time has not come');
  t.notOk((await cursors.due(100)).some(({ subscriptionId }) => subscriptionId === id));
  t.match(await cursors.lag(), { failing: 1 });
  await due();
  await admin.query(`update subscription_cursors set failing_since = app_now() - interval '3 days'`);
  const cursor = await claimed();
  t.equal(cursor.attempts, 1);
  const [second] = await cursors.move([{ cursor, to: cursor, ...failure }]);
  t.ok(second!.failingSeconds! >= 3 * 86_400, 'since the first failure');
  await due();
  const third = await claimed();
  t.equal(third.attempts, 2);
  await cursors.move([{ cursor: third, to: { seq: 3, part: 0 }, ...failure }]);
  await due();
  t.match(await claimed(), { seq: 3, attempts: 1 }, 'others were taken before it');
  const { rows } = await admin.query(
    `select extract(epoch from app_now() - failing_since)::int < 60 as fresh
    from subscription_cursors where subscription_id = $1`,
    [id],
  );
  t.same(rows, [{ fresh: true }]);
  await cursors.move([{ cursor: await claimed(), to: { seq: 9, part: 0 } }]);
  t.match(await claimed(), { seq: 9, attempts: 0 });
});

t.test('pages are bounded, and have whole commits within them', async (t) => {
  const long = [await journal('pages', 'a', 700), await journal('pages', 'b', 900), await journal('pages', 'c', 3)];
  const id = await subscribed('pages');
  const claimed = await cursors.claim(long.map((to) => of(to, id)));
  const pages = await cursors.pages(claimed, () => true);
  t.same(
    pages.map(({ cursor, newest, rows }) => [cursor.of.propertyId, newest, rows.length]),
    [
      ['a', 700, 256],
      ['b', 900, 256],
      ['c', 3, 3],
    ],
  );
  t.match(pages[2]!.rows[0], { seq: 1, type: 'TICK', generation: 1, facts: {} });
});
