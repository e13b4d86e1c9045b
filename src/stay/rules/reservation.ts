import type { Guest } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId, GroupId, PaymentId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { FolioWindow, RoutingRule } from '../../money/rules/folio-window.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Payment, PaymentMethod } from '../../money/rules/payment.ts';
import type { PostingDays } from '../../money/rules/posting-days.ts';
import type { PostalAddress } from '../../properties/rules/property.ts';
import type { BookedTaxes } from '../../rates/rules/night-charges.ts';
import type { BookingTerms } from '../../rates/rules/plan-terms.ts';
import type { PriceBasis } from '../../rates/rules/price-basis.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { BookingGuarantee } from './guarantee.ts';

/** What may be done in each is in reservation-states.ts. */
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
export type CancelReason = (typeof CANCEL_REASONS)[number] | 'HOLD_EXPIRED' | 'RELEASED' | 'ERASED';

type TimelineEntry = {
  event: string;
  timestamp: Instant;
  status: ReservationStatus;
  notes?: string;
  by: string;
};

/** Check-in record. */
export type CheckInRecord = {
  checkInId: string;
  at: Instant;
  keyCards: number;
  staffMember?: string;
  notes?: string;
  guests?: { adults: number; children: number };
};

/** In which state a guest left the room (docs/reference/reservations.md#values). */
export const ROOM_CONDITIONS = ['GOOD', 'NEEDS_CLEANING', 'DAMAGED'] as const;
export type RoomCondition = (typeof ROOM_CONDITIONS)[number];

/** Check-out record. */
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

/** How a booking came to the property (`source.channel`). */
export const BOOKING_CHANNELS = ['DIRECT', 'WEBSITE', 'PHONE', 'WALKIN', 'OTA', 'CORPORATE', 'GROUP'] as const;
export type BookingChannel = (typeof BOOKING_CHANNELS)[number];

/** Who gets the money of a sale: the property, or the channel that has sold it, which then owes it. */
export const COLLECTORS = ['PROPERTY', 'CHANNEL'] as const;

export type Source = {
  channel?: string;
  medium?: string;
  campaign?: string;
  collectedBy?: (typeof COLLECTORS)[number];
};

/** A waived part of a penalty; below 0: one that was collected after the day on which it came due. */
type Waiver = { day: Day; amount: Minor };

/** How a cancelled reservation ended (docs/reference/reservations.md#cancel). */
export type Cancellation = {
  cancellationId: string;
  reason: CancelReason;
  description?: string;
  cancelledBy: string;
  policyName: string;
  deadline: Instant | null;
  /** The retained amount: by the terms, less what has been waived since. */
  penalty: Minor;
  /** What of the penalty was given up, and on which business date. */
  waived?: Waiver[];
  /** What of the penalty a card on file is yet to pay; it is retained when it has. */
  owed?: { amount: Minor; paymentId: PaymentId };
  /** What the stay would have cost; absent in those of earlier releases, whose nights say it. */
  originalTotal?: Minor;
  refundEligible: boolean;
  refund: Minor;
  refundId: string | null;
  cancelledAt: Instant;
  /** The business date on which its penalty is due. */
  day: Day;
  /** What was charged or credited beside the nights until then; absent in those of earlier releases. */
  charges?: FolioCharge[];
};

/** An end that was taken back; of its penalty, which was one of these nights, nothing is left (`waived`). */
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

/** What a booking takes beside its rooms: a unit of its promotion, rooms out of the blocks of its group. */
export type ClaimedBy = 'promoCode' | 'groupId';

/** A reservation as its actor holds it; amounts in minor units. */
export type Reservation = {
  id: string;
  propertyId: PropertyId;
  confirmationNumber: string;
  status: ReservationStatus;
  guest: Guest;
  stay: Stay;
  nights: Night[];
  /** What their prices were made of, where that matters to a change; absent in those of earlier releases. */
  basis?: PriceBasis;
  /** What its nights were charged by, where the property has taxes of its own: a change charges them by the same. */
  taxedBy?: BookedTaxes[];
  currency: string;
  cancellationPolicy: string;
  /** As they were when it was booked; absent in those of earlier releases. */
  terms?: BookingTerms;
  /** What it needed when it was booked; absent in those of earlier releases. */
  guarantee?: BookingGuarantee;
  /** Who is invoiced for it, or for a part of it. */
  companyId?: string;
  /** The least that the stay costs, whatever it is changed to. */
  retained?: Minor;
  /** What changes have added to its price, and until when that may be paid; before, no instalment counts it. */
  deferred?: { amount: Minor; until: Instant };
  paid: Minor;
  payments: Payment[];
  roomNumber?: string;
  assignedAt?: Instant;
  /** The room was given by hand: no rearrangement takes it away. */
  roomFixed?: true;
  promoCode?: string;
  groupId?: GroupId;
  quoteId?: string;
  checkIn?: CheckInRecord;
  checkOut?: CheckOutRecord;
  /**
   * A check-out that waits for its payment, with all charges of its bill; nothing else may happen to the stay
   * meanwhile.
   */
  leaving?: { paymentId: PaymentId; record: CheckOutRecord; charges: FolioCharge[]; checkOut: Day; refundId: string };
  /** Charged beside the nights, gross. */
  charges?: FolioCharge[];
  /** Which window of the folio pays for what; the rest follows its guarantee. */
  routing?: RoutingRule[];
  /** Windows of payments that are not the guest's own. */
  paymentWindows?: Record<PaymentId, FolioWindow>;
  /** Nights that a guest in house has given back, at the price that they were booked at. */
  givenBack?: Night[];
  /** On which business dates its money counts; absent in those of earlier releases. */
  posted?: PostingDays;
  /** What was booked, when a room of another type was given. */
  bookedRoomType?: string;
  /** Why nights of it are complimentary; these have what they cost before. */
  comp?: Comp;
  source: Source;
  specialRequests: string[];
  billing?: {
    method?: PaymentMethod;
    address?: Partial<PostalAddress> & { name?: string };
    /** The token of the card on file, encrypted: it never is here in clear. */
    card?: string;
    /** The provider has taken the card as a guarantee, and will charge it later. */
    isCardTaken?: true;
  };
  timeline: TimelineEntry[];
  cancellation?: Cancellation;
  /** Ends before, each taken back (docs/reference/reservations.md#reinstate). */
  endsTakenBack?: EndTakenBack[];
  /** What it was booked with and has no more: the columns of its row go on naming it. */
  unclaimed?: ClaimedBy[];
  /**
   * Invoices and credit notes that were issued, oldest first; stored beside the reservation. Of a stay that is not over
   * those of before may be absent: they come to nothing together.
   */
  documents?: InvoiceDocument[];
  /** Until when the rooms of a PENDING reservation are held. */
  holdExpiresAt?: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};
