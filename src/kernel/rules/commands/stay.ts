import type { Guest, GuestChange, LoyaltyTier } from '../../../guests/rules/guest.ts';
import type { Bill } from '../../../money/rules/folio.ts';
import type { Night } from '../../../money/rules/night.ts';
import type { Payment } from '../../../money/rules/payment.ts';
import type { TaxLine } from '../../../money/rules/taxes.ts';
import type { Room } from '../../../properties/rules/property.ts';
import type { QuotedCharges } from '../../../rates/rules/night-charges.ts';
import type { Stay } from '../../../rates/rules/stay.ts';
import type { MayHold } from '../../../stay/rules/hold-bounds.ts';
import type { Hold } from '../../../stay/rules/hold.ts';
import type {
  CancelReason,
  CheckInRecord,
  Reservation,
  RoomCondition,
  Source,
} from '../../../stay/rules/reservation.ts';
import type { DryRun } from '../commands.ts';
import type { Day } from '../dates.ts';
import type { GroupId, GuestId, HoldId, PaymentId, ReservationId } from '../ids.ts';
import type { Minor } from '../money.ts';
import type { Instant } from '../property-time.ts';

export type StayCommands = {
  /** Sets rooms aside at the price of the moment (docs/reference/reservations.md#holds). */
  PLACE_HOLD: {
    command: MayHold & {
      holdId: HoldId;
      /** With the party of the price that is answered. */
      stay: Stay;
      rooms: number;
    };
    result: Hold;
  };
  EXTEND_HOLD: { command: { holdId: HoldId }; result: Hold };
  RELEASE_HOLD: { command: { holdId: HoldId }; result: Hold };
  /** Step one of a paid create: rooms held, a payment attempt on record (docs/concepts/money.md#payments). */
  START_BOOKING: {
    command: { holdId: HoldId; booking: BookingRequest; attempt: Payment };
    /** A hold with its price and payment attempt, ready to be charged. */
    result: { holdId: HoldId; reservation: Reservation; attempt: Payment; expiresAt: Instant };
  };
  CONFIRM_BOOKING: { command: { holdId: HoldId; payment: Payment }; result: { reservation: Reservation } };
  ABANDON_BOOKING: { command: { holdId: HoldId; payment: Payment; refusal?: { detail: string } }; result: null };
  /** A create without a card: PENDING with a hold, or CONFIRMED where the property asks for no payment. */
  BOOK: {
    command: MayHold & {
      booking: BookingRequest;
      pendingPaymentId: string;
      /** The card that guarantees it, and how many holds it has in other properties of the tenant: its limit is one for all. */
      guarantee?: { card: string; openElsewhere: number };
    };
    result: { reservation: Reservation };
  };
  CANCEL: {
    command: DryRun & {
      reservationId: ReservationId;
      cancellationId: string;
      refundId: string;
      reason: CancelReason;
      description?: string;
      cancelledBy: string;
      refundRequested: boolean;
      ifVersion?: number;
    };
    result: { reservation: Reservation };
  };
  MODIFY: {
    command: MayHold & {
      reservationId: ReservationId;
      modificationId: string;
      refundId: string;
      stay: Partial<Omit<Stay, 'rateCode'>> & { nights?: number };
      /** The most that the whole stay may cost after it. */
      maxTotal?: Minor;
      /** Restrictions and limits of the plan do not count. */
      override?: { reason: string };
      guest: GuestChange;
      specialRequests?: string[];
      reason?: string;
      modifiedBy?: string;
      ifVersion?: number;
      /** New ciphertext when contact data changes. */
      personal?: SealedPersonal;
      dryRun: boolean;
    };
    result: {
      reservation: Reservation;
      /** Its nights before, where the stay is another one. */
      previous?: Night[];
      modificationId: string;
      changes: Record<string, Change>;
      additional: Minor;
      dueDate: number | null;
      refund: Minor;
      modifiedAt: Instant;
    };
  };
  /** The guest is there (docs/reference/reservations.md#check-in-and-check-out). */
  CHECK_IN: {
    command: DryRun & {
      reservationId: ReservationId;
      checkInId: string;
      at: Instant;
      identified: boolean;
      guests?: { adults: number; children: number };
      keyCards: number;
      staffMember?: string;
      notes?: string;
      tier: LoyaltyTier;
      ifVersion?: number;
    };
    result: { reservation: Reservation; checkIn: CheckInRecord; room: Room; upgraded: boolean };
  };
  /**
   * The guest leaves. What is due is charged first: then the answer is an attempt on record, and END_PAYMENT ends both.
   */
  CHECK_OUT: {
    command: DryRun & {
      tier: LoyaltyTier;
      reservationId: ReservationId;
      checkOutId: string;
      /** Of the attempt on the card on file, should anything be due. */
      paymentId: PaymentId;
      refundId: string;
      /** Said by the desk; else it is now. */
      at?: Instant;
      charges: { description: string; amount: Minor; day?: Day; code?: string; taxLines?: TaxLine[] }[];
      roomCondition: RoomCondition;
      keyCardsReturned: number;
      staffMember?: string;
      /** Lets the guest go with what he owes (`force-checkout`). */
      forced: boolean;
      ifVersion?: number;
    };
    /** `refunds` go back with it; absent in answers of earlier releases. */
    result: { reservation: Reservation; bill: Bill; attempt?: Payment; refunds?: Payment[] };
  };
  /**
   * The guest did not come: by hand on the arrival day, or at the roll after it (docs/reference/reservations.md#states).
   */
  NO_SHOW: {
    command: {
      reservationId: ReservationId;
      cancellationId: string;
      refundId: string;
      by: string;
      reason?: string;
      ifVersion?: number;
      /** Not before check-in time and the grace of the property: who sends it may not decide that. */
      afterGrace?: boolean;
    };
    result: { reservation: Reservation };
  };
  /** Takes a cancel or a no-show back (docs/reference/reservations.md#reinstate). */
  REINSTATE: {
    command: DryRun & {
      reservationId: ReservationId;
      /** Of the payment that is awaited, should it not be guaranteed by what is paid. */
      pendingPaymentId: PaymentId;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    result: { reservation: Reservation };
  };
  /** What is left of a stay gets a better room type for a surcharge (docs/reference/agreed-prices.md#upgrade). */
  UPGRADE: {
    command: DryRun &
      UpgradePrice & {
        reservationId: ReservationId;
        roomType: string;
        /** A guest in house moves at once: into any that is ready where absent. */
        roomNumber?: string;
        reason?: string;
        by: string;
        ifVersion?: number;
      };
    result: {
      reservation: Reservation;
      previousRoomType: string;
      /** The first night in the new type. */
      from: Day;
      additional: Minor;
      dueDate: Instant | null;
    };
  };
  /** Makes nights complimentary (docs/reference/agreed-prices.md#complimentary-nights). */
  COMP: {
    command: DryRun &
      CompRequest & {
        reservationId: ReservationId;
        /** All of the stay where absent. */
        nights?: Day[];
        by: string;
        refundRequested: boolean;
        refundId: string;
        ifVersion?: number;
      };
    /** `credit` is what is paid too much and not sent back with it. */
    result: { reservation: Reservation; refund: Minor; credit: Minor };
  };
  /** Nights that were complimentary cost again what they did. */
  UNDO_COMP: {
    command: DryRun & { reservationId: ReservationId; reason?: string; by: string; ifVersion?: number };
    result: { reservation: Reservation; additional: Minor; dueDate: Instant | null };
  };
  /** Somebody confirms a PENDING reservation whose deposit is paid (docs/concepts/money.md#paid-and-not-confirmed). */
  CONFIRM_RESERVATION: {
    command: { reservationId: ReservationId; reason?: string; ifVersion?: number };
    result: { reservation: Reservation };
  };
  /** A room that is paid at the property, and that nobody has come for by its release hour. */
  RELEASE_UNCLAIMED: { command: { reservationId: ReservationId }; result: { reservation: Reservation } };
  /** The business date has rolled past the departure of a guest in house (docs/concepts/rooms.md#overstays). */
  OVERSTAY: { command: { reservationId: ReservationId }; result: { reservation: Reservation } };
  LAPSE: { command: { reservationId: ReservationId }; result: { reservation: Reservation } };
  /**
   * Takes the person out of a reservation that is over (docs/concepts/guests-and-erasure.md#erasure); again, it changes
   * nothing.
   */
  ERASE_GUEST: { command: { reservationId: ReservationId; names?: string[] }; result: null };
};

/** The surcharge of an upgrade as a price of rooms is: for each night, or for all together. */
export type UpgradePrice =
  | { amountPerNight: Minor; amount?: undefined }
  | { amount: Minor; amountPerNight?: undefined };

/** Why nights are complimentary. */
export type CompRequest = { reason: string };

/** What a booking is made of, before it has a price. */
export type BookingRequest = {
  reservationId: ReservationId;
  /** Tried in order when one is already taken in the batch. */
  confirmationNumber: string;
  guest: Guest;
  stay: Stay;
  source: Source;
  specialRequests: string[];
  billing?: Reservation['billing'];
  quote?: VerifiedQuote;
  maxTotal?: Minor;
  /** Restrictions and limits of the plan do not count. */
  override?: { reason: string };
  /** All of its nights are complimentary. */
  comp?: CompRequest;
  promoCode?: string;
  /** Who is invoiced for it. */
  companyId?: string;
  /** Takes its rooms from the blocks of this group, at their rate. */
  groupId?: GroupId;
  /** Takes its room out of this EXPLICIT hold, at its price. */
  fromHold?: string;
  personal: SealedPersonal;
  /** The guest's own data key, wrapped, when the guest is new. */
  wrappedKey?: string;
};

/** A price promised by a quote token that the caller verified (docs/reference/rates.md#quote). */
export type VerifiedQuote = {
  quoteId: string;
  expiresAt: Instant;
  nightly: Minor[];
  /** Absent in tokens of earlier releases: taxes and fees are then those of the property at the booking. */
  charges?: QuotedCharges;
  /** The promotion that the price has in it. */
  promoCode?: string;
};

/**
 * Personal fields as they may stand in the journal: ciphertext under the guest's own key
 * (docs/concepts/guests-and-erasure.md#encryption).
 */
export type SealedPersonal = { guestId: GuestId; name: string };

/** What the buyer gets back for a change of a reservation. */
export type Change = { from: unknown; to: unknown };
