import type { KeyClaim } from '../../kernel/rules/commands.ts';
import type { SealedPersonal } from '../../kernel/rules/commands/stay.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { HoldId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Payment } from '../../money/rules/payment.ts';
import {
  bookedNight,
  type NightCharges,
  type QuotedCharges,
  storedCharges,
} from '../../rates/rules/night-charges.ts';
import type { BookingTerms, PlanGuarantee } from '../../rates/rules/plan-terms.ts';
import { listPriceThen, type PriceBasis } from '../../rates/rules/price-basis.ts';
import { type Party, partyOf, personsOf, type Stay } from '../../rates/rules/stay.ts';
import type { Reservation } from './reservation.ts';

/**
 * Rooms set aside for a while. PAYING: a paid create between its two commits. PENDING: an unpaid reservation. EXPLICIT:
 * requested by a client. LATE: expired, and holds no rooms. A LATE hold in payment waits until its money is reconciled;
 * a LATE hold that was EXPLICIT is stored so that late bookings get HOLD_EXPIRED; rooms held without payment count
 * against the subject for a while. An EXPLICIT hold without terms holds the room of a guest who has not left; clients
 * do not see it.
 */
type HoldKind = 'PAYING' | 'PENDING' | 'EXPLICIT' | 'LATE';

/** A PENDING hold has the id of its reservation. */
export const pendingHoldId = (reservationId: ReservationId): HoldId => String(reservationId);

export type Hold = {
  id: HoldId;
  kind: HoldKind;
  roomType: string;
  checkIn: Day;
  checkOut: Day;
  /** Held rooms; for an EXPLICIT hold those that no booking has taken yet. */
  rooms: number;
  expiresAt: Instant;
  createdAt: Instant;
  reservationId?: ReservationId;
  /** The booking that a PAYING hold becomes when it is paid; survives a crash between the two commits. */
  booking?: {
    reservation: Reservation;
    /** Of the first of several rooms: for all of them. Of another one: its part, which no provider knows. */
    attempt: Payment;
    personal: SealedPersonal;
    notes?: string;
    /** Holds of the other rooms that are paid together with this one. */
    others?: HoldId[];
    /** Hold of the first room, with which this one is confirmed or abandoned. */
    first?: HoldId;
  };
  /** Idempotency key of the booking's answer. */
  key?: KeyClaim & { subject: string };
  /** The hold from which a PAYING hold took its room, and to which the room returns when the payment fails. */
  fromHold?: string;
  /** PENDING, guaranteed by a card: a keyed hash of the card's token, by which its holds are counted. */
  card?: string;
  /** EXPLICIT: the promised price and terms. */
  terms?: HoldTerms;
  /** PENDING: the subject for the limits on unpaid rooms; that of an EXPLICIT hold is in its terms. */
  subject?: string;
  /** LATE: unpaid rooms at expiry; they count against the subject for a while. */
  lapsed?: number;
  /**
   * Room of a guest who has not left: rate of the night by number of persons, starting with one; with `basis` the price
   * depends on their ages.
   */
  overdue?: { rates: Minor[]; basis?: PriceBasis };
};

/** Members of a hold that are stored as JSON. */
export type HoldDocument = Pick<
  Hold,
  'booking' | 'key' | 'fromHold' | 'card' | 'terms' | 'subject' | 'lapsed' | 'overdue'
>;

/** Terms that bookings from a hold get, even when the plan changes. */
export type HeldPlan = PlanGuarantee & { terms: BookingTerms };

/**
 * The promise of an EXPLICIT hold for each of its rooms (docs/reference/reservations.md#holds), and the party of its
 * price.
 */
type HoldTerms = Party &
  Pick<Stay, 'dayUse'> & {
    /** Rooms at the beginning. */
    rooms: number;
    rateCode: string;
    /** Policy of the plan at placement; absent in holds of earlier releases. */
    cancellationPolicy?: string;
    /** Terms and guarantee of the plan at placement; absent in holds of earlier releases. */
    plan?: HeldPlan;
    currency: string;
    /** Rate of each night by number of persons, starting with one; a single row when the price does not depend on it. */
    rates: Minor[][];
    /** Where the price depends on the stay: what it follows from; absent in holds of earlier releases. */
    basis?: PriceBasis;
    charges: NightCharges;
    /** A hold can be extended once. */
    extended: boolean;
    subject: string;
  };

/**
 * A hold is confirmed until this long before its expiry, and its rooms are resold from this long after it
 * (docs/concepts/actor.md#time).
 */
export const HOLD_GUARD_MS = 100;

export type ExplicitHold = Hold & { terms: HoldTerms };

export const HOLD_STATUSES = ['ACTIVE', 'USED', 'EXPIRED', 'RELEASED'] as const;
type HoldStatus = (typeof HOLD_STATUSES)[number];

/** Public status of an EXPLICIT hold at an instant, or regardless of time; a released one no longer exists. */
export function holdStatus({ kind, rooms, expiresAt }: Hold, now = -Infinity): HoldStatus {
  if (kind === 'LATE' || now > expiresAt - HOLD_GUARD_MS) return 'EXPIRED';
  return rooms > 0 ? 'ACTIVE' : 'USED';
}

/** Rates of the nights that an EXPLICIT hold promises for a party. */
export function promisedRates({ terms, ...days }: ExplicitHold, party: Party): Minor[] {
  const { rates, basis, rateCode } = terms;
  if (basis) return basis.nights.map((night) => listPriceThen(basis, night, { ...days, ...party, rateCode }));
  return rates[Math.min(personsOf(party), rates.length) - 1]!;
}

/** Promised taxes and fees of a hold; holds of earlier releases store the currency outside of them. */
export function heldCharges({ terms: { charges, currency } }: ExplicitHold): QuotedCharges {
  return { ...storedCharges(charges), currency };
}

/** Nights of one room at given rates, with taxes and fees as at placement of the hold. */
export function heldNights(hold: ExplicitHold, rates: readonly Minor[], party: Party): Night[] {
  const { checkIn, checkOut } = hold;
  const stay = { ...partyOf(party), checkIn, checkOut };
  const charges = heldCharges(hold);
  return rates.map((rate, index) => bookedNight(stay, checkIn + index, rate, charges));
}
