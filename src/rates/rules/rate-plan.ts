import { canonical } from '../../kernel/rules/canonical.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { textHash } from '../../kernel/rules/random.ts';
import type { OccupancyPrice } from './occupancy.ts';
import type { BookingTerms, PlanGuarantee } from './plan-terms.ts';

/** Best available rate: the plan of every property whose price grids and dashboards show. */
export const BAR = 'BAR';

/** Price strategies of a plan (docs/concepts/forecast.md#how-a-price-is-made). */
export const STRATEGIES = ['FIXED', 'DYNAMIC', 'SEASONAL', 'WEEKEND', 'LASTMINUTE', 'EARLYBIRD'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Only an ACTIVE plan is sold. */
export const PLAN_STATUSES = ['DRAFT', 'ACTIVE', 'INACTIVE'] as const;
type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Lower-case English names as in `dayOfWeekRates`; index 0 is Sunday. */
export const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type DayName = (typeof DAY_NAMES)[number];

/** Night rates for one person and for two, of which the difference counts, and the amount for each further person. */
type OccupancyRules = { singleRate?: Minor; doubleRate?: Minor; extraPersonRate?: Minor };

/** Price of a stay without a night, for one room type or for all others. */
type DayUseRate = { roomType?: string; rate: Minor };

/** Price adjustment in percent for stays of so many nights or more; the longest applicable rule counts. */
type LengthRule = { minNights: number; percent: number };

/** Price adjustment in percent for arrivals within these days from today, both inclusive. */
type AdvanceRule = { minDays?: number; maxDays?: number; percent: number };

/** A part of every year, `MM-DD` both inclusive; may cross the end of a year. */
export type YearSeason = { start: string; end: string; percent: number };

/** What the bid price of a DYNAMIC plan follows (docs/concepts/forecast.md#bid-prices, #live-rates). */
export const BID_PRICES_BY = ['ROOMS_SOLD', 'PROGRAM', 'LIVE'] as const;

/** Parameters of a plan that is not FIXED; defaults are in `pricing.ts`. */
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
  /** DYNAMIC: percentage of the base rate for each sold room, and the maximum of their sum. */
  bidPercentPerRoom?: number;
  bidCeilingPercent?: number;
  /**
   * DYNAMIC: PROGRAM replaces the percentage for each sold room by the computed bid price, where there is one. LIVE
   * replaces demand, market and bid price by the live rate, where there is one, and else is as PROGRAM.
   */
  bidPriceBy?: (typeof BID_PRICES_BY)[number];
  /** DYNAMIC: percentage of the way to the market's median, and the maximum of the step. */
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
  /** Own terms, replacing those of its cancellation policy. */
  terms?: Omit<BookingTerms, 'ofPlan'>;
  /** Room types that it sells; absent: all. A derived plan sells at most those of its parent. */
  roomTypes?: string[];
  /** Derived from another plan: its price, then the adjustment. */
  parentCode?: string;
  /** Relative to the base rate or the parent's price: 10 raises it by ten percent. */
  adjustmentPercent: number;
  /** Added after the percentage. */
  adjustmentAmount?: Minor;
  /** Price of a night before the plan's adjustment, instead of the property's base rate. */
  baseRate?: Minor;
  /** Bounds in percent of the base rate, and absolute bounds that are tighter still. */
  minRatePercent: number;
  maxRatePercent: number;
  minRate?: Minor;
  maxRate?: Minor;
  minLengthOfStay: number;
  maxLengthOfStay: number;
  minAdvanceBooking: number;
  maxAdvanceBooking: number;
  occupancyRules?: OccupancyRules;
  /** What guests add to the price of each room type, instead of `occupancyRules`. */
  occupancyPricing?: OccupancyPrice[];
  dayOfWeekRates?: Partial<Record<DayName, Minor>>;
  lengthOfStayRules?: LengthRule[];
  advanceRules?: AdvanceRule[];
  strategyRules?: StrategyRules;
  /** Prices of day use, where the plan sells it. */
  dayUse?: DayUseRate[];
  /** Nights that it sells, both inclusive. */
  validFrom?: Day;
  validTo?: Day;
};

/** The version of a plan for `If-Match`: a hash of what it says. */
export function planVersion(plan: RatePlan): number {
  return textHash(canonical(plan));
}

/** Members that the price of a night is made of. */
export const PRICED_MEMBERS = [
  ...(['strategy', 'strategyRules', 'adjustmentPercent', 'adjustmentAmount', 'baseRate'] as const),
  ...(['minRatePercent', 'maxRatePercent', 'minRate', 'maxRate'] as const),
  ...(['occupancyRules', 'occupancyPricing', 'dayOfWeekRates', 'lengthOfStayRules', 'advanceRules'] as const),
] as const satisfies readonly (keyof RatePlan)[];

/** What the price of a night needs to know of a plan. */
export type PricedPlan = Pick<RatePlan, (typeof PRICED_MEMBERS)[number]>;

/** Parameters of each strategy: those of another one have no effect, and are refused. */
export const STRATEGY_MEMBERS: Readonly<Record<Strategy, readonly (keyof StrategyRules)[]>> = {
  FIXED: [],
  DYNAMIC: ['bidPercentPerRoom', 'bidCeilingPercent', 'bidPriceBy', 'marketSharePercent', 'marketMostPercent'],
  SEASONAL: ['seasons'],
  WEEKEND: ['weekendPercent'],
  LASTMINUTE: ['lastMinuteDays', 'lastMinutePercent'],
  EARLYBIRD: ['earlyBirdDays', 'earlyBirdPercent'],
};

/** Defaults of plans; a plan without an adjustment sells the base rate itself, unbounded. */
export const DEFAULT_RULES = {
  minLengthOfStay: 1,
  maxLengthOfStay: 30,
  minAdvanceBooking: 0,
  maxAdvanceBooking: 365,
  adjustmentPercent: 0,
  minRatePercent: 0,
  maxRatePercent: 10_000,
} as const satisfies Partial<RatePlan>;

/** Levels of derivation: a parent may itself have a parent. */
export const MAX_LEVELS = 2;

/**
 * A plan with its ancestors, the plan itself first, the root last. A plan whose parent is missing, or part of a cycle,
 * counts as the root: other programs may write plans too.
 */
export function lineageOf(plans: ReadonlyMap<string, RatePlan>, plan: RatePlan): RatePlan[] {
  const lineage = [plan];
  for (let next = parentOf(plans, plan); next && lineage.length <= MAX_LEVELS; next = parentOf(plans, next)) {
    if (lineage.includes(next)) break;
    lineage.push(next);
  }
  return lineage;
}

function parentOf(plans: ReadonlyMap<string, RatePlan>, { parentCode }: RatePlan): RatePlan | undefined {
  return parentCode === undefined ? undefined : plans.get(parentCode);
}

/** Whether a plan (`lineage`: itself first) sells a room type. */
export function sellsType(lineage: readonly RatePlan[], roomType: string): boolean {
  return lineage.every(({ roomTypes }) => roomTypes === undefined || roomTypes.includes(roomType));
}

/** Whether a price depends on party, length of stay or lead time. */
export function dependsOnStay({
  strategy,
  occupancyRules,
  occupancyPricing,
  lengthOfStayRules,
  advanceRules,
}: RatePlan): boolean {
  return (
    strategy === 'LASTMINUTE' ||
    strategy === 'EARLYBIRD' ||
    occupancyRules !== undefined ||
    occupancyPricing !== undefined ||
    (lengthOfStayRules?.length ?? 0) > 0 ||
    (advanceRules?.length ?? 0) > 0
  );
}
