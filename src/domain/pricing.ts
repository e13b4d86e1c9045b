import type { Day } from './dates.ts';
import { type Minor, percentOf, scale } from './money.ts';
import type { Policies, RatePlan } from './property.ts';
import type { Night } from './reservation.ts';

/** A base rate as it is stored: the multiplier in hundredths, the amount added after it (contracts.md 6). */
export type BaseRate = { base: Minor; multiplier: number; amount: Minor };

/** One named rule and what it added to the price. */
export type PriceStep = { rule: 'base' | 'season' | 'ratePlan' | 'bounds' | 'promotion'; amount: Minor };

/**
 * The price of a night under a plan, rule by rule: base rate, season (multiplier, then its amount), the plan's percent,
 * each rounded half to even to the cent; then the bounds, of 0 for a FIXED plan, of the plan otherwise.
 */
export function priceSteps(rate: BaseRate, plan: RatePlan): PriceStep[] {
  const season = scale(rate.base, rate.multiplier, 100) + rate.amount - rate.base;
  const adjustment = percentOf(rate.base + season, plan.adjustmentPercent);
  const price = rate.base + season + adjustment;
  const fixed = plan.strategy === 'FIXED';
  const low = fixed ? 0 : percentOf(rate.base, plan.minRatePercent);
  const high = fixed ? Infinity : percentOf(rate.base, plan.maxRatePercent);
  return [
    { rule: 'base', amount: rate.base },
    { rule: 'season', amount: season },
    { rule: 'ratePlan', amount: adjustment },
    { rule: 'bounds', amount: Math.min(high, Math.max(low, price)) - price },
  ];
}

/** The sum of the steps. */
export function nightPrice(rate: BaseRate, plan: RatePlan): Minor {
  return priceSteps(rate, plan).reduce((sum, { amount }) => sum + amount, 0);
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
