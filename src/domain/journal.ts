import type { Day } from './dates.ts';
import type { Minor } from './money.ts';
import type { CommandType, SealedPersonal } from './commands.ts';
import type { RatePlan } from './property.ts';
import type { Instant } from './property-time.ts';

/**
 * A cell (room type x night) after a change, in absolute values. A tuple, since a journal row holds many:
 * room type, night, total, booked, held, blocked, available, price of the night under BAR or null.
 */
export type CellFact = [string, Day, number, number, number, number, number, Minor | null];

/** What happened to a reservation or hold, without personal data. */
export type BookingFact = {
  event: 'HELD' | 'CREATED' | 'CONFIRMED' | 'RELEASED' | 'MODIFIED' | 'CANCELLED' | 'EXPIRED';
  reservationId: string;
  confirmationNumber: string;
  guestId: string;
  roomType: string;
  checkIn: Day;
  checkOut: Day;
  guests: number;
  total: Minor;
  paid: Minor;
  status: string;
  channel?: string;
};

/**
 * What somebody else had changed in the database, as the owner took it over: base rates before and after, plans. Of a
 * change that came while nobody was awake only the cells are known, all of them.
 */
export type ForeignChange = {
  version: number;
  nights: [roomType: string, day: Day, before: Minor, after: Minor][];
  plans: { code: string; before: RatePlan | null; after: RatePlan | null }[];
};

/** Everything a command changed: enough for deltas, events, `asOf` and audit (architecture.md 3). */
export type Facts = {
  cells?: CellFact[];
  bookings?: BookingFact[];
  /** What a set-up command put or removed, by kind and id. */
  setup?: { kind: 'property' | 'roomType' | 'room' | 'inventory'; id: string; after: unknown }[];
  rates?: { rateId: string; roomType: string; start: Day; end: Day; before: Minor[]; after: Minor[] };
  foreign?: ForeignChange;
  businessDate?: Day;
  /** Guest name as ciphertext under the guest's key. */
  personal?: SealedPersonal;
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
