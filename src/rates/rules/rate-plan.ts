import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { BookingTerms, PlanGuarantee } from './plan-terms.ts';

/** Best available rate: the plan that every property has, and whose price grids and dashboards show. */
export const BAR = 'BAR';

/** What a plan adds to its rules (docs/concepts/forecast.md#how-a-price-is-made). */
export const STRATEGIES = ['FIXED', 'DYNAMIC', 'SEASONAL', 'WEEKEND', 'LASTMINUTE', 'EARLYBIRD'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Only an ACTIVE plan is sold. */
export const PLAN_STATUSES = ['DRAFT', 'ACTIVE', 'INACTIVE'] as const;
type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Lower-case English names, as `dayOfWeekRates` has them; index 0 is Sunday. */
export const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type DayName = (typeof DAY_NAMES)[number];

/** What one person, two persons and each further person pay for a night. */
type OccupancyRules = { singleRate?: Minor; doubleRate?: Minor; extraPersonRate?: Minor };

/** From so many nights on the price moves by a percent; the longest that fits counts. */
type LengthRule = { minNights: number; percent: number };

/** When the arrival is within these days from today, both inclusive, the price moves by a percent. */
type AdvanceRule = { minDays?: number; maxDays?: number; percent: number };

/** A part of every year, `MM-DD` both inclusive, over the turn of the year too. */
export type YearSeason = { start: string; end: string; percent: number };

/** How a plan that is not FIXED moves by itself; what is absent has the defaults of `pricing.ts`. */
export type StrategyRules = {
  /** WEEKEND: Friday and Saturday nights. */
  weekendPercent?: number;
  /** LASTMINUTE: arrivals within so many days. */
  lastMinuteDays?: number;
  lastMinutePercent?: number;
  /** EARLYBIRD: arrivals from so many days on. */
  earlyBirdDays?: number;
  earlyBirdPercent?: number;
  /** SEASONAL. */
  seasons?: YearSeason[];
  /** DYNAMIC: percent of the base rate for each room sold, and the most that all of them add. */
  bidPercentPerRoom?: number;
  bidCeilingPercent?: number;
  /** DYNAMIC: how much of the way to the market's median a price goes, in percent, and how far at most. */
  marketSharePercent?: number;
  marketMostPercent?: number;
};

/**
 * A rate plan (docs/reference/rates.md#rate-plans): how the base rate of a night becomes a price, and who may book it.
 */
export type RatePlan = PlanGuarantee & {
  id: string;
  code: string;
  name: string;
  status: PlanStatus;
  strategy: Strategy;
  cancellationPolicy: string;
  /** Its own, in the place of those that follow from its cancellation policy. */
  terms?: Omit<BookingTerms, 'ofPlan'>;
  /** Priced off another plan: its price, then the adjustment. */
  parentCode?: string;
  /** Against the base rate, or the parent's price: 10 is ten percent dearer. */
  adjustmentPercent: number;
  /** Added after the percent. */
  adjustmentAmount?: Minor;
  /** What a night costs under the plan whatever the base rate of the property. */
  baseRate?: Minor;
  /** Bounds in percent of the base rate, and amounts that are tighter still. */
  minRatePercent: number;
  maxRatePercent: number;
  minRate?: Minor;
  maxRate?: Minor;
  minLengthOfStay: number;
  maxLengthOfStay: number;
  minAdvanceBooking: number;
  maxAdvanceBooking: number;
  occupancyRules?: OccupancyRules;
  dayOfWeekRates?: Partial<Record<DayName, Minor>>;
  lengthOfStayRules?: LengthRule[];
  advanceRules?: AdvanceRule[];
  strategyRules?: StrategyRules;
  /** Nights that are sold under it, both inclusive. */
  validFrom?: Day;
  validTo?: Day;
};

/** Of plans that say nothing; one without an adjustment sells the base rate itself, unbounded. */
export const DEFAULT_RULES = {
  minLengthOfStay: 1,
  maxLengthOfStay: 30,
  minAdvanceBooking: 0,
  maxAdvanceBooking: 365,
  adjustmentPercent: 0,
  minRatePercent: 0,
  maxRatePercent: 10_000,
} as const satisfies Partial<RatePlan>;

/** How deep plans may be derived from each other: a parent may itself have a parent. */
export const MOST_LEVELS = 2;

/**
 * A plan with those it is derived from, the plan itself first, the one that prices by itself last. One whose parent is
 * not there, or that would never end, prices by itself from there on: others may write plans too.
 */
export function lineageOf(plans: ReadonlyMap<string, RatePlan>, plan: RatePlan): RatePlan[] {
  const lineage = [plan];
  for (let next = parentOf(plans, plan); next && lineage.length <= MOST_LEVELS; next = parentOf(plans, next)) {
    if (lineage.includes(next)) break;
    lineage.push(next);
  }
  return lineage;
}

function parentOf(plans: ReadonlyMap<string, RatePlan>, { parentCode }: RatePlan): RatePlan | undefined {
  return parentCode === undefined ? undefined : plans.get(parentCode);
}

/** Whether a price depends on who stays how long, or on how far ahead it is booked. */
export function dependsOnStay({ strategy, occupancyRules, lengthOfStayRules, advanceRules }: RatePlan): boolean {
  return (
    strategy === 'LASTMINUTE' ||
    strategy === 'EARLYBIRD' ||
    occupancyRules !== undefined ||
    (lengthOfStayRules?.length ?? 0) > 0 ||
    (advanceRules?.length ?? 0) > 0
  );
}
