import type { Client } from 'pg';
import t from 'tap';

import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import { connect } from '../../platform/database/connection.ts';
import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { WHOLE } from '../../testing/cluster/whole-partition.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { Relay } from '../jobs/relay.ts';
import { AvroCodec } from '../partners/avro-codec.ts';
import { CommittedSchemas } from '../partners/committed-schemas.ts';
import { type EventSender, NotSent, type OutgoingRecord } from '../ports.ts';
import { databaseOutbox } from '../storage/outbox.ts';
import { relayEvents } from './relay-events.ts';

const { admin, url } = await withTestDatabase(t);
const system: Client = await connect(url, 'innkeeper_system');
t.teardown(() => system.end());

const GOOD = { cells: [['STD', 20_000, 10, 1, 0, 0, 9, null]] };
/** Rows that throw, or have a fact unknown to this build, each the second of three of its property. */
const POISON: Record<string, { facts?: unknown; type?: string; at?: string; why: RegExp }> = {
  'no-facts': { facts: null, why: /cannot be read: TypeError/ },
  'bookings-no-list': { facts: { bookings: 7 }, why: /cannot be read: TypeError/ },
  'cells-of-nothing': { facts: { cells: [null] }, why: /cannot be read: TypeError/ },
  'no-day': { facts: { cells: [['STD', 'soon', 1, 0, 0, 0, 1, null]] }, why: /RangeError|Failed to serialize/ },
  'no-room-type': { facts: { cells: [[7, 20_000, 1, 0, 0, 0, 1, null]] }, why: /Failed to serialize event/ },
  'no-moment': { at: 'infinity', why: /Failed to serialize event/ },
  'unknown-event': {
    facts: { bookings: [['UPGRADED', null, 'c', 'g', 'STD', 1, 2, 1, 1, 0, 'CONFIRMED']] },
    why: /does not know the booking event "UPGRADED"/,
  },
  'inherited-event': {
    facts: { bookings: [['toString', null, 'c', 'g', 'STD', 1, 2, 1, 1, 0, 'CONFIRMED']] },
    why: /booking event "toString"/,
  },
  'unknown-fact': { facts: { loyalty: [1] }, why: /does not know the kind of fact "loyalty"/ },
  'unknown-setup': { facts: { setup: [{ kind: 'spa', id: 's', after: {} }] }, why: /kind of set-up "spa"/ },
  'unknown-move': { facts: { cells: [['STD', 1, 1, 0, 0, 0, 1, null, 'sold']] }, why: /change of a night "sold"/ },
  'unknown-command': { type: 'OPEN_SPA', why: /does not know the command "OPEN_SPA"/ },
};

const PUT = `
  insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
  values ($1, $2, $3, $4::timestamptz, $5, 's', 'r', 'e', $6, '')`;

async function put(to: Address, seq: number, facts: unknown = GOOD, type = 'TICK', at = 'now'): Promise<void> {
  await admin.query(PUT, [to.tenantId, to.propertyId, seq, at, type, JSON.stringify(facts)]);
  await admin.query(
    `insert into property_actor (tenant_id, property_id, seq) values ($1, $2, $3)
     on conflict (tenant_id, property_id) do update set seq = excluded.seq`,
    [to.tenantId, to.propertyId, seq],
  );
}

const cursor = async ({ tenantId, propertyId }: Address): Promise<number> =>
  (
    await admin.query<{ seq: string }>('select seq from relay_cursor where tenant_id = $1 and property_id = $2', [
      tenantId,
      propertyId,
    ])
  ).rows.map(({ seq }) => Number(seq))[0] ?? 0;

class Topics implements EventSender {
  readonly records: OutgoingRecord[] = [];
  away = false;

  async send(records: readonly OutgoingRecord[]): Promise<void> {
    if (this.away) throw new NotSent('no broker', true);
    this.records.push(...records);
  }

  seqs(to: Address): number[] {
    return this.records.filter(({ key }) => key === addressKey(to)).map(({ headers }) => Number(headers['seq']));
  }
}

/** Parts of a node, on a database of the test. */
function node(client: Client = system) {
  const sender = new Topics();
  const rounds = new RoundRegistry();
  const logged: Record<string, unknown>[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (facts: object) => void logged.push({ ...facts }),
  };
  const queue = databaseOutbox(async () => client, WHOLE);
  const codec = new AvroCodec(new CommittedSchemas());
  const relay = new Relay({
    relay: (of) => relayEvents({ queue, codec, sender }, of),
    behind: (limit) => queue.behind(limit),
    mayWork: () => true,
    now: Date.now,
    log,
    rounds,
    stoppedForMs: 100,
  });
  t.teardown(() => relay[Symbol.asyncDispose]());
  return { sender, rounds, relay, logged, queue, codec };
}

