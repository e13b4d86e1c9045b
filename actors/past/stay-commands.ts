import { demoBytes, demoId } from '../../src/demo/rules/demo-ids.ts';
import type { DemoGuest } from '../../src/demo/rules/guests.ts';
import type { PlannedStay } from '../../src/demo/rules/plan.ts';
import type { Command, CommandOf } from '../../src/kernel/rules/commands.ts';
import type { BookingRequest } from '../../src/kernel/rules/commands/stay.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { InvoicedCompany } from '../../src/money/rules/company.ts';
import { billOf } from '../../src/money/rules/folio.ts';
import type { Payment } from '../../src/money/rules/payment.ts';
import { partyOfPersons } from '../../src/rates/rules/stay.ts';
import { owedByAccount } from '../../src/stay/rules/collecting.ts';
import { confirmationNumber } from '../../src/stay/rules/confirmation-number.ts';
import type { Reservation, Source } from '../../src/stay/rules/reservation.ts';

/** A guest of the past, with the key that his name is sealed under. */
type KnownGuest = { guestId: string; profile: DemoGuest; seal(text: string): string };

/** What commands of the past need besides the stay. */
export type StayWorld = {
  seed: number;
  /** First number of the stays of the property. */
  offset: number;
  guestOf(stay: PlannedStay): KnownGuest;
  guestIdOf(stay: PlannedStay): string;
  /** Seals the token of a card on file. */
  sealCard(token: string, reservationId: string): string;
  companies: readonly InvoicedCompany[];
  /** Codes of the plans by the way of booking, where they are not those of the demo. */
  plans?: Partial<Record<PlannedStay['way'], string>>;
};

/** Rate plans and channels of the ways of booking. */
const SOLD_AS = {
  COMPANY: { rateCode: 'CORP', source: { channel: 'CORPORATE' } },
  CHANNEL: { rateCode: 'BAR', source: { channel: 'OTA', collectedBy: 'CHANNEL' } },
  PREPAID: { rateCode: 'BAR', source: { channel: 'WEBSITE' } },
  NON_REFUNDABLE: { rateCode: 'NRF', source: { channel: 'WEBSITE' } },
  CARD: { rateCode: 'FLEX', source: { channel: 'DIRECT' } },
  AT_HOTEL: { rateCode: 'HOTEL', source: { channel: 'PHONE' } },
} as const satisfies Record<PlannedStay['way'], { rateCode: string; source: Source }>;

/** The way of a group, which takes the terms of its property. */
const OF_GROUP = { rateCode: 'BAR', source: { channel: 'GROUP' } } as const;

export const reservationIdOf = ({ seed }: StayWorld, { n, bookedAt }: PlannedStay): string =>
  demoId(seed, 'reservation', n, bookedAt);

function bookingOf(world: StayWorld, stay: PlannedStay, groupId?: string): BookingRequest {
  const { guestId, profile, seal } = world.guestOf(stay);
  const { country: _, ...person } = profile;
  const reservationId = reservationIdOf(world, stay);
  const { rateCode: usual, source } = groupId === undefined ? SOLD_AS[stay.way] : OF_GROUP;
  const rateCode = (groupId === undefined && world.plans?.[stay.way]) || usual;
  const { roomType, arrival: checkIn, departure: checkOut, adults, way, company } = stay;
  const card = way === 'CARD' && { card: world.sealCard('tok_visa', reservationId), isCardTaken: true as const };
  return {
    reservationId,
    confirmationNumber: confirmationNumber(demoBytes(world.seed, stay.n)),
    guest: { guestId, ...person },
    stay: { roomType, checkIn, checkOut, ...partyOfPersons(adults), rateCode },
    source,
    specialRequests: [],
    ...(card && { billing: { method: 'CREDIT_CARD' as const, ...card } }),
    ...(company !== undefined && groupId === undefined && { companyId: world.companies[company]!.companyId }),
    ...(groupId !== undefined && { groupId }),
    personal: { guestId, name: seal(`${profile.firstName} ${profile.lastName}`) },
  };
}

