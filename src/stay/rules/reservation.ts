import type { Companion, Guest, Sharer } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { BookingId, GroupId, PaymentId, PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { InvoicedCompany } from '../../money/rules/company.ts';
import type { FolioWindow, RoutingRule } from '../../money/rules/folio-window.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Payment, PaymentMethod } from '../../money/rules/payment.ts';
import type { PostingDays } from '../../money/rules/posting-days.ts';
import type { PostalAddress, RoomStatus } from '../../properties/rules/property.ts';
import type { BookedTaxes } from '../../rates/rules/night-charges.ts';
import type { BookingTerms } from '../../rates/rules/plan-terms.ts';
import type { PriceBasis } from '../../rates/rules/price-basis.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { RoomWish } from '../../rooms/rules/room-wishes.ts';
import type { UnmetWish } from '../../rooms/rules/unmet-wishes.ts';
import type { BookingGuarantee } from './guarantee.ts';

/** Allowed actions of each status are in reservation-states.ts. */
export const RESERVATION_STATUSES = [
  'PENDING',
  'CONFIRMED',
  'CHECKED_IN',
  'CHECKED_OUT',
  'CANCELLED',
  'NO_SHOW',
] as const;
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number];

export const CANCEL_REASONS = [
  'GUEST_REQUEST',
  'PROPERTY_REQUEST',
  'DUPLICATE',
  'NO_PAYMENT',
  'FORCE_MAJEURE',
  'OTHER',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number] | 'HOLD_EXPIRED' | 'RELEASED' | 'ERASED' | 'WALKED';

type TimelineEntry = {
  event: string;
  timestamp: Instant;
  status: ReservationStatus;
  notes?: string;
  by: string;
};

export type CheckInRecord = {
  checkInId: string;
  at: Instant;
  keyCards: number;
  staffMember?: string;
  notes?: string;
  guests?: { adults: number; children: number };
  /** Best available rate of the night, at which a day-use guest pays who does not leave. */
  nightRate?: Minor;
  /** The room and its state before the guest came; absent in records of earlier releases. */
  room?: { roomNumber: string; status: RoomStatus };
};

/** State in which a guest left the room (docs/reference/reservations.md#values). */
export const ROOM_CONDITIONS = ['GOOD', 'NEEDS_CLEANING', 'DAMAGED'] as const;
export type RoomCondition = (typeof ROOM_CONDITIONS)[number];

export type CheckOutRecord = {
  checkOutId: string;
  at: Instant;
  roomCondition: RoomCondition;
  keyCardsReturned: number;
  staffMember?: string;
  /** Checked out without payment (`force-checkout`). */
  forced?: true;
  loyaltyPoints: number;
};

/** Channel of a booking (`source.channel`). */
export const BOOKING_CHANNELS = [
  'DIRECT',
  'WEBSITE',
  'PHONE',
  'WALKIN',
  'OTA',
  'CORPORATE',
  'GROUP',
  'AGENT',
] as const;
export type BookingChannel = (typeof BOOKING_CHANNELS)[number];

/** Recipient of the payment for a sale: the property, or the selling channel, which then owes it to the property. */
export const COLLECTORS = ['PROPERTY', 'CHANNEL'] as const;

export type Source = {
  channel?: string;
  medium?: string;
  campaign?: string;
  /** What the channel calls the reservation: each id once in a tenant and channel. */
  externalId?: string;
  collectedBy?: (typeof COLLECTORS)[number];
  /** Nights that were sold out when a channel sold them (docs/reference/channels.md#overbookings). */
  overbooked?: Day[];
  /**
   * The last message of the channel: a keyed hash, its own time of the change, and the stay and price that it said, with
   * the channel's ids of room and rate.
   */
  message?: { hash: string; at?: Instant; said?: { stay: Stay; price: string; room?: string; rate?: string } };
};

/** A waived part of a penalty; negative for an amount that was collected after the day on which it came due. */
type Waiver = { day: Day; amount: Minor };

/**
 * Where a guest was sent whom the property could not take in, and what it owes for that
 * (docs/reference/waitlist.md#walk). Who walked the guest, when and why is said by the cancellation.
 */
export type Walk = {
  /** The other hotel; absent when the guest was erased. */
  to?: string;
  compensation: Minor;
};

/** End of a cancelled or no-show reservation (docs/reference/reservations.md#cancel). */
export type Cancellation = {
  cancellationId: string;
  reason: CancelReason;
  description?: string;
  cancelledBy: string;
  policyName: string;
  deadline: Instant | null;
  /** Retained amount: by the terms, less what has been waived since. */
  penalty: Minor;
  /** Waived parts of the penalty, with their business dates. */
  waived?: Waiver[];
  /** Part of the penalty that is still to be charged to a card on file; retained once charged. */
  owed?: { amount: Minor; paymentId: PaymentId };
  /** Price of the stay before it ended; absent in records of earlier releases, where the sum of the nights gives it. */
  originalTotal?: Minor;
  refundEligible: boolean;
  refund: Minor;
  refundId: string | null;
  cancelledAt: Instant;
  /** Business date on which the penalty is due. */
  day: Day;
  /** Charges and credits beside the nights until the end; absent in records of earlier releases. */
  charges?: FolioCharge[];
  /** Of a guest who was sent to another hotel. */
  walk?: Walk;
};

