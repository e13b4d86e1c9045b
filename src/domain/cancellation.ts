import type { Day } from './dates.ts';
import type { Minor } from './money.ts';
import { instantAt, type Instant } from './property-time.ts';
import type { PropertyMetadata } from './property.ts';
import { type Reservation, totals } from './reservation.ts';

/** FLEXIBLE is free for a day longer than STANDARD's default (contracts.md 7). */
const FLEXIBLE_HOURS = 24;

/** Until when cancelling is free; null when it never is. */
export function freeUntil(policy: string, checkIn: Day, metadata: PropertyMetadata): Instant | null {
  if (policy === 'NON_REFUNDABLE') return null;
  const hours = policy === 'FLEXIBLE' ? FLEXIBLE_HOURS : metadata.policies.freeCancellationHours;
  return instantAt(checkIn, metadata.checkInTime, metadata.timezone) - hours * 3_600_000;
}

/**
 * What cancelling now costs (contracts.md 7): nothing while PENDING or before the deadline, then the first night with
 * its taxes and fees; NON_REFUNDABLE costs everything.
 */
export function cancellationPenalty(reservation: Reservation, metadata: PropertyMetadata, now: Instant): Minor {
  if (reservation.status === 'PENDING') return 0;
  const deadline = freeUntil(reservation.cancellationPolicy, reservation.stay.checkIn, metadata);
  if (deadline === null) return totals(reservation.nights).total;
  if (now < deadline) return 0;
  const first = reservation.nights[0]!;
  return first.rate + first.taxes + first.fees;
}
