import { type Minor, percentOf } from './money.ts';
import type { Day } from './dates.ts';
import { instantAt, type Instant } from './property-time.ts';
import type { Policies, PropertyMetadata } from './property.ts';
import { type Reservation, totals } from './reservation.ts';

/** What cancelling costs under a name; a property may define some of its own (contracts.md 7). */
export type CancellationPolicy = {
  name: string;
  /** It costs nothing until so many hours before check-in time; null: it always costs. */
  freeHours: number | null;
  /** What it costs then: the first nights with taxes and fees, or a part of the whole stay. */
  penalty: { nights: number } | { percent: number };
};

/** The names that every property knows (specification 3). */
export const CANCELLATION_POLICIES = ['STANDARD', 'FLEXIBLE', 'NON_REFUNDABLE'] as const;

/** FLEXIBLE is free for a day longer than STANDARD's default (contracts.md 7). */
const FLEXIBLE_HOURS = 24;

/** What a name means in a property; `undefined` when it defines no such policy. */
export function policyNamed(name: string, policies: Policies): CancellationPolicy | undefined {
  if (name === 'STANDARD') return { name, freeHours: policies.freeCancellationHours, penalty: { nights: 1 } };
  if (name === 'FLEXIBLE') return { name, freeHours: FLEXIBLE_HOURS, penalty: { nights: 1 } };
  if (name === 'NON_REFUNDABLE') return { name, freeHours: null, penalty: { percent: 100 } };
  return policies.cancellationPolicies.find((policy) => policy.name === name);
}

/** Until when cancelling is free; null when it never is. */
export function freeUntil(name: string, checkIn: Day, metadata: PropertyMetadata): Instant | null {
  const { freeHours } = policyInForce(name, metadata);
  if (freeHours === null) return null;
  return instantAt(checkIn, metadata.checkInTime, metadata.timezone) - freeHours * 3_600_000;
}

/** What cancelling now costs (contracts.md 7): nothing while PENDING or before the deadline, then as the policy says. */
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
