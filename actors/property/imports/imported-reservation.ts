import type { Day } from '../../../src/kernel/rules/dates.ts';
import { businessDate, type Instant } from '../../../src/kernel/rules/property-time.ts';
import { departureOf } from '../../../src/kernel/rules/stay-days.ts';
import { received } from '../../../src/money/rules/folio.ts';
import { IMPORTED } from '../../../src/money/rules/invoice.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { clockOf, type Property } from '../../../src/properties/rules/property.ts';
import type { BookingTerms } from '../../../src/rates/rules/plan-terms.ts';
import { termsOfPlan } from '../../../src/stay/rules/booking-terms.ts';
import type { BookingGuarantee } from '../../../src/stay/rules/guarantee.ts';
import type { ImportedStay } from '../../../src/stay/rules/imported-stay.ts';
import type { Cancellation, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';

/** Terms of a stay that may be given up at any time. */
const FREE: BookingTerms = {
  cancellation: { freeUntilHours: 0, penalty: { kind: 'NONE', value: 0 } },
  earlyDeparture: { kind: 'NONE', value: 0 },
  noShow: { kind: 'NONE', value: 0 },
  change: 'FREE',
};

/** The reservation that is stored of an imported one; writes nothing. */
export function importedReservation(
  { property, plans }: Draft,
  imported: ImportedStay,
  before: Reservation | undefined,
  { now, subject: by }: DecisionContext,
): Reservation {
  const { metadata, ...named } = property!;
  const { reservationId: id, stay, status, payments, source, bookedAt: createdAt } = imported;
  const plan = plans.get(stay.rateCode);
  const created = { event: IMPORTED, timestamp: createdAt, status, by };
  const timeline = before ? [...before.timeline, { event: IMPORTED, timestamp: now, status, by }] : [created];
  return {
    id,
    propertyId: named.propertyId,
    confirmationNumber: before?.confirmationNumber ?? imported.confirmationNumber,
    status,
    guest: imported.guest,
    stay,
    nights: imported.nights,
    currency: metadata.currency,
    cancellationPolicy: plan?.cancellationPolicy ?? metadata.policies.cancellationPolicy,
    terms: imported.isFree || !plan ? FREE : termsOfPlan(plan, metadata.policies),
    guarantee: guaranteeOfImported(imported),
    paid: received(payments),
    payments,
    ...(imported.roomNumber !== undefined && { roomNumber: imported.roomNumber, assignedAt: createdAt }),
    source,
    specialRequests: imported.specialRequests,
    ...arrival(imported),
    ...ending(imported, property!, by),
    posted: postedOf(imported),
    timeline,
    version: (before?.version ?? 0) + 1,
    createdAt,
    updatedAt: now,
  };
}

/** Nobody has its card, so that nothing is collected and no room is released: it is paid at the property. */
function guaranteeOfImported({ source }: ImportedStay): BookingGuarantee {
  if (source.collectedBy === 'CHANNEL') return { kind: 'CHANNEL', channel: source.channel ?? 'OTA' };
  return { kind: 'NONE', releaseHour: null };
}

function arrival({ reservationId, status, arrivedAt, departedAt }: ImportedStay): Partial<Reservation> {
  if (status !== 'CHECKED_IN' && status !== 'CHECKED_OUT') return {};
  const checkIn = { checkInId: derivedId(reservationId, 'check-in'), at: arrivedAt, keyCards: 0 };
  if (status === 'CHECKED_IN') return { checkIn };
  const checkOutId = derivedId(reservationId, 'check-out');
  const left = { checkOutId, at: departedAt, roomCondition: 'GOOD' as const, keyCardsReturned: 0, loyaltyPoints: 0 };
  return { checkIn, checkOut: left };
}

function ending(imported: ImportedStay, property: Property, by: string): { cancellation?: Cancellation } {
  const { reservationId, status, stay, nights, retained, endedAt } = imported;
  if (status !== 'CANCELLED' && status !== 'NO_SHOW') return {};
  const isNoShow = status === 'NO_SHOW';
  const cancellation: Cancellation = {
    cancellationId: derivedId(reservationId, 'end'),
    reason: 'OTHER',
    ...(isNoShow && { description: 'No show' }),
    cancelledBy: by,
    policyName: property.metadata.policies.cancellationPolicy,
    deadline: null,
    penalty: retained,
    originalTotal: totals(nights).total,
    refundEligible: false,
    refund: 0,
    refundId: null,
    cancelledAt: endedAt,
    day: isNoShow ? stay.checkIn : dayAt(endedAt, property),
  };
  return { cancellation };
}

const dayAt = (at: Instant, property: Property): Day => businessDate(at, clockOf(property));

/** Its money counts on the days that the file says, which other reports of that time have. */
function postedOf({ status, stay, paymentDays }: ImportedStay): Reservation['posted'] {
  return {
    ...(status === 'CHECKED_OUT' && { left: departureOf(stay) }),
    ...(Object.keys(paymentDays).length > 0 && { money: paymentDays }),
  };
}
