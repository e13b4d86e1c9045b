import type { Day } from './dates.ts';
import type { FolioCharge } from './folio.ts';
import type { Minor } from './money.ts';
import type { Instant } from './property-time.ts';
import type { PostalAddress } from './property.ts';

/** Specification 2.4. */
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

export const PAYMENT_METHODS = [
  'CREDIT_CARD',
  'DEBIT_CARD',
  'CASH',
  'BANK_TRANSFER',
  'INVOICE',
  'CARD_ON_FILE',
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export type Guest = {
  guestId: string;
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  preferences?: { roomType?: string; floorPreference?: string; bedType?: string; smokingPreference?: string };
  /** What the reservation called the guest before: needed to take the person out of texts, and for nothing else. */
  former?: string[];
};

/** Former names and addresses of a guest that a reservation keeps; more are typing errors of one another. */
const MAX_FORMER = 40;

/** What of a guest changes; null takes the phone away, what is absent stays. */
export type GuestChange = Partial<Pick<Guest, 'firstName' | 'lastName' | 'email' | 'preferences'>> & {
  phone?: string | null;
};

/** What is not named stays, of the preferences too. */
export function guestAfter(guest: Guest, { phone = guest.phone, preferences, ...named }: GuestChange): Guest {
  const { phone: _, ...before } = guest;
  return {
    ...before,
    ...named,
    ...(phone !== null && phone !== undefined && { phone }),
    ...(preferences && { preferences: { ...guest.preferences, ...preferences } }),
    ...formerOf(guest, { ...named, phone: phone ?? undefined }),
  };
}

function formerOf(guest: Guest, next: Partial<Guest>): Pick<Guest, 'former'> {
  const given = (['firstName', 'lastName', 'email', 'phone'] as const).flatMap((name) => {
    const was = guest[name];
    return was !== undefined && name in next && next[name] !== was ? [was] : [];
  });
  if (given.length === 0) return {};
  return { former: [...new Set([...(guest.former ?? []), ...given])].slice(-MAX_FORMER) };
}

/** Which room, when, for how many: check-in night inclusive, check-out day exclusive. */
export type Stay = {
  roomType: string;
  checkIn: Day;
  checkOut: Day;
  adults: number;
  children: number;
  rateCode: string;
};

/** One booked night; its price never changes while room type, rate code and occupancy stay. */
export type Night = { day: Day; rate: Minor; taxes: Minor; fees: Minor };

export type Payment = {
  paymentId: string;
  type: 'CHARGE' | 'REFUND';
  amount: Minor;
  method: PaymentMethod | null;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'REFUNDED';
  transactionId?: string;
  /** Of a refund: the charge that it gives back, or a part of it. */
  chargeId?: string;
  /** Of a refund that somebody of the house has paid out: who, and what a bank or a till knows it by. */
  paidOut?: { by: string; reference?: string };
  processedAt?: Instant;
  createdAt: Instant;
};

export type TimelineEntry = {
  event: string;
  timestamp: Instant;
  status: ReservationStatus;
  notes?: string;
  by: string;
};

/** By nights stayed in 365 days (contracts.md 7). */
export const LOYALTY_TIERS = ['NONE', 'SILVER', 'GOLD', 'PLATINUM'] as const;
export type LoyaltyTier = (typeof LOYALTY_TIERS)[number];

/** Check-in record (specification 2.2). */
export type CheckInRecord = {
  checkInId: string;
  at: Instant;
  keyCards: number;
  staffMember?: string;
  notes?: string;
  guests?: { adults: number; children: number };
};

/** In which state a guest left the room (contracts.md 3). */
export const ROOM_CONDITIONS = ['GOOD', 'NEEDS_CLEANING', 'DAMAGED'] as const;
export type RoomCondition = (typeof ROOM_CONDITIONS)[number];

/** Check-out record (specification 4.2). */
export type CheckOutRecord = {
  checkOutId: string;
  at: Instant;
  roomCondition: RoomCondition;
  keyCardsReturned: number;
  staffMember?: string;
  /** Let go without payment (contracts.md 7, force-checkout). */
  forced?: true;
  loyaltyPoints: number;
};

export type Source = { channel?: string; medium?: string; campaign?: string };

/** A part of a penalty that is not kept any more. */
export type Waiver = { day: Day; amount: Minor };

/** How a cancelled reservation ended (specification 4.2, DELETE). */
export type Cancellation = {
  cancellationId: string;
  reason: CancelReason;
  description?: string;
  cancelledBy: string;
  policyName: string;
  deadline: Instant | null;
  /** What is kept: as the terms say, less what has been waived since. */
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

/** A reservation (specification 2.2) as its actor holds it; amounts in minor units. */
export type Reservation = {
  id: string;
  propertyId: string;
  confirmationNumber: string;
  status: ReservationStatus;
  guest: Guest;
  stay: Stay;
  nights: Night[];
  currency: string;
  cancellationPolicy: string;
  paid: Minor;
  payments: Payment[];
  roomNumber?: string;
  assignedAt?: Instant;
  /** The room was given by hand: no rearrangement takes it away. */
  roomFixed?: true;
  promoCode?: string;
  groupId?: string;
  quoteId?: string;
  checkIn?: CheckInRecord;
  checkOut?: CheckOutRecord;
  /** A check-out that waits for its payment, with all charges of its bill; nothing else may happen to the stay meanwhile. */
  leaving?: { paymentId: string; record: CheckOutRecord; charges: FolioCharge[]; checkOut: Day; refundId: string };
  /** Charged beside the nights, gross. */
  charges?: FolioCharge[];
  /** Nights that a guest in the house has given back, at the price that they were booked at. */
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

export type Totals = { base: Minor; taxes: Minor; fees: Minor; total: Minor };

/** total = base + taxes + fees (specification 4.2), summed over the nights. */
export function totals(nights: readonly Night[]): Totals {
  let base = 0;
  let taxes = 0;
  let fees = 0;
  for (const night of nights) {
    base += night.rate;
    taxes += night.taxes;
    fees += night.fees;
  }
  return { base, taxes, fees, total: base + taxes + fees };
}
