import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import {
  type Booking,
  type BookingEvent,
  bookingsOf,
  type CellFact,
  type Facts,
  type JournalEntry,
} from '../../kernel/rules/journal.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import type { Discount, Promotion } from '../../rates/rules/promotion.ts';
import { AMOUNTS, type BookingDetails } from '../../stay/rules/booking-details.ts';
import type { EventFields, EventRecord, PublishedTopic } from './events.ts';
import { eventTypeOf, TOPICS } from './topics.ts';

/** The property of a journal, and its generation (docs/concepts/live-stream.md#position). */
export type EventSource = Address & { generation: number };

/** Members of a journal row that events need. */
export type EventRow = Pick<JournalEntry, 'seq' | 'at' | 'type' | 'requestId' | 'entity' | 'facts'>;

/**
 * Makes the id of the n-th event of a row: UUIDv5 of (tenant, property, generation, seq, n),
 * docs/concepts/events.md#from-journal-to-record.
 */
type EventIdOf = (of: EventSource, seq: number, n: number) => string;

/** The n-th event of a row, without its envelope. */
type Published = {
  [T in PublishedTopic]: { topic: T; fields: (eventId: string) => Omit<EventFields[T], keyof Address> };
}[PublishedTopic];
/** A changed cell of a row, published by the last row of the batch that has it. */
type PublishedCell = { cell: CellFact; what: 'rooms' | 'rate' };
type Publishing = { row: EventRow; n: number; published: Published };

/** Event of each booking action; HELD and RELEASED concern holds, which have none. */
export const BOOKING_TOPICS = {
  HELD: null,
  RELEASED: null,
  CREATED: 'reservation.created',
  CONFIRMED: 'reservation.modified',
  MODIFIED: 'reservation.modified',
  ROOM_ASSIGNED: 'reservation.modified',
  PAID: 'reservation.modified',
  REFUNDED: 'reservation.modified',
  NO_SHOW: 'reservation.modified',
  REINSTATED: 'reservation.modified',
  CHECK_IN_UNDONE: 'reservation.modified',
  PAYMENT_FAILED: null,
  CANCELLED: 'reservation.cancelled',
  EXPIRED: 'reservation.cancelled',
  CHECKED_IN: 'guest.checkedin',
  CHECKED_OUT: 'guest.checkedout',
} as const satisfies Record<BookingEvent, PublishedTopic | null>;

/** Events that each kind of fact can become; the others serve only dashboards, history and the audit trail. */
export const FACT_TOPICS = {
  bookings: [
    'reservation.created',
    'reservation.modified',
    'reservation.cancelled',
    'guest.checkedin',
    'guest.checkedout',
  ],
  setup: ['promotion.created'],
  cells: ['availability.updated', 'rate.updated'],
  books: [],
  market: [],
  details: [],
  holds: [],
  payments: [],
  rates: [],
  foreign: [],
  businessDate: [],
  nth: [],
  personal: [],
} as const satisfies Record<keyof Required<Facts>, readonly PublishedTopic[]>;

/**
 * Events of the rows of one or more whole commits, in order (docs/reference/events.md#topics); deterministic. A cell
 * that several rows changed is published once, in its last state.
 */
export function recordsOf(of: EventSource, batch: readonly EventRow[], idOf: EventIdOf): EventRecord[] {
  const last = new Map<string, string>();
  const rows = batch.map((row) => ({ row, cells: cellsOf(row) }));
  for (const { row, cells } of rows) for (const one of cells) last.set(placeOf(one), `${row.seq}`);
  return rows.flatMap(({ row, cells }) => {
    const changes: Published[] = [...bookingRecords(row), ...promotionRecords(row)];
    const publishings: Publishing[] = changes.map((published, n) => ({ row, n, published }));
    for (const [index, one] of cells.entries())
      if (last.get(placeOf(one)) === `${row.seq}`)
        publishings.push({ row, n: changes.length + index, published: cellRecord(one, row) });
    return publishings.flatMap((publishing) => recordOf(of, publishing, idOf) ?? []);
  });
}

const placeOf = ({ cell: [roomType, day], what }: PublishedCell): string => `${what}\n${day}\n${roomType}`;

function recordOf(of: EventSource, { row, n, published }: Publishing, idOf: EventIdOf): EventRecord {
  const { tenantId, propertyId, generation } = of;
  const { seq, at, requestId } = row;
  const eventId = idOf(of, seq, n);
  const envelope = {
    eventId,
    eventType: eventTypeOf(published.topic),
    timestamp: at,
    version: TOPICS[published.topic].version,
  };
  const headers = { tenantId, propertyId, seq: String(seq), generation: String(generation), requestId };
  const value = { ...envelope, tenantId, propertyId, ...published.fields(eventId) };
  // The topic and its fields come from one member of `Told`.
  return { topic: published.topic, key: `${tenantId}:${propertyId}`, headers, value } as EventRecord;
}

function bookingRecords(row: EventRow): Published[] {
  return bookingsOf(row).flatMap((booking, index) => {
    const details = row.facts.details?.[index];
    // Null: another entry of the row has the event.
    if (row.facts.details && details === null) return [];
    return bookingRecord(booking, details ?? {}, row) ?? [];
  });
}

