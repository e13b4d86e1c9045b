import fc from 'fast-check';
import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { BookingEvent, BookingFact, CellFact, CellMove, CellState, Facts } from '../../kernel/rules/journal.ts';
import { KnownSchemas } from '../../testing/events.ts';
import { eventIdOf } from '../contracts/event-id.ts';
import { AvroCodec } from '../partners/avro-codec.ts';
import {
  batchesOf,
  BOOKING_TOPICS,
  type EventRow,
  type EventSource,
  FACT_TOPICS,
  recordsOf,
} from './event-records.ts';
import type { EventRecord } from './events.ts';

const PROPERTY_ID: EventSource = { tenantId: 'acme', propertyId: 'anchor', generation: 1 };
const DAY = dayOf('2026-06-01');
const AT = Date.UTC(2026, 5, 1, 10);

const row = (facts: Facts, seq = 1, type: EventRow['type'] = 'BOOK'): EventRow => ({
  seq,
  at: AT,
  type,
  requestId: 'req-1',
  entity: 'r-1',
  facts,
});
const cell = (move?: CellMove, rate: number | null = 12_050, sold = 1): CellFact => [
  ...(['STD', DAY, 5, sold, 0, 1, 4 - sold, rate] as const),
  move,
];
const booked = (event: BookingEvent): BookingFact => [
  ...([event, null, 'ABC', 'g-1', 'STD', DAY, DAY + 2, 3, 24_100, 0, 'CONFIRMED', 'OTA'] as const),
];
const published = (...rows: EventRow[]): EventRecord[] => recordsOf(PROPERTY_ID, rows, eventIdOf);
const topics = (...rows: EventRow[]): string[] => published(...rows).map(({ topic }) => topic);

/** One example of every kind of fact: a new kind does not compile before it is listed here. */
const EXAMPLES: Record<keyof Required<Facts>, { facts: Facts; type?: EventRow['type'] }> = {
  bookings: { facts: { bookings: [booked('CREATED')] } },
  setup: {
    type: 'CREATE_PROMOTION',
    facts: {
      setup: [
        {
          kind: 'promotion',
          id: 'p-1',
          after: {
            promoCode: 'JUNE',
            discount: { type: 'PERCENTAGE', value: 12.5 },
            validity: { start: DAY, end: DAY + 9 },
          },
        },
      ],
    },
  },
  cells: { facts: { cells: [cell()] } },
  books: { facts: { books: [[DAY, 12_000, 1, 0]] } },
  market: { facts: { market: [['STD', DAY, 11_000, 10_000, 12_000, 3, AT]] } },
  details: { facts: { details: [{ currency: 'EUR' }] } },
  holds: { facts: { holds: [['PLACED', 'h-1', 'STD', DAY, DAY + 1, 2, AT]] } },
  payments: { facts: { payments: [['p-1', 'REFUND', 10_000, 'PROCESSING', 'COMPLETED']] } },
  rates: { facts: { rates: { rateId: 'x', nights: [['STD', DAY, 10_000, 12_000]] } } },
  foreign: { facts: { foreign: { version: 2, nights: [], plans: [] } } },
  businessDate: { facts: { businessDate: DAY } },
  nth: { facts: { nth: 3 } },
  personal: { facts: { personal: 'sealed' } },
};

void t.test('every fact that exists becomes the events of the table, or none', async (t) => {
  for (const [kind, { facts, type }] of Object.entries(EXAMPLES)) {
    const may: readonly string[] = FACT_TOPICS[kind as keyof Facts];
    const are = topics(row(facts, 1, type));
    t.equal(are.length > 0, may.length > 0, kind);
    for (const topic of are) t.ok(may.includes(topic), `${kind} becomes ${topic}`);
  }
  for (const [event, topic] of Object.entries(BOOKING_TOPICS)) {
    t.same(topics(row({ bookings: [booked(event as BookingEvent)] })), topic === null ? [] : [topic], event);
    if (topic !== null) t.ok((FACT_TOPICS.bookings as readonly string[]).includes(topic));
  }
  for (const kind of 'property roomType room inventory plan restrictions signals group'.split(' '))
    t.same(topics(row({ setup: [{ kind, id: 'x', after: null }] } as Facts)), [], kind);
  const paused = { setup: [{ kind: 'promotion' as const, id: 'p-1', after: { paused: true } }] };
  t.same(topics(row(paused, 1, 'PAUSE_PROMOTION')), [], 'a pause is no event');
});

