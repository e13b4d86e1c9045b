import type { Policies } from './property.ts';

/**
 * What cancelling costs under a name; a property may define some of its own (docs/reference/reservations.md#cancel).
 */
export type CancellationPolicy = {
  name: string;
  /** It costs nothing until so many hours before check-in time; null: it always costs. */
  freeHours: number | null;
  /** What it costs then: the first nights with taxes and fees, or a part of the whole stay. */
  penalty: { nights: number } | { percent: number };
};

/** The names that every property knows. */
export const CANCELLATION_POLICIES = ['STANDARD', 'FLEXIBLE', 'NON_REFUNDABLE'] as const;

/** FLEXIBLE is free for a day longer than STANDARD's default. */
const FLEXIBLE_HOURS = 24;

/** What a name means in a property; `undefined` when it defines no such policy. */
export function policyNamed(name: string, policies: Policies): CancellationPolicy | undefined {
  if (name === 'STANDARD') return { name, freeHours: policies.freeCancellationHours, penalty: { nights: 1 } };
  if (name === 'FLEXIBLE') return { name, freeHours: FLEXIBLE_HOURS, penalty: { nights: 1 } };
  if (name === 'NON_REFUNDABLE') return { name, freeHours: null, penalty: { percent: 100 } };
  return policies.cancellationPolicies.find((policy) => policy.name === name);
}
