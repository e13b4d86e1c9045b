import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { instantAt, type Instant } from '../../kernel/rules/property-time.ts';
import type { PropertyMetadata } from '../../properties/rules/property.ts';
import type { BookingTerms } from '../../rates/rules/plan-terms.ts';
import { penaltyOn, bookingTermsOf } from './booking-terms.ts';
import { retainable } from './collecting.ts';
import type { Reservation } from './reservation.ts';

/** End of free cancellation; `null` when cancelling is never free. */
export function freeUntil(
  { cancellation: { freeUntilHours } }: BookingTerms,
  checkIn: Day,
  metadata: PropertyMetadata,
): Instant | null {
  if (freeUntilHours === null) return null;
  return instantAt(checkIn, metadata.checkInTime, metadata.timezone) - freeUntilHours * 3_600_000;
}

/** Until when guests change a stay by themselves. */
export function guestChangesUntil(checkIn: Day, { policies, checkInTime, timezone }: PropertyMetadata): Instant {
  return instantAt(checkIn, checkInTime, timezone) - policies.modificationDeadlineHours * 3_600_000;
}

/**
 * Penalty for cancelling now: the amount retained by earlier changes and ends or, after the deadline and not while
 * PENDING, the penalty of the terms, whichever is more.
 */
export function cancellationPenalty(reservation: Reservation, metadata: PropertyMetadata, now: Instant): Minor {
  const { nights, stay, status, retained = 0 } = reservation;
  if (status === 'PENDING') return retained;
  const terms = bookingTermsOf(reservation, metadata.policies);
  const deadline = freeUntil(terms, stay.checkIn, metadata);
  if (deadline !== null && now < deadline) return retained;
  return Math.max(retained, penaltyOn(terms.cancellation.penalty, nights, reservation.currency));
}

/** Penalty for a no-show. */
export function noShowPenalty(reservation: Reservation, metadata: PropertyMetadata): Minor {
  const { noShow } = bookingTermsOf(reservation, metadata.policies);
  return Math.max(reservation.retained ?? 0, penaltyOn(noShow, reservation.nights, reservation.currency));
}

/**
 * Minimum price of a stay after it is changed or left early: what a cancellation at this moment would retain. No
 * sequence of changes is therefore cheaper than cancelling (docs/reference/reservations.md#terms).
 */
export function retainedByChange(reservation: Reservation, metadata: PropertyMetadata, now: Instant): Minor {
  const penalty = retainable(reservation, metadata.policies, cancellationPenalty(reservation, metadata, now));
  return Math.max(reservation.retained ?? 0, penalty);
}