function bookingRecord(booking: Booking, details: BookingDetails, row: EventRow): Published | undefined {
  const topic = BOOKING_TOPICS[booking.event];
  const { reservationId, guestId } = booking;
  switch (topic) {
    case null:
      return undefined;
    case 'reservation.created':
      return { topic, fields: () => createdFields(booking, details) };
    case 'reservation.modified':
      return { topic, fields: (eventId) => modifiedFields(booking, details, { eventId, row }) };
    case 'reservation.cancelled': {
      const { cancellationId, reason = 'OTHER', refund = 0 } = details;
      const said = { reservationId, reason, refundAmount: decimalText(refund), cancelledAt: row.at };
      return { topic, fields: (eventId) => ({ ...said, cancellationId: cancellationId ?? eventId }) };
    }
    case 'guest.checkedin': {
      const { roomNumber = '', at = row.at, expectedCheckOut = row.at } = details;
      return { topic, fields: () => ({ reservationId, guestId, roomNumber, checkInTime: at, expectedCheckOut }) };
    }
    case 'guest.checkedout': {
      const { roomNumber = '', at = row.at, finalAmount = booking.total, loyaltyPoints = null } = details;
      const left = { roomNumber, checkOutTime: at, finalAmount: decimalText(finalAmount) };
      // The guest answers later, on a separate page.
      const satisfaction = { rating: null, comment: null, loyaltyPoints };
      return { topic, fields: () => ({ reservationId, guestId, ...left, satisfaction }) };
    }
  }
}

type Fields<T extends PublishedTopic> = Omit<EventFields[T], keyof Address>;

/** Fields of both schema versions: the first one, and the fields added since. */
function createdFields(booking: Booking, details: BookingDetails): Fields<'reservation.created'> {
  const { reservationId, guestId, roomType, guests, total, status, channel = null } = booking;
  const checkIn = formatDay(booking.checkIn);
  const checkOut = formatDay(booking.checkOut);
  const { currency = null } = details;
  // Free texts of the booker may contain names, which an erasure could not reach in a topic.
  const source = { channel, medium: null, campaign: null };
  return {
    reservationId,
    guestId,
    roomTypeId: roomType,
    checkInDate: checkIn,
    checkOutDate: checkOut,
    status,
    totalAmount: decimalText(total),
    numberOfGuests: guests,
    roomType,
    checkIn,
    checkOut,
    source,
    currency,
  };
}

function modifiedFields(
  { reservationId, total }: Booking,
  { modificationId, changes = [], amounts = [total, total] }: BookingDetails,
  { eventId, row }: { eventId: string; row: EventRow },
): Fields<'reservation.modified'> {
  const text = (name: string, value: string | number | null | undefined): string | null => {
    if (value === null || value === undefined) return null;
    return AMOUNTS.has(name) ? decimalText(Number(value)) : String(value);
  };
  return {
    reservationId,
    modificationId: modificationId ?? eventId,
    changes: Object.fromEntries(
      changes.map(([name, from, to]) => [name, { from: text(name, from), to: text(name, to) }]),
    ),
    previousAmount: decimalText(amounts[0]),
    newAmount: decimalText(amounts[1]),
    modifiedAt: row.at,
  };
}

/** A promotion is published when it is created; pausing it is no event. */
function promotionRecords({ type, facts }: EventRow): Published[] {
  if (type !== 'CREATE_PROMOTION') return [];
  return (facts.setup ?? [])
    .filter(({ kind }) => kind === 'promotion')
    .map(({ id, after }): Published => {
      const { promoCode, discount, validity } = after as Promotion;
      const startDate = formatDay(validity.start);
      const endDate = formatDay(validity.end);
      const fields = { promotionId: id, promoCode, validity: { startDate, endDate } };
      return {
        topic: 'promotion.created',
        fields: () => ({ ...fields, discount: { type: discount.type, value: valueOf(discount) } }),
      };
    });
}

function valueOf({ type, value }: Discount): string {
  switch (type) {
    case 'PERCENTAGE':
      return value.toFixed(2);
    case 'FIXED_AMOUNT':
      return decimalText(value);
    case 'FREE_NIGHTS':
      return String(value);
  }
}

/** Changed cells of a row. A reload of changes made while the actor was passive does not know the values before. */
function cellsOf({ type, facts }: EventRow): PublishedCell[] {
  return (facts.cells ?? []).flatMap((cell): PublishedCell[] => {
    const move = cell[8];
    const rooms = move === undefined || move === 'both';
    const rate = move === 'rate' || move === 'both' || type === 'RELOAD';
    return [
      ...(rooms ? [{ cell, what: 'rooms' as const }] : []),
      // A night without a price has no rate to publish.
      ...(rate && cell[7] !== null ? [{ cell, what: 'rate' as const }] : []),
    ];
  });
}

function cellRecord({ cell, what }: PublishedCell, { at, seq }: EventRow): Published {
  const [roomType, day, totalRooms, bookedRooms, heldRooms, blockedRooms, availableRooms, rate] = cell;
  const date = formatDay(day);
  if (what === 'rate') {
    const fields = { roomType, rateType: 'BASE' as const, newRate: decimalText(rate ?? 0), effectiveDate: date };
    return { topic: 'rate.updated', fields: () => ({ ...fields, updatedAt: at }) };
  }
  const rooms = { totalRooms, blockedRooms, bookedRooms, heldRooms, availableRooms };
  return { topic: 'availability.updated', fields: () => ({ roomType, date, ...rooms, seq, origin: 'innkeeper' }) };
}

/** Groups rows by commit, in order; the first commit may have begun before the first row given. */
export function batchesOf<R extends Pick<EventRow, 'seq' | 'facts'>>(rows: readonly R[]): R[][] {
  const batches: R[][] = [];
  for (const row of rows) {
    const nth = nthOf(row);
    if (nth === 0 || batches.length === 0) batches.push([row]);
    else batches.at(-1)!.push(row);
  }
  return batches;
}

/** The index of an unreadable row is unknown: it begins a batch, and fails there. */
const nthOf = ({ facts }: { facts: EventRow['facts'] | null }): number => facts?.nth ?? 0;
