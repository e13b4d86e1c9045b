import { decimalText, type Minor } from '../../kernel/rules/money.ts';
import {
  ASSUMED_DEMAND,
  DEMAND,
  demandLeft,
  doubtOf,
  expectedSold,
  remainingElasticity,
  usualPrice,
} from '../../rates/rules/demand-model.ts';
import type { YieldNight, YieldProblem, YieldReason } from './yield-problem.ts';

/** A night before and after its rate changes. */
export type RateStep = {
  night: YieldNight;
  optimized: Minor;
  /** Expected rooms sold at the current rates, and under the plan. */
  soldNow: number;
  soldThen: number;
  /** Value of a room sold beside its rate under the objective, and for a minimum of occupancy. */
  bonus: number;
  worthOfRoom: number;
};

/** Points of a normal distribution, in standard deviations, and their weights. */
const SCENARIOS = [
  { off: -2, weight: 0.054 },
  { off: -1, weight: 0.242 },
  { off: 0, weight: 0.408 },
  { off: 1, weight: 0.242 },
  { off: 2, weight: 0.054 },
] as const;

/** Minimum relative uncertainty of a forecast. */
const LEAST_DOUBT = 0.01;

/** Limits of the confidence. */
const SUREST = 0.95;
const LEAST_SURE = 0.05;

/**
 * Confidence in a change: the weight of the cases, 5 x 5 of demand and elasticity around the model, in which the night
 * earns more at the new rate than at the current one.
 * @returns 0.05 to 0.95 with two decimals
 */
export function confidenceIn(
  { night, optimized, bonus, worthOfRoom }: RateStep,
  { today, demand = ASSUMED_DEMAND }: Pick<YieldProblem, 'today' | 'demand'>,
): number {
  const { capacity, booked, expected, deviation, current, market, day } = night;
  const rooms = Math.max(0, Math.floor(capacity - booked));
  const elasticity = remainingElasticity(day, today, demand.elasticity);
  const { withMarket, withoutMarket } = DEMAND.elasticityDoubt;
  const elasticityDoubt =
    remainingElasticity(day, today, demand.doubt) * (market === undefined ? 1 : withMarket / withoutMarket);
  const demandDoubt = Math.sqrt(Math.max(LEAST_DOUBT, doubtOf(expected, deviation)));
  const change = (optimized - current) / usualPrice(current, market);
  const extra = bonus + worthOfRoom;
  let sure = 0;
  for (const demand of SCENARIOS) {
    const mean = expected * Math.max(0.05, 1 + demand.off * demandDoubt);
    const now = expectedSold(mean, 0, rooms) * (current + extra);
    for (const { off, weight } of SCENARIOS) {
      const left = demandLeft(elasticity * Math.max(0.05, 1 + off * elasticityDoubt), change);
      if (expectedSold(mean * left, 0, rooms) * (optimized + extra) > now) sure += weight * demand.weight;
    }
  }
  return Math.round(Math.min(SUREST, Math.max(LEAST_SURE, sure)) * 100) / 100;
}

/** Reason for a change in one sentence, then rooms and revenue of the night before and after. */
export function explain(change: RateStep): string {
  const { night, optimized, soldNow, soldThen } = change;
  const { revenueBefore: before, revenueAfter: after } = revenueOf(change);
  const rates = `at ${decimalText(optimized)} instead of ${decimalText(night.current)}`;
  const rooms = `${soldThen.toFixed(1)} more rooms are expected to sell instead of ${soldNow.toFixed(1)}`;
  return `${reasonOf(change).text}: ${rates}, ${rooms}, for ${decimalText(after)} instead of ${decimalText(before)}.`;
}

/** Expected revenue of the rooms of a night that are still to be sold, at the current rate and at the new one. */
export function revenueOf({ night, optimized, soldNow, soldThen }: RateStep): {
  revenueBefore: Minor;
  revenueAfter: Minor;
} {
  return { revenueBefore: Math.round(soldNow * night.current), revenueAfter: Math.round(soldThen * optimized) };
}

/** Why a rate changes. */
export function reasonOf({ night, optimized, soldNow, soldThen, worthOfRoom }: RateStep): YieldReason {
  const { current, low, high, market, expected } = night;
  if (current < low || current > high)
    return why('BOUNDS', `The rate is outside of its bounds of ${decimalText(low)} to ${decimalText(high)}`, {
      lowest: low,
      highest: high,
    });
  const rooms = Math.max(0, Math.floor(night.capacity - night.booked));
  const left = `${rooms} ${rooms === 1 ? 'room is' : 'rooms are'} left`;
  if (optimized > current) {
    if (expected > 0.9 * rooms)
      return why('DEMAND', `${left} and ${expected.toFixed(1)} are expected to be asked for`, {
        roomsLeft: rooms,
        expectedRooms: tenths(expected),
      });
    if (market !== undefined && market > current) return ofMarket(market);
    return why('INVENTORY', 'Guests of these nights mind the rate less than the rooms are worth');
  }
  if (worthOfRoom > 0 && soldThen * optimized < soldNow * current)
    return why('INVENTORY', 'The period would miss the occupancy that was asked for');
  if (market !== undefined && market < current) return ofMarket(market);
  return why('DEMAND', `${left} and only ${soldNow.toFixed(1)} are expected to sell`, {
    roomsLeft: rooms,
    expectedRooms: tenths(soldNow),
  });
}

type Named = Omit<YieldReason, 'kind' | 'text'>;
const why = (kind: YieldReason['kind'], text: string, named: Named = {}): YieldReason => ({ kind, text, ...named });
const ofMarket = (market: Minor): YieldReason => why('MARKET', `Competitors ask ${decimalText(market)}`, { market });
const tenths = (rooms: number): number => Math.round(rooms * 10) / 10;