const bad = (propertyId: string): Address => ({ tenantId: 'acme', propertyId });
const others = [
  { tenantId: 'aaa', propertyId: 'first' },
  { tenantId: 'acme', propertyId: 'zz-last' },
  { tenantId: 'zzz', propertyId: 'last' },
];

void t.test('a bad row of each kind stops its property, by name, and no other', async (t) => {
  for (const [name, { facts, type, at }] of Object.entries(POISON)) {
    await put(bad(name), 1);
    await put(bad(name), 2, facts, type, at);
    await put(bad(name), 3);
  }
  for (const to of others) for (const seq of [1, 2, 3]) await put(to, seq);
  const { relay, sender, rounds, logged } = node();
  relay.begin();
  const count = Object.keys(POISON).length;
  await untilTime(() => relay.figures.stopped === count, 'every bad property stopped');
  await untilTime(() => others.every((to) => sender.seqs(to).length === 3), 'all of the others');
  const { status, details } = await relay.health.check();
  t.equal(status, 'OUT_OF_SERVICE');
  const stopped = (details as { stopped: { propertyId: string; seq: number; why: string }[] }).stopped;
  for (const [name, { why }] of Object.entries(POISON)) {
    const one = stopped.find(({ propertyId }) => propertyId === name);
    t.match(one, { tenantId: 'acme', seq: 2, why }, name);
    t.same(sender.seqs(bad(name)), [1], `${name}: what comes before is sent, and nothing is passed over`);
    t.equal(await cursor(bad(name)), 1);
    t.ok(logged.some(({ property }) => property === addressKey(bad(name))));
  }
  const [round] = rounds.figures();
  t.match(round, { name: 'relay', hasRun: true });
  t.ok(round!.failures >= count);
  t.same(
    round!.failedItems?.toSorted(),
    Object.keys(POISON)
      .map((name) => `acme/${name}`)
      .toSorted(),
  );
  await put(others[1]!, 4);
  relay.committed(others[1]!);
  await untilTime(() => sender.seqs(others[1]!).length === 4, 'the others go on');
  t.equal(relay.figures.stopped, count, 'one that is tried again is stopped until it goes through');
});

void t.test('a build that knows the name goes on where the old one stopped: nothing is lost', async (t) => {
  const { relay, sender } = node();
  await admin.query(
    `update journal set facts = $1, type = 'TICK' where tenant_id = 'acme' and seq = 2 and at < 'infinity'`,
    [JSON.stringify(GOOD)],
  );
  await admin.query(`update journal set at = now() where tenant_id = 'acme' and seq = 2 and at = 'infinity'`);
  relay.begin();
  await untilTime(() => Object.keys(POISON).every((name) => sender.seqs(bad(name)).length === 2), 'what had stopped');
  for (const name of Object.keys(POISON)) t.same(sender.seqs(bad(name)), [2, 3], name);
  t.equal(relay.figures.stopped, 0);
});

void t.test('rows that the database itself cannot read stop their property', async (t) => {
  const torn = bad('torn');
  await put(torn, 1);
  await put(others[0]!, 4);
  const broken = new Proxy(system, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name) as unknown;
      return async (question: { name?: string; values?: unknown[] }) => {
        if (question.name === 'relay-untold' && JSON.stringify(question.values).includes('torn'))
          throw Object.assign(new Error('invalid page in block 7'), { code: 'XX001' });
        return target.query(question as never);
      };
    },
  });
  const { relay, sender } = node(broken);
  relay.begin();
  await untilTime(() => sender.seqs(others[0]!).includes(4), 'the other');
  await untilTime(() => relay.figures.stopped === 1, 'the bad one');
  t.match((await relay.health.check()).details, {
    stopped: [{ ...torn, seq: 1, why: 'the database cannot read its rows (XX001)' }],
  });
});

void t.test('without broker or database no property is stopped: all of them wait', async (t) => {
  const { queue, codec, sender } = node();
  const to = bad('waits');
  await put(to, 1);
  sender.away = true;
  await t.rejects(relayEvents({ queue, codec, sender }, [to]), { message: 'no broker' });
  const gone = databaseOutbox(
    () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    WHOLE,
  );
  await t.rejects(relayEvents({ queue: gone, codec, sender }, [to]), { code: 'ECONNREFUSED' });
  t.equal(await cursor(to), 0);
});
