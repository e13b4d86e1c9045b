import type { Day } from '../../kernel/rules/dates.ts';
import { type Minor, percentOf } from '../../kernel/rules/money.ts';
import { instantAt, type Instant } from '../../kernel/rules/property-time.ts';
import { totals } from '../../money/rules/night.ts';
import { type CancellationPolicy, policyNamed } from '../../properties/rules/cancellation-policy.ts';
import type { PropertyMetadata } from '../../properties/rules/property.ts';
import type { Reservation } from './reservation.ts';

/** Until when cancelling is free; null when it never is. */
export function freeUntil(name: string, checkIn: Day, metadata: PropertyMetadata): Instant | null {
  const { freeHours } = policyInForce(name, metadata);
  if (freeHours === null) return null;
  return instantAt(checkIn, metadata.checkInTime, metadata.timezone) - freeHours * 3_600_000;
}

/** What cancelling now costs: nothing while PENDING or before the deadline, then as the policy says. */
export function cancellationPenalty(reservation: Reservation, metadata: PropertyMetadata, now: Instant): Minor {
  if (reservation.status === 'PENDING') return 0;
  const { nights, cancellationPolicy: name, stay } = reservation;
  const deadline = freeUntil(name, stay.checkIn, metadata);
  if (deadline !== null && now < deadline) return 0;
  const { penalty } = policyInForce(name, metadata);
  return 'nights' in penalty
    ? totals(nights.slice(0, penalty.nights)).total
    : percentOf(totals(nights).total, penalty.percent);
}

/** A booking may name a policy that its property has given up since: it is cancelled as the usual one. */
function policyInForce(name: string, { policies }: PropertyMetadata): CancellationPolicy {
  return policyNamed(name, policies) ?? policyNamed('STANDARD', policies)!;
}
