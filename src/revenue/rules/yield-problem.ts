import type { PriceChange } from '../../kernel/rules/commands/rates.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Strategy } from '../../rates/rules/rate-plan.ts';

/** What a yield optimization is for (docs/reference/rates.md#optimization). */
export const OBJECTIVES = ['MAXIMIZE_REVENUE', 'MAXIMIZE_OCCUPANCY', 'MAXIMIZE_REVPAR'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** One room type on one night, and what is known of it. */
export type YieldNight = {
  roomType: string;
  day: Day;
  /** Rooms there are to sell at all, out of order and blocked ones taken off. */
  capacity: number;
  /** Of them booked or held; fewer, in fractions too, where some are expected to be cancelled. */
  booked: number;
  /** What the booked rooms bring; without it they count at the current rate. */
  bookedRevenue?: Minor;
  /** The rate of now; more than 0. */
  current: Minor;
  /** Bounds of a rate, both included. */
  low: Minor;
  high: Minor;
  /** Unconstrained remaining demand in rooms at the current rate. */
  expected: number;
  /** Standard deviation of that, chance included. */
  deviation: number;
  /** Median of competitors' rates. */
  market?: Minor;
  /** What rates are multiples of, where the currency has no cents. */
  increment?: Minor;
};

export type YieldConstraints = {
  /** Percent of the period's capacity that must be sold; 0 to 100. */
  minOccupancy?: number;
  /** No rate rises by more than this percent of what it is; 0 or more. */
  maxRateIncrease?: number;
};

export type YieldProblem = {
  objective: Objective;
  constraints: YieldConstraints;
  /** Which rates may change, and how: see `yield-choices.ts`. */
  strategy: Strategy;
  /** The business date: demand and its elasticity depend on the days that are left. */
  today: Day;
  /** In any order; each room type and day once. */
  nights: readonly YieldNight[];
  seed: number;
};

/** A rate that should change. A night without one keeps its rate. */
export type YieldRecommendation = {
  roomType: string;
  day: Day;
  current: Minor;
  optimized: Minor;
  /** 0 to 1: how much of what demand and its elasticity may truly be bears the change out. */
  confidence: number;
  /** Why, in one sentence with amounts. */
  expectedImpact: string;
};

/** Revenue counts what is booked and what is expected to be; percentages have two decimals. */
export type YieldPlan = {
  status: 'COMPLETED';
  projectedRevenue: Minor;
  currentRevenue: Minor;
  /** Percent. */
  revenueIncrease: number;
  /** Percent, of the mean rate over all nights. */
  averageRateChange: number;
  /** Points. */
  occupancyImpact: number;
  /** Percent. */
  projectedOccupancy: number;
  generations: number;
  /** Room type by room type, in the order of days. */
  recommendations: YieldRecommendation[];
  /** Constraints that no rates are expected to meet; absent in plans of earlier releases, which met all. */
  unmet?: UnmetConstraint[];
};

/** In percent; `reachable` is rounded down, so it can always be requested. */
export type UnmetConstraint = { constraint: 'minOccupancy'; asked: number; reachable: number };

const MISSING = ['NIGHTS', 'CAPACITY', 'DEMAND'] as const;

/** Nothing to decide on: no priced nights, no rooms, or no expected demand. */
export type YieldWithoutData = { status: 'INSUFFICIENT_DATA'; missing: (typeof MISSING)[number] };

export type YieldAnswer = YieldPlan | YieldWithoutData;

/** What a plan changes. */
export function rateChangesOf({ recommendations }: YieldPlan): PriceChange[] {
  return recommendations.map(({ roomType, day, current, optimized }) => ({
    roomType,
    day,
    from: current,
    to: optimized,
  }));
}
