import type { KeyClaim } from '../../kernel/rules/commands.ts';
import type { SealedPersonal } from '../../kernel/rules/commands/stay.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { bookedNight, type NightCharges, type QuotedCharges } from '../../rates/rules/night-charges.ts';
import type { BookingTerms, PlanGuarantee } from '../../rates/rules/plan-terms.ts';
import { type Party, partyOf, personsOf } from '../../rates/rules/stay.ts';
import type { Reservation } from './reservation.ts';

/**
 * Rooms set aside for a while. PAYING: a paid create between its two commits. PENDING: an unpaid reservation.
 * EXPLICIT: requested by a client. LATE: its time has run out, and it holds no rooms; one that was being paid waits
 * for its money to be reconciled, an EXPLICIT one is remembered so that late bookings get HOLD_EXPIRED, and what was
 * held without being paid counts against its subject for a while. An EXPLICIT one without terms holds the room of a
 * guest who has not left, which no client sees.
 */
type HoldKind = 'PAYING' | 'PENDING' | 'EXPLICIT' | 'LATE';

export type Hold = {
  id: string;
  kind: HoldKind;
  roomType: string;
  checkIn: Day;
  checkOut: Day;
  /** Rooms that it holds; of an EXPLICIT one those that no booking has taken yet. */
  rooms: number;
  expiresAt: Instant;
  createdAt: Instant;
  reservationId?: ReservationId;
  /** What a PAYING hold turns into when the money is there; survives a crash between the two commits. */
  booking?: { reservation: Reservation; attempt: Payment; personal: SealedPersonal; notes?: string };
  /** The idempotency key that the booking's answer belongs to. */
  key?: KeyClaim & { subject: string };
  /** Where a PAYING hold has its room from, and brings it back to when nothing is paid. */
  fromHold?: string;
  /** Of a PENDING one that a card guarantees: a keyed hash of the card's token, by which its holds are counted. */
  card?: string;
  /** What an EXPLICIT hold promises. */
  terms?: HoldTerms;
  /** Who has a PENDING one, for the bounds of unpaid rooms; that of an EXPLICIT one is in its terms. */
  subject?: string;
  /** Rooms that a LATE one had, unpaid, when its time ran out: they count against its subject for a while. */
  lapsed?: number;
  /** Of the room of a guest who has not left: what the night costs by the number of persons, one person first. */
  overdue?: { rates: Minor[] };
};

/** Members of a hold that are stored as a document. */
export type HoldDocument = Pick<
  Hold,
  'booking' | 'key' | 'fromHold' | 'card' | 'terms' | 'subject' | 'lapsed' | 'overdue'
>;

/** What bookings out of a hold have of their plan, whatever becomes of it. */
export type HeldPlan = PlanGuarantee & { terms: BookingTerms };

/**
 * The promise of an EXPLICIT hold, for each of its rooms (docs/reference/reservations.md#holds), and the party of its
 * price.
 */
type HoldTerms = Party & {
  /** Rooms at the beginning. */
  rooms: number;
  rateCode: string;
  /** Of the plan when it was placed; absent in those of earlier releases. */
  cancellationPolicy?: string;
  /** Terms and guarantee of the plan then; absent in those of earlier releases. */
  plan?: HeldPlan;
  currency: string;
  /** Price of each night by the number of persons, one person first; one row where that does not matter. */
  rates: Minor[][];
  charges: NightCharges;
  /** A hold is extended once. */
  extended: boolean;
  subject: string;
};

/** Confirmed until this long before its expiry, resold from this long after (docs/concepts/actor.md#time). */
export const HOLD_GUARD_MS = 100;

/** An EXPLICIT hold, which has terms. */
export type ExplicitHold = Hold & { terms: HoldTerms };

export const HOLD_STATUSES = ['ACTIVE', 'USED', 'EXPIRED', 'RELEASED'] as const;
type HoldStatus = (typeof HOLD_STATUSES)[number];

/** What can be had from an EXPLICIT hold, as far as it says itself, or at an instant; one that was released is gone. */
export function holdStatus({ kind, rooms, expiresAt }: Hold, now = -Infinity): HoldStatus {
  if (kind === 'LATE' || now > expiresAt - HOLD_GUARD_MS) return 'EXPIRED';
  return rooms > 0 ? 'ACTIVE' : 'USED';
}

/** Prices of the nights that an EXPLICIT hold promises to so many persons. */
export function promisedRates({ terms: { rates } }: ExplicitHold, party: Party): Minor[] {
  return rates[Math.min(personsOf(party), rates.length) - 1]!;
}

/** What a hold promises beside the rates; those of earlier releases do not say the currency there. */
export function heldCharges({ terms: { charges, currency } }: ExplicitHold): QuotedCharges {
  return { ...charges, currency };
}

/** The nights of one room at given rates, with tax and fees as they were when the hold was placed. */
export function heldNights(hold: ExplicitHold, rates: readonly Minor[], party: Party): Night[] {
  const { checkIn, checkOut } = hold;
  const stay = { ...partyOf(party), checkIn, checkOut };
  const charges = heldCharges(hold);
  return rates.map((rate, index) => bookedNight(stay, checkIn + index, rate, charges));
}
