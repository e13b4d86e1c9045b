import type { Day } from './dates.ts';
import { type Minor, percentOf, scale } from './money.ts';
import type { Policies, RatePlan } from './property.ts';
import type { Night } from './reservation.ts';

/** A base rate as it is stored: the multiplier in hundredths, the amount added after it (contracts.md 6). */
export type BaseRate = { base: Minor; multiplier: number; amount: Minor };

/**
 * The price of a night under a plan: base x season, plus the season's amount, then the plan's percent, each rounded
 * half to even to the cent; never below 0. Only plans that are not FIXED are clamped to their bounds.
 */
export function nightPrice(rate: BaseRate, plan: RatePlan): Minor {
  const seasonal = scale(rate.base, rate.multiplier, 100) + rate.amount;
  const price = seasonal + percentOf(seasonal, plan.adjustmentPercent);
  if (plan.strategy === 'FIXED') return Math.max(0, price);
  const low = percentOf(rate.base, plan.minRatePercent);
  const high = percentOf(rate.base, plan.maxRatePercent);
  return Math.min(high, Math.max(low, price));
}

/** Tax of one night: percent of its rate, half to even. */
export function nightTax(rate: Minor, policies: Policies): Minor {
  return percentOf(rate, policies.taxPercent);
}

/** Fees of one night: a sum a night and a sum a person and night, untaxed. */
export function nightFee(guests: number, policies: Policies): Minor {
  return policies.feePerNight + policies.feePerPersonNight * guests;
}

/** A booked night at a given rate. */
export function bookedNight(day: Day, rate: Minor, guests: number, policies: Policies): Night {
  return { day, rate, taxes: nightTax(rate, policies), fees: nightFee(guests, policies) };
}
