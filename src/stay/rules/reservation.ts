import type { Guest } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId, GroupId, PaymentId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { FolioWindow, RoutingRule } from '../../money/rules/folio-window.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Payment, PaymentMethod } from '../../money/rules/payment.ts';
import type { PostalAddress } from '../../properties/rules/property.ts';
import type { PriceBasis } from '../../rates/rules/price-basis.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { BookingTerms } from './booking-terms.ts';

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
export type CancelReason = (typeof CANCEL_REASONS)[number] | 'HOLD_EXPIRED' | 'ERASED';

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

export type Source = { channel?: string; medium?: string; campaign?: string };

/** A waived part of a penalty. */
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
  /** What the stay would have cost; absent in those of earlier releases, whose nights say it. */
  originalTotal?: Minor;
  refundEligible: boolean;
  refund: Minor;
  refundId: string | null;
  cancelledAt: Instant;
  /** The property's business date then. */
  day: Day;
};

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
  currency: string;
  cancellationPolicy: string;
  /** As they were when it was booked; absent in those of earlier releases. */
  terms?: BookingTerms;
  /** The least that the stay costs, whatever it is changed to. */
  retained?: Minor;
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
  /** What was booked, when a room of another type was given. */
  bookedRoomType?: string;
  source: Source;
  specialRequests: string[];
  /** `card` is the token of the card on file, encrypted: it never is here in clear. */
  billing?: { method?: PaymentMethod; address?: Partial<PostalAddress> & { name?: string }; card?: string };
  timeline: TimelineEntry[];
  cancellation?: Cancellation;
  /** Until when the rooms of a PENDING reservation are held. */
  holdExpiresAt?: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};