/** Commands that book a stay: with a payment in two steps, as the service does it. */
export function playedBooking(world: StayWorld, stay: PlannedStay, at: Instant, groupId?: string): Command[] {
  const booking = bookingOf(world, stay, groupId);
  const isPaid = groupId !== undefined || stay.way === 'PREPAID' || stay.way === 'NON_REFUNDABLE';
  const paymentId = demoId(world.seed, 'payment', 2 * stay.n, at);
  if (!isPaid) return [{ type: 'BOOK', booking, pendingPaymentId: paymentId }];
  const holdId = demoId(world.seed, 'hold', stay.n, at);
  const attempt: Payment = {
    paymentId,
    type: 'CHARGE',
    amount: 0,
    method: 'CREDIT_CARD',
    status: 'PROCESSING',
    createdAt: at,
  };
  return [
    { type: 'START_BOOKING', holdId, booking, attempt },
    { type: 'CONFIRM_BOOKING', holdId, payment: attempt },
  ];
}

/** A payment as it is once its provider has it. */
export function completed(payment: Payment, at: Instant): Payment {
  return { ...payment, status: 'COMPLETED', transactionId: `sim_${payment.paymentId}`, processedAt: at };
}

export function playedCancel({ seed }: StayWorld, id: string, stay: PlannedStay, at: Instant): CommandOf<'CANCEL'> {
  return {
    type: 'CANCEL',
    reservationId: id,
    cancellationId: demoId(seed, 'document', 4 * stay.n, at),
    refundId: demoId(seed, 'refund', stay.n, at),
    reason: 'GUEST_REQUEST',
    cancelledBy: 'guest',
    refundRequested: true,
  };
}

export function playedNoShow({ seed }: StayWorld, id: string, stay: PlannedStay, at: Instant): CommandOf<'NO_SHOW'> {
  return {
    type: 'NO_SHOW',
    reservationId: id,
    cancellationId: demoId(seed, 'document', 4 * stay.n, at),
    refundId: demoId(seed, 'refund', stay.n, at),
    by: 'system',
  };
}

export function playedCheckIn(
  { seed }: StayWorld,
  id: string,
  stay: PlannedStay,
  at: Instant,
): CommandOf<'CHECK_IN'> {
  const checkInId = demoId(seed, 'document', 4 * stay.n + 1, at);
  return {
    type: 'CHECK_IN',
    reservationId: id,
    checkInId,
    at,
    identified: true,
    keyCards: stay.adults,
    tier: 'NONE',
  };
}

export function playedCharge(
  { seed }: StayWorld,
  id: string,
  stay: PlannedStay,
  at: Instant,
): CommandOf<'POST_CHARGE'> {
  const postingId = demoId(seed, 'posting', stay.n, at);
  const drink = { description: 'Hotel bar', unitAmount: stay.extra!, quantity: 1 };
  return { type: 'POST_CHARGE', reservationId: id, postingId, ...drink, by: 'desk' };
}

/** Takes what the guest himself owes; what an account owes goes to it with the check-out. */
export function playedPayment(
  { seed }: StayWorld,
  reservation: Reservation,
  stay: PlannedStay,
  at: Instant,
): CommandOf<'START_PAYMENT'> | undefined {
  const { balance } = billOf(reservation);
  if (balance - owedByAccount(reservation, balance) <= 0) return undefined;
  const paymentId = demoId(seed, 'payment', 2 * stay.n + 1, at);
  const method = stay.n % 5 === 0 ? 'CASH' : 'CREDIT_CARD';
  const attempt: Payment = { paymentId, type: 'CHARGE', amount: 0, method, status: 'PROCESSING', createdAt: at };
  return { type: 'START_PAYMENT', reservationId: reservation.id, attempt };
}

export function playedCheckOut(
  { seed, companies }: StayWorld,
  id: string,
  stay: PlannedStay,
  at: Instant,
): CommandOf<'CHECK_OUT'> {
  return {
    type: 'CHECK_OUT',
    reservationId: id,
    checkOutId: demoId(seed, 'document', 4 * stay.n + 2, at),
    paymentId: demoId(seed, 'document', 4 * stay.n + 3, at),
    refundId: demoId(seed, 'refund', stay.n, at),
    at,
    charges: [],
    roomCondition: 'GOOD',
    keyCardsReturned: stay.adults,
    forced: false,
    ...(stay.company !== undefined && { invoiceTo: companies[stay.company]! }),
    tier: 'NONE',
  };
}
