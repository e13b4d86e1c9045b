import { dayOf } from '../domain/dates.ts';
import type { RatePlan } from '../domain/property.ts';
import type { RatePlanRow, StoredRules } from './entities/properties.ts';

/** Specification 2.1 for the first four; a plan without an adjustment sells the base rate itself, unbounded. */
export const DEFAULT_RULES: Required<StoredRules> = {
  minLengthOfStay: 1,
  maxLengthOfStay: 30,
  minAdvanceBooking: 0,
  maxAdvanceBooking: 365,
  adjustmentPercent: 0,
  minRatePercent: 0,
  maxRatePercent: 10_000,
};

/** A row of `rates`, which holds rate plans (contracts.md 4). */
export function toRatePlan(row: RatePlanRow): RatePlan {
  const rules = { ...DEFAULT_RULES, ...row.rules };
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    strategy: row.strategy,
    cancellationPolicy: row.cancellation_policy,
    adjustmentPercent: rules.adjustmentPercent,
    minRatePercent: rules.minRatePercent,
    maxRatePercent: rules.maxRatePercent,
    minLengthOfStay: rules.minLengthOfStay,
    maxLengthOfStay: rules.maxLengthOfStay,
    minAdvanceBooking: rules.minAdvanceBooking,
    maxAdvanceBooking: rules.maxAdvanceBooking,
    validFrom: row.valid_from ? dayOf(row.valid_from) : undefined,
    validTo: row.valid_to ? dayOf(row.valid_to) : undefined,
  };
}
