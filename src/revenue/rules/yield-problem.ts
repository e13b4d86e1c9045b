import type { PriceChange } from '../../kernel/rules/commands/rates.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { DEFAULT_POLICIES, type Policies } from '../../properties/rules/property.ts';
import type { LearnedDemand } from '../../rates/rules/demand-model.ts';
import type { Strategy } from '../../rates/rules/rate-plan.ts';
import type { DemandForecast } from './forecast/demand-forecast.ts';

/** Objectives of a yield optimization (docs/reference/rates.md#optimization). */
export const OBJECTIVES = ['MAXIMIZE_REVENUE', 'MAXIMIZE_OCCUPANCY', 'MAXIMIZE_REVPAR', 'MAXIMIZE_PROFIT'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** Inputs for one room type on one night. */
export type YieldNight = {
  roomType: string;
  day: Day;
  /** Sellable rooms, without out-of-order and blocked ones. */
  capacity: number;
  /** Booked or held; less, in fractions too, by expected cancellations. */
  booked: number;
  /** Revenue of the booked rooms; defaults to the current rate for each. */
  bookedRevenue?: Minor;
  /** The current rate; more than 0. */
  current: Minor;
  /** Bounds of a rate, inclusive. */
  low: Minor;
  high: Minor;
  /** Unconstrained remaining demand in rooms at the current rate. */
  expected: number;
  /** Its standard deviation, randomness included. */
  deviation: number;
  /** Median of competitors' rates. */
  market?: Minor;
  /** Price increment, where the currency has no cents. */
  increment?: Minor;
  /** The rate with which the business date began, where it has changed since: limits of a change count from it. */
  dayStart?: Minor;
  /** The rate before recommendations of the last weeks moved it, where they have. */
  unadvised?: Minor;
  /** Rooms that the night has gained in the last week, and what nights usually gain so many days before. */
  pickup?: RecentPickup;
};

/** In rooms of the whole property. */
export type RecentPickup = { rooms: number; usual: number };

export type YieldConstraints = {
  /** Minimum occupancy of the period in percent; 0 to 100. */
  minOccupancy?: number;
  /** Maximum rise of a rate in percent of that with which the business date began; 0 or more. */
  maxRateIncrease?: number;
  /** Maximum fall of a rate, likewise; 0 to 100. */
  maxRateDecrease?: number;
  /** A change that gains less than so many percent of its night's revenue is not recommended. */
  minGainPercent?: number;
  /** What a room costs for each night on which it is occupied: cleaning, laundry, breakfast. */
  costPerOccupiedRoom?: Minor;
  /** The only rates to choose from, where a property sells by a ladder of them. */
  pricePoints?: readonly Minor[];
  /** The same change for all nights of one weekday in a calendar month. */
  sameByWeekday?: boolean;
};

const { maxRateIncrease, maxRateDecrease, minGainPercent } = DEFAULT_POLICIES;

/** Constraints that hold where neither the request nor the property says anything. */
export const USUAL_CONSTRAINTS = { maxRateIncrease, maxRateDecrease, minGainPercent } as const;

/** Constraints with which a plan was made. */
export type AppliedConstraints = YieldConstraints & Record<keyof typeof USUAL_CONSTRAINTS, number>;

/** Constraints that a property sets (docs/reference/set-up.md#policies); those of a request replace them one by one. */
export function constraintsOf(policies: Policies, requested: YieldConstraints): YieldConstraints {
  const { costPerOccupiedRoom: cost, pricePoints, sameByWeekday, ...limits } = policies;
  return {
    maxRateIncrease: limits.maxRateIncrease,
    maxRateDecrease: limits.maxRateDecrease,
    minGainPercent: limits.minGainPercent,
    ...(cost > 0 && { costPerOccupiedRoom: cost }),
    ...(pricePoints.length > 0 && { pricePoints }),
    ...(sameByWeekday && { sameByWeekday }),
    ...definedMembers(requested),
  };
}

export type YieldProblem = {
  objective: Objective;
  constraints: YieldConstraints;
  /** Which rates may change, and how: see `yield-choices.ts`. */
  strategy: Strategy;
  /** The business date: demand and its elasticity depend on the days left. */
  today: Day;
  /** In any order; each room type and day once. */
  nights: readonly YieldNight[];
  /** What the property has learned about its guests; the assumptions without it. */
  demand?: LearnedDemand;
  /** Method of the forecast of most nights. */
  model?: DemandForecast['method'];
  /** Mean confidence of the forecasts of its nights, 0 to 1. */
  confidence?: number;
  seed: number;
};

/** What a recommendation follows; BOUNDS is in plans of earlier releases only. */
export const REASON_KINDS = ['DEMAND', 'MARKET', 'PICKUP', 'INVENTORY', 'LENGTH_OF_STAY', 'BOUNDS'] as const;
export type YieldReason = {
  kind: (typeof REASON_KINDS)[number];
  text: string;
  /** What the sentence names, for readers in other languages: each where it names it. */
  roomsLeft?: number;
  roomsSold?: number;
  expectedRooms?: number;
  usualRooms?: number;
  market?: Minor;
  lowest?: Minor;
  highest?: Minor;
};

/** What ends a change: a policy of the property or the request, bounds of the rate plan, or competitors or their lack. */
export const RATE_LIMITS = [
  'MAX_RATE_INCREASE',
  'MAX_RATE_DECREASE',
  'PLAN_BOUNDS',
  'MARKET',
  'NO_MARKET',
  'PRICE_POINTS',
  'COST_OF_ROOM',
] as const;
export type RateLimit = (typeof RATE_LIMITS)[number];

/** A rate that should change. A night without one keeps its rate. */
export type YieldRecommendation = {
  roomType: string;
  day: Day;
  current: Minor;
  optimized: Minor;
  /** 0 to 1: share of the plausible values of demand and elasticity under which the change pays. */
  confidence: number;
  /** Reasons in one sentence with amounts. */
  expectedImpact: string;
  /**
   * Expected revenue of the night's rooms that are still to be sold, and the same with what the change brings to all
   * nights of the stays that see it: the differences sum to the gain of the plan. Like what follows absent in plans of
   * earlier releases.
   */
  revenueBefore?: Minor;
  revenueAfter?: Minor;
  /** Rooms that are expected to sell on this night, at the current rates and under the plan. */
  roomsBefore?: number;
  roomsAfter?: number;
  /** The strongest first, two at most. */
  reasons?: YieldReason[];
  /** Between which rates the search has chosen, and what has ended the change where it is at an end of them. */
  lowestRate?: Minor;
  highestRate?: Minor;
  limitedBy?: RateLimit;
};

/** Revenue includes booked and expected rooms; percentages have two decimals. */
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
  /** Revenue that a point of occupancy costs; where the objective is occupancy, and rates bring any. */
  costPerOccupancyPoint?: Minor;
  /** Revenue without the cost of occupied rooms, where one is known. */
  currentProfit?: Minor;
  projectedProfit?: Minor;
  generations: number;
  /** With which it was made, those of the property included; absent in plans of earlier releases. */
  constraints?: AppliedConstraints;
  /** Method of the forecast of most nights; absent in plans of earlier releases. */
  model?: DemandForecast['method'];
  /** Mean confidence of the forecasts of its nights; absent in plans of earlier releases. */
  confidence?: number;
  /** Room type by room type, in the order of days. */
  recommendations: YieldRecommendation[];
  /** Constraints that no rates are expected to meet; absent in plans of earlier releases, which met all. */
  unmet?: UnmetConstraint[];
  /** What the rule of the property has accepted of it, once. */
  byRule?: AcceptedByRule;
};

/** Nights whose recommended rate a rule has accepted, with its limit and the user who has set it. */
export type AcceptedByRule = {
  upToPercent: number;
  setBy: string;
  at: Instant;
  nights: { roomType: string; day: Day }[];
};

/**
 * In percent; `reachable` is rounded down, so it can always be requested. Where revenue is the objective, no rate loses
 * any to reach it.
 */
export type UnmetConstraint = { constraint: 'minOccupancy'; asked: number; reachable: number };

const MISSING = ['NIGHTS', 'CAPACITY', 'DEMAND'] as const;

/** Missing inputs: no priced nights, no rooms, or no expected demand. */
export type YieldWithoutData = { status: 'INSUFFICIENT_DATA'; missing: (typeof MISSING)[number] };

export type YieldAnswer = YieldPlan | YieldWithoutData;

/** The rate changes of a plan. */
export function rateChangesOf({ recommendations }: YieldPlan): PriceChange[] {
  return recommendations.map(({ roomType, day, current, optimized }) => ({
    roomType,
    day,
    from: current,
    to: optimized,
  }));
}
