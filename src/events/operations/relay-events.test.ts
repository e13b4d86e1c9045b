import t from 'tap';

import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { CellFact } from '../../kernel/rules/journal.ts';
import { AvroCodec } from '../partners/avro-codec.ts';
import { CommittedSchemas } from '../partners/committed-schemas.ts';
import {
  type EventCodec,
  type EventSender,
  NotSent,
  type OutgoingRecord,
  type Outbox,
  type RelayRow,
} from '../ports.ts';
import { EventFailure } from '../rules/event-failure.ts';
import { relayEvents } from './relay-events.ts';

const ANCHOR = { tenantId: 'acme', propertyId: 'anchor' };
const BELL = { tenantId: 'rival', propertyId: 'bell' };

const cell = (n: number): CellFact => ['STD', 20_000 + n, 10, 1, 0, 0, 9, null];

/** A row about the rooms of one night; `nth` is its index in its commit. */
const row = (seq: number, nth = 0, roomType = 'STD'): RelayRow => ({
  seq,
  at: 1_780_000_000_000 + seq,
  type: 'BOOK',
  requestId: `r${seq}`,
  entity: 'e',
  generation: 1,
  facts: { cells: [[roomType, ...cell(seq).slice(1)] as CellFact], ...(nth > 0 && { nth }) },
});

/** Journals in memory, with cursors that move as those of the database do. */
class Journals implements Outbox {
  readonly rows = new Map<string, RelayRow[]>();
  readonly cursors = new Map<string, number>();
  /** Rows of one read. */
  most = 100;

  put(to: Address, ...rows: RelayRow[]): void {
    this.rows.set(addressKey(to), [...(this.rows.get(addressKey(to)) ?? []), ...rows]);
  }

  behind: Outbox['behind'] = async () => [];

  pending: Outbox['pending'] = async (of) =>
    of.flatMap((to) => {
      const all = this.rows.get(addressKey(to)) ?? [];
      const [cursor, newest] = [this.cursors.get(addressKey(to)) ?? 0, all.at(-1)?.seq ?? 0];
      if (newest <= cursor) return [];
      return [{ to, cursor, newest, rows: all.filter(({ seq }) => seq > cursor).slice(0, this.most) }];
    });

  advance: Outbox['advance'] = async (all) =>
    all.filter(({ to, from, published: publishedRows }) => {
      if ((this.cursors.get(addressKey(to)) ?? 0) !== from) return false;
      this.cursors.set(addressKey(to), publishedRows);
      return true;
    });

  cursor(to: Address): number {
    return this.cursors.get(addressKey(to)) ?? 0;
  }
}

class Topics implements EventSender {
  readonly records: OutgoingRecord[] = [];
  before: (records: readonly OutgoingRecord[]) => void = () => {};

  async send(records: readonly OutgoingRecord[]): Promise<void> {
    this.before(records);
    this.records.push(...records);
  }

  /** Numbers of the published rows of a property. */
  seqs(to: Address): number[] {
    return this.records.filter(({ key }) => key === addressKey(to)).map(({ headers }) => Number(headers['seq']));
  }
}

function world(codec: EventCodec = new AvroCodec(new CommittedSchemas())) {
  const [queue, sender] = [new Journals(), new Topics()];
  return { queue, sender, relay: (...of: Address[]) => relayEvents({ queue, codec, sender }, of) };
}

void t.test('rows of several properties are published in order, and noted when the broker has them', async (t) => {
  const { queue, sender, relay } = world();
  queue.put(ANCHOR, row(1), row(2), row(3));
  queue.put(BELL, row(1));
  sender.before = () => t.equal(queue.cursor(ANCHOR), 0, 'not before');
  t.same(await relay(ANCHOR, BELL), { rows: 4, records: 4, stopped: [], unfinished: [] });
  t.same(sender.seqs(ANCHOR), [1, 2, 3]);
  t.same([queue.cursor(ANCHOR), queue.cursor(BELL)], [3, 1]);
  t.match(sender.records[0], {
    topic: 'availability.updated',
    key: 'acme:anchor',
    headers: { tenantId: 'acme', propertyId: 'anchor', seq: '1', generation: '1', requestId: 'r1' },
  });
  t.same(
    await relay(ANCHOR, BELL),
    { rows: 0, records: 0, stopped: [], unfinished: [] },
    'nothing is published twice',
  );
});

