import type { Policies } from './property.ts';

/** Cancellation terms under a name; a property may define its own (docs/reference/reservations.md#cancel). */
export type CancellationPolicy = {
  name: string;
  /** Free until so many hours before check-in time; `null` means never. */
  freeHours: number | null;
  /** Penalty after that: the first nights with taxes and fees, or a percentage of the whole stay. */
  penalty: { nights: number } | { percent: number };
};

/** Policies that every property has. */
export const CANCELLATION_POLICIES = ['STANDARD', 'FLEXIBLE', 'NON_REFUNDABLE'] as const;

/** FLEXIBLE is free for a day longer than STANDARD's default. */
const FLEXIBLE_HOURS = 24;

/** Definition of a named policy in a property; `undefined` when it has none of this name. */
export function policyNamed(name: string, policies: Policies): CancellationPolicy | undefined {
  if (name === 'STANDARD') return { name, freeHours: policies.freeCancellationHours, penalty: { nights: 1 } };
  if (name === 'FLEXIBLE') return { name, freeHours: FLEXIBLE_HOURS, penalty: { nights: 1 } };
  if (name === 'NON_REFUNDABLE') return { name, freeHours: null, penalty: { percent: 100 } };
  return policies.cancellationPolicies.find((policy) => policy.name === name);
}
