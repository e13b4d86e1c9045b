import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type RateLimit, USUAL_CONSTRAINTS, type YieldConstraints, type YieldNight } from './yield-problem.ts';

/** Bounds of a rate, and what makes each. */
type RateBounds = { low: Minor; high: Minor; lowBy: RateLimit; highBy: RateLimit };

/** The ends of the rates among which a search chooses. */
export type RateRange = { lowest: Minor; highest: Minor };

/**
 * Bounds of a rate; `low` is above `high` when there is no valid one. Amounts of the currency, rounded inwards. Several
 * optimizations of one day together move a rate no further than one.
 */
export function rateBounds(night: YieldNight, of: YieldConstraints): RateBounds {
  const { current, low, high, increment = 1, dayStart = current } = night;
  const { maxRateIncrease, maxRateDecrease, costPerOccupiedRoom } = { ...USUAL_CONSTRAINTS, ...definedMembers(of) };
  const ceiling = raised(dayStart, maxRateIncrease);
  const floor = Math.ceil((dayStart * (10_000 - percentHundredths(maxRateDecrease))) / 10_000);
  // A room that costs more than it brings is never recommended; a rate that is lower already may stay.
  const cost = Math.min(costPerOccupiedRoom ?? 0, current);
  const most = isScarce(night) ? Infinity : mostWithRoomsLeft(night, maxRateIncrease);
  const ofMost = night.market === undefined ? 'NO_MARKET' : 'MARKET';
  return {
    low: Math.max(increment, Math.ceil(Math.max(low, floor, cost) / increment) * increment),
    high: Math.floor(Math.min(high, ceiling, most) / increment) * increment,
    lowBy: cost > Math.max(floor, low) ? 'COST_OF_ROOM' : floor > low ? 'MAX_RATE_DECREASE' : 'PLAN_BOUNDS',
    highBy: most < Math.min(high, ceiling) ? ofMost : ceiling < high ? 'MAX_RATE_INCREASE' : 'PLAN_BOUNDS',
  };
}

/**
 * A night that is not likely to sell out is not raised above its competitors: that guests who come late mind a rate less
 * is an assumption, and rooms are left. Without a competitor it is raised by one step in some weeks: each further one
 * would have the same assumption as its only reason, day after day.
 */
function mostWithRoomsLeft({ current, market, unadvised }: YieldNight, maxRateIncrease: number): Minor {
  const most = market ?? (unadvised === undefined ? Infinity : raised(unadvised, maxRateIncrease));
  return Math.max(most, current);
}

function raised(rate: Minor, percent: number): Minor {
  return Math.floor((rate * (10_000 + percentHundredths(percent))) / 10_000);
}

/** What has ended a change: absent where a search could have taken a rate beyond it, and has not. */
export function changeLimit(
  { night, rate, range }: { night: YieldNight; rate: Minor; range: RateRange },
  constraints: YieldConstraints,
): RateLimit | undefined {
  const rises = rate > night.current;
  if (rate !== (rises ? range.highest : range.lowest)) return undefined;
  const { low, high, lowBy, highBy } = rateBounds(night, constraints);
  const { pricePoints } = constraints;
  const isLastPoint = pricePoints && !pricePoints.some((point) => (rises ? point > high : point < low));
  return isLastPoint ? 'PRICE_POINTS' : rises ? highBy : lowBy;
}

/** Whether demand may well exceed the rooms: within a standard deviation. */
function isScarce({ capacity, booked, expected, deviation }: YieldNight): boolean {
  return expected + deviation >= capacity - booked;
}

const percentHundredths = (percent: number): number => Math.floor(percent * 100 + 1e-6);