void t.test('rows without events are passed over', async (t) => {
  const { queue, sender, relay } = world();
  queue.put(ANCHOR, { ...row(1), facts: {} }, { ...row(2), facts: {} });
  t.match(await relay(ANCHOR), { rows: 2, records: 0 });
  t.same([sender.records.length, queue.cursor(ANCHOR)], [0, 2]);
});

void t.test('records sent before a crash are sent again with the same bytes', async (t) => {
  const { queue, sender, relay } = world();
  queue.put(ANCHOR, row(1), row(2));
  const { advance } = queue;
  queue.advance = async () => {
    throw new Error('crash');
  };
  await t.rejects(relay(ANCHOR), /crash/);
  queue.advance = advance;
  await relay(ANCHOR);
  t.same(sender.seqs(ANCHOR), [1, 2, 1, 2]);
  const [first, second] = [sender.records.slice(0, 2), sender.records.slice(2)];
  t.same(first, second);
});

void t.test('rows of one commit are published together, with each cell in its last state', async (t) => {
  const { queue, sender, relay } = world();
  const same = (seq: number, nth: number): RelayRow => ({ ...row(1, nth), seq });
  queue.put(ANCHOR, row(1), { ...row(2), facts: { cells: [cell(9)] } }, same(3, 1), same(4, 2));
  queue.most = 3;
  t.match(await relay(ANCHOR), { rows: 1, unfinished: [ANCHOR] }, 'the second commit may go on');
  queue.most = 4;
  t.match(await relay(ANCHOR), { rows: 3, records: 2, unfinished: [] });
  t.same(sender.seqs(ANCHOR), [1, 2, 4], 'a night that two of its rows changed is published by the last');
});

void t.test('without a registry or a broker nothing is noted', async (t) => {
  const away = new EventFailure('SCHEMA_NOT_FOUND', 'no answer');
  const codec = new AvroCodec({ idOf: () => Promise.reject(away), schemaOf: () => Promise.reject(away) });
  const without = world(codec);
  without.queue.put(ANCHOR, row(1));
  await t.rejects(without.relay(ANCHOR), { message: 'Failed to serialize event' });
  t.equal(without.queue.cursor(ANCHOR), 0);
  const { queue, sender, relay } = world();
  queue.put(ANCHOR, row(1));
  queue.put(BELL, row(1));
  sender.before = () => {
    throw new NotSent('no broker', true);
  };
  await t.rejects(relay(ANCHOR, BELL), { message: 'no broker' });
  t.same([queue.cursor(ANCHOR), queue.cursor(BELL)], [0, 0]);
});

void t.test('a fact that cannot be written stops its property there, and no other', async (t) => {
  const { queue, sender, relay } = world();
  queue.put(ANCHOR, row(1), row(2, 0, 7 as unknown as string), row(3));
  queue.put(BELL, row(1));
  const { stopped, unfinished: left } = await relay(ANCHOR, BELL);
  t.match(stopped, [{ to: ANCHOR, seq: 2, why: /Failed to serialize event: availability.updated roomType/ }]);
  t.same(left, []);
  t.same([sender.seqs(ANCHOR), sender.seqs(BELL)], [[1], [1]]);
  t.same([queue.cursor(ANCHOR), queue.cursor(BELL)], [1, 1]);
});

void t.test('records that the broker will never take stop their property, and no other', async (t) => {
  const { queue, sender, relay } = world();
  queue.put(ANCHOR, row(1));
  queue.put(BELL, row(1));
  sender.before = (records) => {
    if (records.some(({ key }) => key === 'acme:anchor')) throw new NotSent('too large', false);
  };
  t.match((await relay(ANCHOR, BELL)).stopped, [{ to: ANCHOR, seq: 1, why: /broker refuses/ }]);
  t.same([queue.cursor(ANCHOR), queue.cursor(BELL)], [0, 1]);
});

void t.test('a request to the broker is bounded, whatever waits', async (t) => {
  const { queue, sender, relay } = world();
  queue.most = 1_200;
  queue.put(ANCHOR, ...Array.from({ length: 1_200 }, (_, n) => row(n + 1)));
  sender.before = ({ length }) => t.ok(length <= 500, `${length} at once`);
  t.match(await relay(ANCHOR), { rows: 1_200 });
  t.same(
    sender.seqs(ANCHOR),
    Array.from({ length: 1_200 }, (_, n) => n + 1),
  );
});
