import type { Minor } from '../../src/kernel/rules/money.ts';
import type { DemandBelief } from './demand-belief.ts';
import { baseRate } from './demand-scenario.ts';
import { meanRate, type Policy, type SimulatedProperty } from './demand-simulator.ts';

/** Percent of the base rate, from so many percent of booked rooms on. */
const LADDER = [
  { from: 0, percent: 90 },
  { from: 30, percent: 100 },
  { from: 50, percent: 112 },
  { from: 70, percent: 125 },
  { from: 85, percent: 145 },
];

/**
 * Rate of an empty night in percent of the base rate, the addition of a full property's rooms one by one, and the
 * maximum. The best of 108 settings over the hotels of `npm run yield:simulate`, on seeds from 500001 on: the product
 * is compared with a tuned bid price.
 */
const BID_PRICE = { empty: 75, full: 120, ceiling: 200 };

/** Bounds of rates in percent of the base rate, as rate plans have them (docs/reference/rates.md#rate-plans). */
export const BOUNDS = { low: 60, high: 200 };

type PolicyOf = (property: SimulatedProperty, belief: DemandBelief) => Policy;

export const fixedRate: PolicyOf = (property) => bySold(property, () => 100);
export const occupancyLadder: PolicyOf = (property) =>
  bySold(property, (sold) => LADDER.findLast(({ from }) => sold * 100 >= from)!.percent);
export const plainBidPrice: PolicyOf = (property) =>
  bySold(property, (sold) => Math.min(BID_PRICE.ceiling, BID_PRICE.empty + BID_PRICE.full * sold));

/** Percent of the base rate by the share of rooms that are sold, night by night. */
function bySold(property: SimulatedProperty, percent: (sold: number) => number): Policy {
  const { scenario } = property;
  return {
    quote: (stay) =>
      meanRate(stay, (night) => {
        const sold = property.booked(stay.type, night) / property.rooms(stay.type);
        return percentOfBase(baseRate(scenario, stay.type, night), percent(sold));
      }),
  };
}

export function percentOfBase(base: Minor, percent: number): Minor {
  return Math.round((base * percent) / 100);
}

export function withinBounds(rate: Minor, base: Minor): Minor {
  return Math.round(Math.min(percentOfBase(base, BOUNDS.high), Math.max(percentOfBase(base, BOUNDS.low), rate)));
}
