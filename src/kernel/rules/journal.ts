import type { Payment } from '../../money/rules/payment.ts';
import type { MarketFact } from '../../rates/rules/competitor-rate.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { BookingDetails } from '../../stay/rules/booking-details.ts';
import type { OtbFact } from '../../stay/rules/otb-entry.ts';
import type { CommandType } from './commands.ts';
import type { Day } from './dates.ts';
import type { ReservationId, GuestId } from './ids.ts';
import type { Minor } from './money.ts';
import type { Instant } from './property-time.ts';

/**
 * A cell (room type x night) after a change, in absolute values. A tuple, since a journal row holds many: room type,
 * night, total, booked, held, blocked, available, price of the night under BAR or null; and what of it moved, where
 * that is not its rooms alone.
 */
export type CellFact = [...CellState, CellMove?];
export type CellState = [string, Day, number, number, number, number, number, Minor | null];

/** What a command moved of a cell: its price alone, rooms and price, or neither (the row was written all the same). */
export type CellMove = 'rate' | 'both' | 'none';

/** What happened to a reservation or hold. */
export type BookingEvent =
  | 'HELD'
  | 'CREATED'
  | 'CONFIRMED'
  | 'RELEASED'
  | 'MODIFIED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'ROOM_ASSIGNED'
  | 'CHECKED_IN'
  | 'CHECKED_OUT'
  | 'NO_SHOW'
  | 'REINSTATED'
  | 'PAID'
  | 'REFUNDED';

/** A reservation after an event, without personal data. */
export type Booking = {
  event: BookingEvent;
  reservationId: ReservationId;
  confirmationNumber: string;
  guestId: GuestId;
  roomType: string;
  checkIn: Day;
  checkOut: Day;
  guests: number;
  total: Minor;
  paid: Minor;
  status: string;
  channel?: string;
  /** Until when a PENDING one holds its rooms. */
  heldUntil?: Instant;
};

/**
 * A booking as a journal row has it, in the order of `Booking`: two rows a booking are stored for 400 days, and names
 * of members were a third of them. The reservation is null where it is the entity of the row.
 */
export type BookingFact = [
  ...[BookingEvent, string | null, string, string, string, Day, Day, number, Minor, Minor, string],
  (string | null)?,
  Instant?,
];

/** Packs a booking into the row of `entity`. */
export function bookingFact(booking: Booking, entity: string): BookingFact {
  const { event, reservationId, confirmationNumber, guestId, roomType, checkIn, checkOut, guests } = booking;
  const { total, paid, status, channel, heldUntil } = booking;
  const id = reservationId === entity ? null : reservationId;
  const fact: BookingFact = [
    ...([event, id, confirmationNumber, guestId, roomType, checkIn, checkOut, guests] as const),
    ...([total, paid, status] as const),
  ];
  if (channel !== undefined || heldUntil !== undefined) fact.push(channel ?? null);
  if (heldUntil !== undefined) fact.push(heldUntil);
  return fact;
}

/** The bookings of a row. */
export function bookingsOf({ facts, entity }: Pick<JournalEntry, 'facts' | 'entity'>): Booking[] {
  return (facts.bookings ?? []).map((fact) => {
    const [event, id, confirmationNumber, guestId, roomType, checkIn, checkOut, guests] = fact;
    const [total, paid, status, channel, heldUntil] = fact.slice(8) as [number, number, string, string?, Instant?];
    const what = { event, reservationId: id ?? entity, confirmationNumber, guestId, roomType };
    const held = heldUntil === undefined ? {} : { heldUntil };
    return { ...what, checkIn, checkOut, guests, total, paid, status, channel: channel ?? undefined, ...held };
  });
}

/** A payment that a command has put or moved: id, what it is, amount, its status before (null of a new one) and now. */
export type PaymentFact = [string, Payment['type'], Minor, Payment['status'] | null, Payment['status']];

/**
 * What happened to a hold that a client requested. USED: a booking took a room out of it; RETURNED: it came to
 * nothing.
 */
export type HoldEvent = 'PLACED' | 'EXTENDED' | 'USED' | 'RETURNED' | 'RELEASED' | 'EXPIRED';

/**
 * A hold after an event: id, room type, check-in, check-out, rooms left in it, expiry; and, of one that was there
 * before, rooms and expiry that it had.
 */
export type HoldFact = [...[HoldEvent, string, string, Day, Day, number, Instant], (readonly [number, Instant])?];

/** What set-up commands change. */
export type SetupKind =
  | 'property'
  | 'roomType'
  | 'room'
  | 'inventory'
  | 'plan'
  | 'restrictions'
  | 'signals'
  | 'promotion'
  | 'group';

/**
 * External changes in the database, as the owner took them over: base rates before and after, plans. Of a
 * change that came while the actor was passive only the cells are known, all of them.
 */
export type ExternalRateChange = {
  version: number;
  nights: [roomType: string, day: Day, before: Minor, after: Minor][];
  plans: { code: string; before: RatePlan | null; after: RatePlan | null }[];
};

/**
 * Everything a command changed: enough for deltas, events, `asOf` and audit
 * (docs/concepts/commit-and-fence.md#journal-and-seq).
 */
export type Facts = {
  cells?: CellFact[];
  books?: OtbFact[];
  bookings?: BookingFact[];
  /** What else events say of each booking, in their order; null where another entry says it. */
  details?: (BookingDetails | null)[];
  holds?: HoldFact[];
  /** Of commands that are about payments. */
  payments?: PaymentFact[];
  /** What a set-up command put or removed, by kind and id; `before` where it was requested and there was something. */
  setup?: { kind: SetupKind; id: string; before?: unknown; after: unknown }[];
  /** Price of each night under BAR before and after, null where there was none. */
  rates?: { rateId: string; nights: [roomType: string, Day, Minor | null, Minor | null][] };
  market?: MarketFact[];
  foreign?: ExternalRateChange;
  businessDate?: Day;
  /** Place in the batch that was committed at once, absent for the first: the batch begins at `seq - nth`. */
  nth?: number;
  /** Guest's name as ciphertext under the key of the guest of the first booking. */
  personal?: string;
};

/** One row of the journal: an accepted command of a property. */
export type JournalEntry = {
  seq: number;
  at: Instant;
  type: CommandType;
  subject: string;
  requestId: string;
  /** Id of what the command was about. */
  entity: string;
  facts: Facts;
  hash: string;
  /** Plain guest name, in memory only: never written. */
  guestName?: string;
};
