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
 * A cell (room type x night) after a change, in absolute values. A tuple, since a journal row has many: room type,
 * night, total, booked, held, blocked, available, BAR price of the night or null; and which parts changed, if not the
 * room counts alone.
 */
export type CellFact = [...CellState, CellMove?];
export type CellState = [string, Day, number, number, number, number, number, Minor | null];

/**
 * Which parts of a cell a command changed: price alone, rooms and price, or neither (the row was written all the
 * same).
 */
export type CellMove = 'rate' | 'both' | 'none';

/** Events of a reservation or hold. */
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
  | 'CHECK_IN_UNDONE'
  | 'CHECKED_OUT'
  | 'NO_SHOW'
  | 'REINSTATED'
  | 'PAID'
  | 'REFUNDED'
  /** An instalment could not be collected. */
  | 'PAYMENT_FAILED';

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
  /** Expiry of a PENDING one's hold. */
  heldUntil?: Instant;
};

/**
 * A booking in a journal row, with values in the order of `Booking`: two rows per booking are stored for 400 days, and
 * member names were a third of them. The reservation is null where it is the entity of the row.
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

/** A payment that a command added or changed: id, type, amount, status before (null for a new one) and now. */
export type PaymentFact = [string, Payment['type'], Minor, Payment['status'] | null, Payment['status']];

/** Events of a client's hold. USED: a booking took a room out of it; RETURNED: that booking was not paid. */
export type HoldEvent = 'PLACED' | 'EXTENDED' | 'USED' | 'RETURNED' | 'RELEASED' | 'EXPIRED';

/**
 * A hold after an event: id, room type, check-in, check-out, rooms left, expiry; for a changed hold also its former
 * rooms and expiry.
 */
export type HoldFact = [...[HoldEvent, string, string, Day, Day, number, Instant], (readonly [number, Instant])?];

/** Kinds of records that set-up commands change. */
export type SetupKind =
  | 'property'
  | 'roomType'
  | 'room'
  | 'inventory'
  | 'plan'
  | 'restrictions'
  | 'signals'
  | 'promotion'
  | 'calendarEvent'
  | 'group'
  | 'maintenance'
  | 'housekeepingTask'
  | 'waitlist'
  | 'inquiry'
  | 'extraStay'
  | 'note'
  | 'mail';

/**
 * External changes in the database, as the owner applied them: base rates before and after, plans. For a change while
 * the actor was passive only the cells are known, all of them.
 */
export type ExternalRateChange = {
  version: number;
  nights: [roomType: string, day: Day, before: Minor, after: Minor][];
  plans: { code: string; before: RatePlan | null; after: RatePlan | null }[];
};

/**
 * Everything that a command changed: enough for deltas, events, `asOf` and audit
 * (docs/concepts/commit-and-fence.md#journal-and-seq).
 */
export type Facts = {
  cells?: CellFact[];
  books?: OtbFact[];
  bookings?: BookingFact[];
  /** Further event details of each booking, in order; null where another entry has them. */
  details?: (BookingDetails | null)[];
  holds?: HoldFact[];
  /** For commands about payments. */
  payments?: PaymentFact[];
  /** Records that a set-up command stored or removed, by kind and id; `before` where requested and existing. */
  setup?: { kind: SetupKind; id: string; before?: unknown; after: unknown }[];
  /** BAR price of each night before and after, null for none. */
  rates?: {
    rateId: string;
    nights: [roomType: string, Day, Minor | null, Minor | null][];
    /** The rule that has accepted them, and the user who has set it. */
    byRule?: { upToPercent: number; setBy: string };
  };
  market?: MarketFact[];
  foreign?: ExternalRateChange;
  businessDate?: Day;
  /** Index in its batch, absent for the first: the batch starts at `seq - nth`. */
  nth?: number;
  /** Guest's name as ciphertext under the key of the first booking's guest. */
  personal?: string;
};

/** One row of the journal: an accepted command of a property. */
export type JournalEntry = {
  seq: number;
  at: Instant;
  type: CommandType;
  subject: string;
  requestId: string;
  /** Id of the entity that the command was about. */
  entity: string;
  facts: Facts;
  hash: string;
  /** Guest's name in plain text, in memory only: never written. */
  guestName?: string;
};
