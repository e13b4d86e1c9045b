import type { Client } from 'pg';
import t, { type Test } from 'tap';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { connect } from '../../platform/database/connection.ts';
import { withTestDatabase } from '../../testing/database.ts';
import type { CursorPage, SendResult, SubscriptionSender } from '../ports.ts';
import { databaseCursors } from '../storage/cursors.ts';
import { ReceiverPauses } from './receiver-pauses.ts';
import { SubscriptionRunner } from './subscription-runner.ts';

const { admin, url } = await withTestDatabase(t);
const NODES = ['one', 'two'] as const;
type Node = (typeof NODES)[number];

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (await condition()) return;
    await new Promise((later) => setTimeout(later, 10));
  }
  throw new Error(`${what}: it did not come to that`);
}

async function lives(nodeId: string, seconds = 600): Promise<void> {
  await admin.query(
    `insert into system.cluster_node (node_id, lease_until, lock_key)
     values ($1, clock_timestamp() + $2 * interval '1 second', hashtext($1))
     on conflict (node_id) do update set lease_until = excluded.lease_until`,
    [nodeId, seconds],
  );
}

/** Appends rows to the journal of a property, as commits do. */
async function commit(tenantId: string, propertyId: string, rows: number, owner: string = 'one'): Promise<number> {
  const { rows: moved } = await admin.query<{ seq: number }>(
    `insert into property_actor as a (tenant_id, property_id, epoch, seq, owner_node) values ($1, $2, 1, $3, $4)
     on conflict (tenant_id, property_id) do update set seq = a.seq + excluded.seq returning seq::int`,
    [tenantId, propertyId, rows, owner],
  );
  const { seq } = moved[0]!;
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     select $1, $2, n, now(), 'TICK', 's', 'r', 'e', '{}', 'h' from generate_series($3::int, $4::int) as n`,
    [tenantId, propertyId, seq - rows + 1, seq],
  );
  return seq;
}

async function subscribed(tenantId: string): Promise<string> {
  const id = crypto.randomUUID();
  await admin.query(`insert into subscriptions (tenant_id, id, kind) values ($1, $2, 'WEBHOOK')`, [tenantId, id]);
  return id;
}

/** A runner of a node with a sender that the test decides about. */
async function runner(t: Test, nodeId: Node, sender: SubscriptionSender, mayWork = () => true) {
  const system: Client = await connect(url, 'innkeeper_system');
  const logged: string[] = [];
  const say = (_: unknown, message: string): void => void logged.push(message);
  const made = new SubscriptionRunner({
    cursors: databaseCursors(async () => system, { nodeId, takes: () => true }),
    senders: { WEBHOOK: sender, CHANNEL: sender },
    mayWork,
    now: () => Date.now(),
    log: { debug: say, info: say, warn: say, error: say },
    draw: () => 0,
  });
  t.teardown(async () => {
    await made[Symbol.asyncDispose]();
    await system.end();
  });
  made.begin();
  return { runner: made, logged };
}

const never = async (): Promise<void> => undefined;
/** Takes a row after the other, and says what became of each. */
const rowByRow =
  (take: (page: CursorPage, seq: number) => Promise<string | undefined>) =>
  async (page: CursorPage, mayGoOn: () => boolean): Promise<SendResult> => {
    let to = { seq: page.cursor.seq, part: 0 };
    for (const { seq } of page.rows) {
      if (!mayGoOn()) return { to };
      const why = await take(page, seq);
      if (why !== undefined) return { to, failure: { why } };
      to = { seq, part: 0 };
    }
    return { to };
  };

for (const node of NODES) await lives(node);
// Each test has the subscriptions that it makes.
t.beforeEach(async () => void (await admin.query('delete from subscriptions')));

t.test('two nodes between which properties move send every row, the first of each in order', async (t) => {
  const id = await subscribed('moves');
  const properties = ['a', 'b', 'c'];
  const sent = new Map<string, number[]>(properties.map((name) => [name, []]));
  const under = new Map<string, number>();
  let most = 0;
  const sender = (node: Node): SubscriptionSender => ({
    giveUp: never,
    send: rowByRow(async ({ cursor }, seq) => {
      const { propertyId } = cursor.of;
      under.set(propertyId, (under.get(propertyId) ?? 0) + 1);
      most = Math.max(most, under.get(propertyId)!);
      await new Promise((later) => setTimeout(later, (seq % 5) + (node === 'one' ? 1 : 3)));
      under.set(propertyId, under.get(propertyId)! - 1);
      sent.get(propertyId)!.push(seq);
      return undefined;
    }),
  });
  const both = await Promise.all(NODES.map((node) => runner(t, node, sender(node))));
  for (let round = 0; round < 40; round++) {
    for (const propertyId of properties) {
      await commit('moves', propertyId, 1 + (round % 3));
      const owner = NODES[(round + propertyId.charCodeAt(0)) % 2];
      if (round % 4 === 0)
        await admin.query(
          `update property_actor set owner_node = $1 where tenant_id = 'moves' and property_id = $2`,
          [owner, propertyId],
        );
      for (const one of both) one.runner.committed({ tenantId: 'moves', propertyId });
    }
    await new Promise((later) => setTimeout(later, 20));
  }
  const newest = 79;
  await until('all rows', () => properties.every((name) => new Set(sent.get(name)).size === newest));
  for (const name of properties) {
    const first = [...new Set(sent.get(name))];
    t.same(
      first,
      first.toSorted((a, b) => a - b),
      name,
    );
  }
  t.equal(most, 1, 'never twice at a time');
  await until('cursors stand at the end', async () => {
    const { rows } = await admin.query('select from subscription_cursors where subscription_id = $1 and seq = $2', [
      id,
      newest,
    ]);
    return rows.length === 3;
  });
  await until('leases end', async () => {
    const { rows } = await admin.query('select from subscription_cursors where leased_by is not null');
    return rows.length === 0;
  });
});

t.test('what a node had when it died is sent again by another, and nothing is left out', async (t) => {
  await subscribed('dies');
  await commit('dies', 'a', 5);
  const sent: string[] = [];
  let hangs = false;
  const first = await runner(t, 'one', {
    giveUp: never,
    send: rowByRow(async (_, seq) => {
      if (seq === 3) {
        hangs = true;
        await new Promise(() => undefined);
      }
      sent.push(`one ${seq}`);
      return undefined;
    }),
  });
  await until('it hangs', () => hangs);
  t.same(sent, ['one 1', 'one 2']);
  const second: SubscriptionSender = {
    giveUp: never,
    send: rowByRow(async (_, seq) => void sent.push(`two ${seq}`)),
  };
  const other = await runner(t, 'two', second);
  await new Promise((later) => setTimeout(later, 1_200));
  t.equal(sent.length, 2, 'while its node lives nobody else sends');
  await lives('one', -1);
  await until('the other one goes on', () => sent.length === 7);
  t.same(sent.slice(2), ['two 1', 'two 2', 'two 3', 'two 4', 'two 5']);
  await lives('one');
  t.equal(first.logged.length + other.logged.length, 0);
});

t.test('a failing receiver is asked again and again, and given up after three days', async (t) => {
  const id = await subscribed('fails');
  await commit('fails', 'a', 2);
  const given: unknown[] = [];
  let asked = 0;
  const sender: SubscriptionSender = {
    giveUp: async (...all) => void given.push(all),
    send: rowByRow(async (_, seq) => {
      asked += 1;
      return seq === 2 || asked < 3 ? 'it answers 500' : undefined;
    }),
  };
  const { runner: made } = await runner(t, 'one', sender);
  await until('it has failed twice', () => asked >= 2);
  t.same(given, []);
  await until('progress', async () => {
    const { rows } = await admin.query('select seq::int from subscription_cursors where subscription_id = $1', [id]);
    return rows[0]?.seq === 1;
  });
  await admin.query(
    `update subscription_cursors set failing_since = app_now() - interval '3 days', retry_at = null
     where subscription_id = $1`,
    [id],
  );
  made.changed(id);
  await until('it is given up', () => given.length > 0);
  t.match(given[0], [{ tenantId: 'fails', propertyId: 'a', subscriptionId: id }, 'UNDELIVERABLE', 'it answers 500']);
});

t.test('a row that cannot be read stops its property, and no other', async (t) => {
  await subscribed('stops');
  const sent: string[] = [];
  const sender: SubscriptionSender = {
    giveUp: never,
    send: rowByRow(async ({ cursor }, seq) => {
      if (cursor.of.propertyId === 'a') throw new TypeError('no such fact');
      sent.push(`${cursor.of.propertyId} ${seq}`);
      return undefined;
    }),
  };
  for (const name of ['a', 'b']) await commit('stops', name, 2);
  const { runner: made, logged } = await runner(t, 'one', sender);
  await until('the other is sent', () => sent.length === 2);
  await until('it is counted', () => made.figures.stopped === 1);
  t.same(sent, ['b 1', 'b 2']);
  t.same(logged, ['a subscriber cannot be sent a row']);
});

t.test('a database that is away, and a property that moves, stop nothing', async (t) => {
  await subscribed('passes');
  const errors = [new Error('timeout exceeded when trying to connect'), new DomainError('NOT_EXECUTED', 'It moves.')];
  const sent: number[] = [];
  const sender: SubscriptionSender = {
    giveUp: never,
    send: rowByRow(async (_, seq) => {
      const error = errors.shift();
      if (error) throw error;
      sent.push(seq);
      return undefined;
    }),
  };
  await commit('passes', 'a', 1);
  const { runner: made, logged } = await runner(t, 'one', sender);
  await until('it is sent after all', () => sent.length === 1);
  t.equal(made.figures.stopped, 0);
  t.same(logged, Array(2).fill('a subscriber waits for its property'));
});

t.test('a pause without an effect does not end that a receiver fails', async (t) => {
  await subscribed('waits');
  const results: Partial<SendResult>[] = [{ failure: { why: 'it answers 500' } }, { pauseMs: 10 }];
  const sender: SubscriptionSender = {
    giveUp: never,
    send: async ({ cursor }) => ({ to: cursor, ...(results.shift() ?? { failure: { why: 'it answers 501' } }) }),
  };
  await commit('waits', 'a', 1);
  await runner(t, 'one', sender);
  const cursor = async () =>
    (
      await admin.query<{ attempts: number; since: number }>(
        `select attempts, extract(epoch from failing_since)::float8 as since from subscription_cursors
       where tenant_id = 'waits'`,
      )
    ).rows[0];
  await until('it fails', async () => (await cursor())?.attempts === 1);
  const { since } = (await cursor())!;
  await until('it has waited', async () => results.length === 0 && (await cursor())?.attempts === 2);
  t.equal((await cursor())!.since, since, 'since the same moment');
});

t.test('a node without its lease sends nothing', async (t) => {
  await subscribed('lease');
  await commit('lease', 'a', 2);
  let has = false;
  const sent: number[] = [];
  const sender = { giveUp: never, send: rowByRow(async (_, seq) => void sent.push(seq)) };
  await runner(t, 'one', sender, () => has);
  await new Promise((later) => setTimeout(later, 200));
  t.same(sent, []);
  has = true;
  await until('it is sent', () => sent.length === 2);
});

t.test('receivers that do not answer hold up neither other tenants nor each other', async (t) => {
  const slow = new Set([await subscribed('slow'), await subscribed('slow')]);
  for (let n = 0; n < 20; n++) await commit('slow', `p${n}`, 1);
  await subscribed('quick');
  const under = new Map<string, number>();
  const sent: string[] = [];
  const sender: SubscriptionSender = {
    giveUp: never,
    send: rowByRow(async ({ cursor: { of } }) => {
      sent.push(of.tenantId);
      under.set(of.subscriptionId, (under.get(of.subscriptionId) ?? 0) + 1);
      if (slow.has(of.subscriptionId)) await new Promise(() => undefined);
      return undefined;
    }),
  };
  const { runner: made } = await runner(t, 'one', sender);
  await until('they hang', () => sent.filter((tenant) => tenant === 'slow').length === 32);
  await commit('quick', 'a', 1);
  made.committed({ tenantId: 'quick', propertyId: 'a' });
  await until('another is sent', () => sent.includes('quick'));
  t.same(
    [...slow].map((id) => under.get(id)),
    [16, 16],
  );
});

t.test('many receivers that do not answer leave a place for the others of their tenant', async (t) => {
  for (let n = 0; n < 5; n++) await subscribed('many');
  for (let n = 0; n < 20; n++) await commit('many', `p${n}`, 1);
  const sent: string[] = [];
  let quick: string | undefined;
  const sender: SubscriptionSender = {
    giveUp: never,
    send: rowByRow(async ({ cursor: { of } }) => {
      sent.push(of.subscriptionId);
      if (of.subscriptionId !== quick) await new Promise(() => undefined);
      return undefined;
    }),
  };
  const { runner: made } = await runner(t, 'one', sender);
  await until('they hang', () => sent.length >= 64);
  quick = await subscribed('many');
  made.changed(quick);
  await until('all of the other are sent', () => sent.filter((id) => id === quick).length === 20);
  t.ok(sent.length <= 64 + 2 * 5 + 20);
});

t.test('from the third failure on one cursor asks for all', async (t) => {
  let now = 0;
  const pauses = new ReceiverPauses(
    () => now,
    () => 0.5,
  );
  for (const cursor of ['a', 'b']) {
    t.ok(pauses.mayAsk('hook', cursor));
    for (let together = 0; together < 9; together++) pauses.failed('hook');
    now += 2_000;
  }
  t.ok(pauses.mayAsk('hook', 'c'), 'what fails together is one failure');
  pauses.failed('hook');
  t.notOk(pauses.mayAsk('hook', 'a'), 'nobody asks before the pause is over');
  t.ok(pauses.mayAsk('other', 'a'));
  now += 4_000;
  t.ok(pauses.mayAsk('hook', 'a'));
  t.notOk(pauses.mayAsk('hook', 'b'), 'one asks');
  pauses.took('hook');
  t.ok(pauses.mayAsk('hook', 'b'));
});
