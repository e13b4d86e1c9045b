import type { Companion, Guest, GuestChange, LoyaltyTier, Sharer } from '../../../guests/rules/guest.ts';
import type { InvoicedCompany } from '../../../money/rules/company.ts';
import type { ExtraStock } from '../../../money/rules/extra.ts';
import type { Bill } from '../../../money/rules/folio.ts';
import type { Night } from '../../../money/rules/night.ts';
import type { Payment } from '../../../money/rules/payment.ts';
import type { TaxLine } from '../../../money/rules/taxes.ts';
import type { Room } from '../../../properties/rules/property.ts';
import type { QuotedCharges } from '../../../rates/rules/night-charges.ts';
import type { PriceBasis } from '../../../rates/rules/price-basis.ts';
import type { Stay } from '../../../rates/rules/stay.ts';
import type { RoomWish } from '../../../rooms/rules/room-wishes.ts';
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
import type { BookingId, GroupId, GuestId, HoldId, InquiryId, PaymentId, ReservationId } from '../ids.ts';
import type { Minor } from '../money.ts';
import type { Instant } from '../property-time.ts';

export type StayCommands = {
  /** Holds rooms at the current price (docs/reference/reservations.md#holds). */
  PLACE_HOLD: {
    command: MayHold & {
      holdId: HoldId;
      /** With the party of the returned price. */
      stay: Stay;
      rooms: number;
      /** Highest accepted total of one room. */
      maxTotal?: Minor;
    };
    result: Hold;
  };
  EXTEND_HOLD: { command: { holdId: HoldId }; result: Hold };
  RELEASE_HOLD: { command: { holdId: HoldId }; result: Hold };
  /** Step one of a paid booking: holds rooms and records a payment attempt (docs/concepts/money.md#payments). */
  START_BOOKING: {
    command: { holdId: HoldId; booking: BookingRequest; attempt: Payment };
    /** The hold with its price and payment attempt, ready to be charged. */
    result: { holdId: HoldId; reservation: Reservation; attempt: Payment; expiresAt: Instant } & OtherRooms;
  };
  /**
   * Step one of a paid booking of several rooms (docs/reference/bookings.md#several-rooms): all of them are held, or
   * none. One attempt pays for all; CONFIRM_BOOKING and ABANDON_BOOKING of the first room end it for all.
   */
  START_ROOMS: {
    command: {
      rooms: { holdId: HoldId; booking: BookingRequest; paymentId: PaymentId }[];
      attempt: Payment;
      /** Highest accepted total of all rooms. */
      maxTotal?: Minor;
    };
    result: StayCommands['START_BOOKING']['result'];
  };
  CONFIRM_BOOKING: {
    command: { holdId: HoldId; payment: Payment };
    result: { reservation: Reservation } & OtherRooms;
  };
  ABANDON_BOOKING: { command: { holdId: HoldId; payment: Payment; refusal?: { detail: string } }; result: null };
  /** Books without a card: PENDING with a hold, or CONFIRMED where no payment is needed. */
  BOOK: {
    command: MayHold & {
      booking: BookingRequest;
      pendingPaymentId: PaymentId;
      /** The card that guarantees it, and how many holds it has in other properties of the tenant: its limit is one for all. */
      guarantee?: { card: string; openElsewhere: number };
    };
    result: { reservation: Reservation };
  };
  /** Books several rooms without a card: all of them, or none. */
  BOOK_ROOMS: {
    command: MayHold &
      DryRun & {
        /** Refused rooms are all named, and not only the first (docs/reference/groups.md#rooming-list). */
        everyFault?: true;
        rooms: { booking: BookingRequest; pendingPaymentId: PaymentId }[];
        guarantee?: StayCommands['BOOK']['command']['guarantee'];
        maxTotal?: Minor;
      };
    result: { reservation: Reservation } & OtherRooms;
  };
  /** `invoiceTo` of this command and of others that end a stay is the company of the stay, as it is now. */
  CANCEL: {
    command: DryRun & {
      reservationId: ReservationId;
      cancellationId: string;
      refundId: string;
      reason: CancelReason;
      description?: string;
      cancelledBy: string;
      refundRequested: boolean;
      invoiceTo?: InvoicedCompany;
      ifVersion?: number;
      /** Of the channel that cancels. */
      message?: SoldByChannel['message'];
    };
    result: { reservation: Reservation };
  };
  MODIFY: {
    command: MayHold & {
      reservationId: ReservationId;
      modificationId: string;
      refundId: string;
      stay: Partial<Stay> & { nights?: number };
      /** Highest accepted total of the changed stay. */
      maxTotal?: Minor;
      /** Ignores restrictions and limits of the plan. */
      override?: SealedOverride;
      /** A channel has changed what it has sold: nothing refuses it. */
      sold?: SoldByChannel;
      guest: GuestChange;
      specialRequests?: string[];
      companions?: Companion[];
      /** `null` takes it away. */
      sharer?: Sharer | null;
      /** Wrapped data key of a sharer without a profile. */
      sharerKey?: string;
      roomWishes?: RoomWish[];
      reason?: string;
      modifiedBy?: string;
      /** The stock that extras of the stay are taken from on its new nights. */
      extraStock: ExtraStock;
      ifVersion?: number;
      /** New ciphertext when contact data changes. */
      personal?: SealedPersonal;
      dryRun: boolean;
    };
    result: {
      reservation: Reservation;
      /** Its nights before, where the stay has changed. */
      previous?: Night[];
      modificationId: string;
      changes: Record<string, Change>;
      additional: Minor;
      dueDate: Instant | null;
      refund: Minor;
      modifiedAt: Instant;
    };
  };
  /** Checks a guest in (docs/reference/reservations.md#check-in-and-check-out). */
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
  /** Takes a check-in of the same business date back (docs/reference/desk.md#undo-a-check-in). */
  UNDO_CHECK_IN: {
    command: DryRun & {
      reservationId: ReservationId;
      reason?: string;
      /** The guest was in the room, which has to be cleaned. */
      roomUsed: boolean;
      by: string;
      ifVersion?: number;
    };
    /** `room` as it is then; absent where it was removed. */
    result: { reservation: Reservation; room?: Room };
  };
  /**
   * Checks a guest out. An open amount is charged first: the answer is then a payment attempt, and END_PAYMENT
   * completes both.
   */
  CHECK_OUT: {
    command: DryRun & {
      tier: LoyaltyTier;
      reservationId: ReservationId;
      checkOutId: string;
      /** Id of the charge of the card on file, should anything be due. */
      paymentId: PaymentId;
      refundId: string;
      /** Time reported by the desk; now without it. */
      at?: Instant;
      charges: { description: string; amount: Minor; day?: Day; code?: string; taxLines?: TaxLine[] }[];
      roomCondition: RoomCondition;
      keyCardsReturned: number;
      staffMember?: string;
      /** Checks out with an open balance (`force-checkout`). */
      forced: boolean;
      invoiceTo?: InvoicedCompany;
      ifVersion?: number;
    };
    /** `refunds` ordered by it; absent in answers of earlier releases. */
    result: { reservation: Reservation; bill: Bill; attempt?: Payment; refunds?: Payment[] };
  };
  /**
   * Records a no-show: by hand on the arrival day, or at the roll after it (docs/reference/reservations.md#states).
   */
  NO_SHOW: {
    command: DryRun & {
      reservationId: ReservationId;
      cancellationId: string;
      refundId: string;
      by: string;
      reason?: string;
      invoiceTo?: InvoicedCompany;
      ifVersion?: number;
      /** Not before check-in time and the property's grace period, which the decision checks. */
      afterGrace?: boolean;
    };
    result: { reservation: Reservation };
  };
  /** Sends a guest who arrives today to another hotel (docs/reference/waitlist.md#walk). */
  WALK: {
    command: DryRun & {
      reservationId: ReservationId;
      cancellationId: string;
      refundId: string;
      to: string;
      /** What the property owes the guest for it; no provider pays it. */
      compensation: Minor;
      reason: string;
      by: string;
      invoiceTo?: InvoicedCompany;
      ifVersion?: number;
    };
    result: { reservation: Reservation };
  };
  /** Reinstates a cancelled reservation or a no-show (docs/reference/reservations.md#reinstate). */
  REINSTATE: {
    command: DryRun & {
      reservationId: ReservationId;
      /** Id of the awaited payment, should the stay not be guaranteed by what is paid. */
      pendingPaymentId: PaymentId;
      reason: string;
      by: string;
      extraStock: ExtraStock;
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
  /** Confirms a PENDING reservation with a paid deposit by hand (docs/concepts/money.md#paid-and-not-confirmed). */
  CONFIRM_RESERVATION: {
    command: { reservationId: ReservationId; reason?: string; ifVersion?: number };
    result: { reservation: Reservation };
  };
  /** Releases a room that is paid at the property and unclaimed at its release hour. */
  RELEASE_UNCLAIMED: { command: { reservationId: ReservationId }; result: { reservation: Reservation } };
  /** Adds a night to the stay of a guest in house whose departure has passed (docs/concepts/rooms.md#overstays). */
  OVERSTAY: { command: { reservationId: ReservationId }; result: { reservation: Reservation } };
  LAPSE: { command: { reservationId: ReservationId }; result: { reservation: Reservation } };
  /**
   * Erases a guest from a reservation that is over (docs/concepts/guests-and-erasure.md#erasure); repeating it has
   * no effect. Nodes of release 0.1.0 name no guest: they mean who has booked.
   */
  ERASE_GUEST: { command: { reservationId: ReservationId; guestId?: GuestId; names?: string[] }; result: null };
};

/** The surcharge of an upgrade as a price of rooms is: for each night, or for all together. */
export type UpgradePrice =
  | { amountPerNight: Minor; amount?: undefined }
  | { amount: Minor; amountPerNight?: undefined };

/** Why nights are complimentary. */
type CompRequest = { reason: string };

/** A booking request before it is priced. */
export type BookingRequest = {
  reservationId: ReservationId;
  /** The booking that it is one room of. */
  bookingId?: BookingId;
  /** Candidates, tried in order when one is taken in the batch. */
  confirmationNumber: string;
  guest: Guest;
  stay: Stay;
  source: Source;
  specialRequests: string[];
  companions?: Companion[];
  sharer?: Sharer;
  /** Wrapped data key of a sharer without a profile. */
  sharerKey?: string;
  roomWishes?: RoomWish[];
  billing?: Reservation['billing'];
  quote?: VerifiedQuote;
  /** The inquiry whose price `quote` is. */
  inquiryId?: InquiryId;
  maxTotal?: Minor;
  /** Ignores restrictions and limits of the plan. */
  override?: SealedOverride;
  /** A channel has sold it: nothing refuses it. */
  sold?: SoldByChannel;
  /** All of its nights are complimentary. */
  comp?: CompRequest;
  promoCode?: string;
  /** Company that is invoiced. */
  companyId?: string;
  /** Takes its rooms from the blocks of this group, at the group's rate. */
  groupId?: GroupId;
  /** Takes its room out of this EXPLICIT hold, at the held price. */
  fromHold?: string;
  personal: SealedPersonal;
  /** The guest's own wrapped data key, for a new guest. */
  wrappedKey?: string;
};

/** What a channel says of a stay that it has sold (docs/reference/channels.md#bookings). */
export type SoldByChannel = {
  message: NonNullable<Source['message']>;
  /** Who takes the money of the guest. */
  collectedBy?: Source['collectedBy'];
  /** Stay and price are those of its last message: they stay as the desk may have changed them. */
  isAsBefore: boolean;
  /** What the guest pays for the stay, taxes and fees included. */
  total?: Minor;
  /** Rates of the nights, without taxes and fees on top. */
  nightly?: Minor[];
};

/** A room of a list that cannot be booked, counted from 0. */
export type RoomFault = { room: number; code: string; detail: string; date?: string };

/** Reservations of the further rooms of a booking, in the order of the request. */
type OtherRooms = { others?: Reservation[] };

/** Reason for ignoring restrictions; for the journal as ciphertext under the guest's own key, as it may name the guest. */
type SealedOverride = { reason: string; sealed?: string };

/** A price promised by a quote token, verified by the caller (docs/reference/rates.md#quote). */
export type VerifiedQuote = {
  quoteId: string;
  expiresAt: Instant;
  nightly: Minor[];
  /** Absent in tokens of earlier releases: taxes and fees are then those at booking time. */
  charges?: QuotedCharges;
  /** What the prices follow from, where they depend on the stay; absent in tokens of earlier releases. */
  basis?: PriceBasis;
  /** The promotion contained in the price. */
  promoCode?: string;
};

/**
 * Personal fields for the journal: ciphertext under the guest's own key
 * (docs/concepts/guests-and-erasure.md#encryption).
 */
export type SealedPersonal = { guestId: GuestId; name: string };

/** One changed field of a reservation, for the answer. */
export type Change = { from: unknown; to: unknown };