/** An end that was taken back. Its penalty, which was one of these nights, is waived in full. */
export type EndTakenBack = Cancellation & { nights: Night[] };

/** Who has made nights of a stay complimentary, and why (docs/reference/agreed-prices.md#complimentary-nights). */
export type Comp = {
  /** Absent when the guest was erased. */
  reason?: string;
  by: string;
  at: Instant;
  /** Of a stay that is complimentary as a whole, which nothing guarantees: what guaranteed it before. */
  whole?: { guarantee?: BookingGuarantee };
  /** What the stay retained of its changes, as far as it was given up with the nights. */
  forgone?: Minor;
};

/** Allotments that a booking takes beside its rooms: a unit of its promotion, rooms from the blocks of its group. */
export type ClaimedBy = 'promoCode' | 'groupId';

/** A reservation as its actor has it; amounts in minor units. */
export type Reservation = {
  id: ReservationId;
  propertyId: PropertyId;
  confirmationNumber: string;
  status: ReservationStatus;
  guest: Guest;
  stay: Stay;
  nights: Night[];
  /** Price parts that a later change needs; absent in reservations of earlier releases. */
  basis?: PriceBasis;
  /** Taxes in force at booking, where the property has its own: changes are charged by the same ones. */
  taxedBy?: BookedTaxes[];
  currency: string;
  cancellationPolicy: string;
  /** Terms at booking; absent in reservations of earlier releases. */
  terms?: BookingTerms;
  /** Guarantee at booking; absent in reservations of earlier releases. */
  guarantee?: BookingGuarantee;
  /** Company that is invoiced for the stay or a part of it. */
  companyId?: string;
  /** Minimum price of the stay, however it is changed. */
  retained?: Minor;
  /** Amount that changes have added to the price, and its due date; instalments do not include it before. */
  deferred?: { amount: Minor; until: Instant };
  paid: Minor;
  payments: Payment[];
  roomNumber?: string;
  assignedAt?: Instant;
  /** The room was assigned by hand: no automatic rearrangement moves it. */
  roomFixed?: true;
  promoCode?: string;
  groupId?: GroupId;
  /** Of all rooms that were booked together. */
  bookingId?: BookingId;
  quoteId?: string;
  checkIn?: CheckInRecord;
  checkOut?: CheckOutRecord;
  /**
   * A check-out that waits for its payment, with all charges of its bill; nothing else may happen to the stay
   * meanwhile.
   */
  leaving?: {
    paymentId: PaymentId;
    record: CheckOutRecord;
    charges: FolioCharge[];
    checkOut: Day;
    refundId: string;
    invoiceTo?: InvoicedCompany;
  };
  /** Charges beside the nights, gross. */
  charges?: FolioCharge[];
  /** Routing of charges to folio windows; the rest follows the guarantee. */
  routing?: RoutingRule[];
  /** Windows of payments other than the guest's own window. */
  paymentWindows?: Record<PaymentId, FolioWindow>;
  /** Nights that a guest in house has given back, at their booked price. */
  givenBack?: Night[];
  /** Business dates on which its money counts; absent in reservations of earlier releases. */
  posted?: PostingDays;
  /** The booked room type, when a room of another type was assigned. */
  bookedRoomType?: string;
  /** Why nights of it are complimentary; these have what they cost before. */
  comp?: Comp;
  source: Source;
  specialRequests: string[];
  companions?: Companion[];
  sharer?: Sharer;
  /** What the stay wishes of its room, beside the preferences of the guest's profile. */
  roomWishes?: RoomWish[];
  /** Wishes that the room did not meet when it was assigned. */
  unmetWishes?: UnmetWish[];
  billing?: {
    method?: PaymentMethod;
    address?: Partial<PostalAddress> & { name?: string };
    /** Encrypted token of the card on file; never in clear. */
    card?: string;
    /** The provider has accepted the card as a guarantee and will charge it later. */
    isCardTaken?: true;
  };
  timeline: TimelineEntry[];
  cancellation?: Cancellation;
  /** Earlier ends, each taken back (docs/reference/reservations.md#reinstate). */
  endsTakenBack?: EndTakenBack[];
  /** Allotments of the booking that it no longer has; its row continues to name them. */
  unclaimed?: ClaimedBy[];
  /**
   * Issued invoices and credit notes, oldest first; stored beside the reservation. For a stay that is not over, earlier
   * ones may be absent: together they sum to zero.
   */
  documents?: InvoiceDocument[];
  /** Expiry of the hold on the rooms of a PENDING reservation. */
  holdExpiresAt?: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};