void t.test('a record has its envelope, its key and where it comes from', async (t) => {
  const [created] = published(row({ bookings: [booked('CREATED')], details: [{ currency: 'EUR' }] }, 7));
  t.same(created, {
    topic: 'reservation.created',
    key: 'acme:anchor',
    headers: { tenantId: 'acme', propertyId: 'anchor', seq: '7', generation: '1', requestId: 'req-1' },
    value: {
      eventId: eventIdOf(PROPERTY_ID, 7, 0),
      eventType: 'RESERVATION_CREATED',
      timestamp: AT,
      version: 2,
      tenantId: 'acme',
      propertyId: 'anchor',
      reservationId: 'r-1',
      guestId: 'g-1',
      roomTypeId: 'STD',
      checkInDate: '2026-06-01',
      checkOutDate: '2026-06-03',
      numberOfGuests: 3,
      totalAmount: '241.00',
      status: 'CONFIRMED',
      roomType: 'STD',
      checkIn: '2026-06-01',
      checkOut: '2026-06-03',
      currency: 'EUR',
      source: { channel: 'OTA', medium: null, campaign: null },
    },
  });
  t.match(created!.value.eventId, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

void t.test('a consumer reads all that a record has: its schema knows every field', async (t) => {
  const codec = new AvroCodec(new KnownSchemas());
  const rows = Object.values(EXAMPLES).map(({ facts, type }, index) => row(facts, index + 1, type));
  const events = Object.keys(BOOKING_TOPICS) as BookingEvent[];
  const changes: [string, string, null][] = [['status', 'PENDING', null]];
  for (const event of events) rows.push(row({ bookings: [booked(event)], details: [{ changes }] }, rows.length + 1));
  rows.push(row({ cells: [cell('rate')] }, rows.length + 1));
  const records = rows.flatMap((one) => published(one));
  t.same(new Set(records.map(({ topic }) => topic)), new Set(Object.values(FACT_TOPICS).flat()));
  for (const record of records) {
    const { value } = await codec.decode(record.topic, await codec.encode(record));
    t.same(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(record.value)), record.topic);
  }
});

void t.test('an id never changes, and hangs on all that names the change', async (t) => {
  const id = eventIdOf(PROPERTY_ID, 7, 0);
  // Must never change: consumers drop duplicates by it.
  t.equal(id, 'c612ba45-99f0-5169-ab88-c836b5bced94');
  const others = [
    eventIdOf({ ...PROPERTY_ID, tenantId: 'rival' }, 7, 0),
    eventIdOf({ ...PROPERTY_ID, propertyId: 'other' }, 7, 0),
    eventIdOf({ ...PROPERTY_ID, generation: 2 }, 7, 0),
    eventIdOf(PROPERTY_ID, 8, 0),
    eventIdOf(PROPERTY_ID, 7, 1),
    eventIdOf({ ...PROPERTY_ID, tenantId: 'acme:anchor', propertyId: '' }, 7, 0),
  ];
  t.equal(new Set([id, ...others]).size, 7);
});

void t.test('only what changed in a cell is published', async (t) => {
  const one = (move?: CellMove, rate?: number | null): string[] => topics(row({ cells: [cell(move, rate)] }));
  t.same(one(), ['availability.updated'], 'a booking under a fixed price changes only rooms');
  t.same(one('rate'), ['rate.updated']);
  t.same(one('both'), ['availability.updated', 'rate.updated']);
  t.same(one('none'), []);
  t.same(one('both', null), ['availability.updated'], 'a night without a price has no rate');
  t.same(topics(row({ cells: [cell('none')] }, 1, 'RELOAD')), ['rate.updated'], 'what it was before is not known');
  t.match(published(row({ cells: [cell('both')] })), [
    {
      value: {
        roomType: 'STD',
        date: '2026-06-01',
        totalRooms: 5,
        blockedRooms: 1,
        bookedRooms: 1,
        origin: 'innkeeper',
      },
    },
    { value: { roomType: 'STD', rateType: 'BASE', newRate: '120.50', effectiveDate: '2026-06-01' } },
  ]);
});

void t.test('a cell is published once a batch, as its last row left it', async (t) => {
  const batch = [
    row({ cells: [cell('both', 10_000, 1)] }, 4),
    row({ cells: [cell(undefined, 10_000, 2)], nth: 1 }, 5),
    row({ cells: [cell(undefined, 10_000, 3)], nth: 2 }, 6),
  ];
  const records = published(...batch);
  t.match(records, [
    { topic: 'rate.updated', headers: { seq: '4' } },
    { topic: 'availability.updated', headers: { seq: '6' }, value: { bookedRooms: 3, seq: 6 } },
  ]);
  t.equal(records.length, 2);
  const apart = batch.map((one) => ({ ...one, facts: { cells: one.facts.cells } }));
  t.equal(batchesOf(apart).flatMap((one) => published(...one)).length, 4, 'three commits publish it three times');
});

void t.test('personal values are never published, only the names of their fields', async (t) => {
  const changes: [string, ...(string | number | null)[]][] = [
    ['phone'],
    ['totalAmount', 20_000, 24_100],
    ['adults', 1, 2],
    ['roomNumber', null, '101'],
  ];
  const details = [{ modificationId: 'm-1', changes, amounts: [20_000, 24_100] }] as Facts['details'];
  const [modified] = published(row({ bookings: [booked('MODIFIED')], details }));
  t.match(modified!.value, {
    modificationId: 'm-1',
    previousAmount: '200.00',
    newAmount: '241.00',
    changes: {
      phone: { from: null, to: null },
      totalAmount: { from: '200.00', to: '241.00' },
      adults: { from: '1', to: '2' },
      roomNumber: { from: null, to: '101' },
    },
  });
});

void t.test('an end that is taken back is a change, which consumers of today read', async (t) => {
  const details = [{ changes: [['status', 'CANCELLED', 'CONFIRMED']] }] as Facts['details'];
  const [modified] = published(row({ bookings: [booked('REINSTATED')], details }, 1, 'REINSTATE'));
  t.match(modified, {
    topic: 'reservation.modified',
    value: { version: 1, changes: { status: { from: 'CANCELLED', to: 'CONFIRMED' } } },
  });
});

const anyCell = fc.record({
  type: fc.constantFrom('STD', 'DLX'),
  day: fc.nat(3),
  rooms: fc.nat(5),
  rate: fc.option(fc.nat(50_000)),
  move: fc.constantFrom<(CellMove | undefined)[]>(undefined, 'rate', 'both', 'none'),
});
const anyRow = fc.record({
  cells: fc.array(anyCell, { maxLength: 4 }),
  event: fc.option(fc.constantFrom(...(Object.keys(BOOKING_TOPICS) as BookingEvent[]))),
  first: fc.boolean(),
});

void t.test('replaying a journal gives the same records, whole and in order, however it is cut', async () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 12 }), fc.nat(12), (drawn, cut) => {
      let nth = 0;
      const rows = drawn.map(({ cells, event, first }, index): EventRow => {
        nth = index === 0 || first ? 0 : nth + 1;
        const facts: Facts = {
          ...(event && { bookings: [booked(event)] }),
          cells: cells.map(({ type, day, rooms, rate, move }): CellFact => {
            const state: CellState = [type, DAY + day, 9, rooms, 0, 0, 9 - rooms, rate];
            return move ? [...state, move] : state;
          }),
          ...(nth > 0 && { nth }),
        };
        return row(facts, index + 1);
      });
      const all = batchesOf(rows).flatMap((batch) => published(...batch));
      const read = JSON.parse(JSON.stringify(rows)) as EventRow[];
      if (JSON.stringify(batchesOf(read).flatMap((batch) => published(...batch))) !== JSON.stringify(all))
        return false;
      // A reader that stops between two commits and continues neither misses nor repeats an event.
      const border = rows.findIndex(({ facts }, index) => index >= cut && facts.nth === undefined);
      const parts = border < 0 ? [rows] : [rows.slice(0, border), rows.slice(border)];
      const again = parts.flatMap((part) => batchesOf(part).flatMap((batch) => published(...batch)));
      const seqs = all.map(({ headers }) => Number(headers.seq));
      return (
        JSON.stringify(again) === JSON.stringify(all) &&
        new Set(all.map(({ value }) => value.eventId)).size === all.length &&
        seqs.every((seq, index) => index === 0 || seq >= seqs[index - 1]!)
      );
    }),
    { numRuns: 500 },
  );
});
