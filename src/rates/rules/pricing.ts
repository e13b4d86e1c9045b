import { type Day, formatDay, isWeekend, weekdayIndex } from '../../kernel/rules/dates.ts';
import { type Minor, percentOf, roundTo, scale, negated } from '../../kernel/rules/money.ts';
import { FACTOR_UNIT } from './live-signal.ts';
import { occupancyAmount, occupancyPriceOf, type PricedParty } from './occupancy.ts';
import { DAY_NAMES, type PricedPlan, type StrategyRules, type YearSeason } from './rate-plan.ts';

/**
 * Price inputs of a night: base and season as stored (docs/concepts/forecast.md#how-a-price-is-made), and its demand.
 */
export type PricedCell = {
  /** By which plans price guests; an upgraded stay keeps that of its booking. */
  roomType?: string;
  day: Day;
  base: Minor;
  /** In hundredths. */
  multiplier: number;
  /** Added after the multiplier. */
  amount: Minor;
  /** Rooms of the type that are sold, held or blocked. */
  sold: number;
  /** Price adjustment by the forecast, in percent. */
  demand?: number;
  /** Median price of the competitors. */
  market?: Minor;
  /** Computed bid price at the rooms left. */
  bid?: Minor;
  /** Factor of the live rate at the rooms left, in ten-thousandths. */
  live?: number;
  /** Price increment, where the currency has no cents. */
  increment?: Minor;
};

/** Price inputs of a stay: guests, nights, and days from today to arrival. */
export type StayTerms = {
  party: PricedParty;
  nights: number;
  ahead: number;
  /** Price of a stay without a night, 0 where it is not sold. */
  dayUse?: Minor;
};

/** Rules of a price in the order in which they are applied. */
const PRICE_RULES = [
  ...(['base', 'dayOfWeek', 'occupancy', 'season', 'ratePlan', 'lengthOfStay', 'advance'] as const),
  ...(['seasonal', 'weekend', 'lastMinute', 'earlyBird', 'demand', 'competitor', 'bidPrice'] as const),
  'liveRate',
  ...(['bounds', 'derived', 'promotion'] as const),
] as const;
type PriceRule = (typeof PRICE_RULES)[number];

/** A rule and the amount that it added to the price. */
export type PriceStep = { rule: PriceRule; amount: Minor };

/** Default parameters of the strategies. */
const STRATEGY_DEFAULTS: Required<StrategyRules> = {
  weekendPercent: 15,
  lastMinuteDays: 3,
  lastMinutePercent: -15,
  earlyBirdDays: 60,
  earlyBirdPercent: -10,
  seasons: [],
  bidPercentPerRoom: 0.5,
  bidCeilingPercent: 30,
  bidPriceBy: 'ROOMS_SOLD',
  marketSharePercent: 25,
  marketMostPercent: 10,
};

/** Rules that every explanation names, also with an amount of 0. */
const ALWAYS = new Set<PriceRule>(['base', 'season', 'ratePlan', 'bounds']);

/**
 * Price of a night under a plan, rule by rule, in amounts of the currency that sum to it: base rate (the plan's own,
 * its weekday's), what the guests add, season, the plan's adjustment, length of stay and advance, strategy, and bounds;
 * each percentage applies to the price so far, rounded half to even. A derived plan (`lineage`: itself first) has its
 * parent's steps, then its own adjustment and bounds. Day use costs what the plan says, by no other rule.
 */
export function priceSteps(cell: PricedCell, lineage: readonly PricedPlan[], terms: StayTerms): PriceStep[] {
  const steps: PriceStep[] = [];
  run(new Price(cell.increment, steps), cell, lineage, terms);
  return steps;
}

/** The price without what the strategy adds, and without the bounds of the plan that it is set for. */
export function priceBeforeStrategy(cell: PricedCell, lineage: readonly PricedPlan[], terms: StayTerms): Minor {
  const root = lineage.at(-1)!;
  return nightPrice(cell, [...lineage.slice(0, -1), { ...root, strategy: 'FIXED' }], terms);
}

/** The sum of the steps. */
export function nightPrice(cell: PricedCell, lineage: readonly PricedPlan[], terms: StayTerms): Minor {
  const price = new Price(cell.increment);
  run(price, cell, lineage, terms);
  return price.total;
}

/**
 * The plan with every rule of length of stay and lead time at its cheapest: none of its nights costs more than under
 * the plan itself, for the same party.
 */
export function atItsCheapest(plan: PricedPlan): PricedPlan {
  const { lengthOfStayRules = [], advanceRules = [], strategyRules, strategy } = plan;
  const { lastMinutePercent, earlyBirdPercent } = { ...STRATEGY_DEFAULTS, ...strategyRules };
  const least = (rules: readonly { percent: number }[]): number =>
    Math.min(0, ...rules.map(({ percent }) => percent));
  return {
    ...plan,
    lengthOfStayRules: [{ minNights: 0, percent: least(lengthOfStayRules) }],
    advanceRules: [{ percent: least(advanceRules) }],
    ...(strategy === 'LASTMINUTE' && {
      strategyRules: { lastMinuteDays: Infinity, lastMinutePercent: Math.min(0, lastMinutePercent) },
    }),
    ...(strategy === 'EARLYBIRD' && {
      strategyRules: { earlyBirdDays: 0, earlyBirdPercent: Math.min(0, earlyBirdPercent) },
    }),
  };
}

function run(price: Price, cell: PricedCell, lineage: readonly PricedPlan[], terms: StayTerms): void {
  if (terms.dayUse !== undefined) return price.add('base', terms.dayUse);
  const root = lineage.at(-1)!;
  const base = root.baseRate ?? cell.base;
  addOwnRules(price, { ...cell, base }, root, terms);
  bound(price, base, root);
  for (let level = lineage.length - 2; level >= 0; level--) {
    const plan = lineage[level]!;
    price.adjust('derived', plan);
    bound(price, base, plan);
  }
}

/** A price under construction; steps are recorded only when an explanation is requested. */
class Price {
  total = 0;
  readonly #increment: Minor;
  readonly #steps: PriceStep[] | undefined;

  constructor(increment: Minor = 1, steps?: PriceStep[]) {
    this.#increment = increment;
    this.#steps = steps;
  }

  /**
   * Amounts set in another currency, or by a percentage of a percentage, may have cents where the currency has none.
   */
  add(rule: PriceRule, exact: Minor): void {
    const amount = roundTo(exact, this.#increment);
    if (this.#steps && (amount !== 0 || ALWAYS.has(rule))) this.#steps.push({ rule, amount });
    this.total += amount;
  }

  percent(rule: PriceRule, percent: number): void {
    if (percent !== 0) this.add(rule, percentOf(this.total, percent, this.#increment));
  }

  adjust(rule: PriceRule, { adjustmentPercent, adjustmentAmount = 0 }: PricedPlan): void {
    this.add(rule, percentOf(this.total, adjustmentPercent, this.#increment) + adjustmentAmount);
  }

  multiply(rule: PriceRule, hundredths: number, amount: Minor): void {
    this.add(rule, scale(this.total, hundredths, 100, this.#increment) + amount - this.total);
  }
}

function addOwnRules(price: Price, cell: PricedCell, plan: PricedPlan, terms: StayTerms): void {
  const { base } = cell;
  const ofDay = plan.dayOfWeekRates?.[DAY_NAMES[weekdayIndex(cell.day)]!];
  price.add('base', base);
  if (ofDay !== undefined) price.add('dayOfWeek', ofDay - base);
  price.add('occupancy', occupancyOf(plan, cell, terms.party));
  price.multiply('season', cell.multiplier, cell.amount);
  price.adjust('ratePlan', plan);
  price.percent('lengthOfStay', lengthPercent(plan, terms.nights));
  price.percent('advance', advancePercent(plan, terms.ahead));
  addStrategy(price, cell, plan, terms);
}

/**
 * What the guests add to the room type's own price. `occupancyRules` are rates of the plan for all room types: only
 * their differences to the rate for two count, so that a suite never sells for the price of a standard room.
 */
function occupancyOf(plan: PricedPlan, { roomType, base }: PricedCell, party: PricedParty): Minor {
  const { occupancyPricing, occupancyRules } = plan;
  const price = occupancyPricing && occupancyPriceOf(occupancyPricing, roomType);
  if (price) return occupancyAmount(price, party);
  if (!occupancyRules) return 0;
  const { doubleRate: two = base, singleRate = two, extraPersonRate = 0 } = occupancyRules;
  const persons = party.adults + party.bands.length;
  return persons === 1 ? singleRate - two : extraPersonRate * Math.max(0, persons - 2);
}

function lengthPercent({ lengthOfStayRules = [] }: PricedPlan, nights: number): number {
  const fit = lengthOfStayRules.filter(({ minNights }) => nights >= minNights);
  return fit.sort((a, b) => b.minNights - a.minNights)[0]?.percent ?? 0;
}

function advancePercent({ advanceRules = [] }: PricedPlan, ahead: number): number {
  const fits = advanceRules.find(({ minDays = 0, maxDays = Infinity }) => ahead >= minDays && ahead <= maxDays);
  return fits?.percent ?? 0;
}

/** FIXED plans do not move; each other strategy adds its own step. */
function addStrategy(price: Price, cell: PricedCell, plan: PricedPlan, { ahead }: StayTerms): void {
  if (plan.strategy === 'FIXED') return;
  const rules = { ...STRATEGY_DEFAULTS, ...plan.strategyRules };
  switch (plan.strategy) {
    case 'SEASONAL':
      return price.percent('seasonal', rules.seasons.find((season) => isIn(season, cell.day))?.percent ?? 0);
    case 'WEEKEND':
      return price.percent('weekend', isWeekend(cell.day) ? rules.weekendPercent : 0);
    case 'LASTMINUTE':
      return price.percent('lastMinute', ahead <= rules.lastMinuteDays ? rules.lastMinutePercent : 0);
    case 'EARLYBIRD':
      return price.percent('earlyBird', ahead >= rules.earlyBirdDays ? rules.earlyBirdPercent : 0);
    case 'DYNAMIC':
      if (rules.bidPriceBy === 'LIVE' && cell.live !== undefined)
        return price.add('liveRate', liveStep(price.total, cell.live));
      price.percent('demand', cell.demand ?? 0);
      price.add('competitor', towardsMarket(price.total, cell.market, rules));
      price.add('bidPrice', bidPrice(cell, rules));
  }
}

function isIn({ start, end }: YearSeason, day: Day): boolean {
  const at = formatDay(day).slice(5);
  return start <= end ? at >= start && at <= end : at >= start || at <= end;
}

/** Moves part of the way to the median, within a limit. */
function towardsMarket(price: Minor, market: Minor | undefined, rules: Required<StrategyRules>): Minor {
  if (market === undefined) return 0;
  const way = percentOf(market - price, rules.marketSharePercent);
  const most = percentOf(price, rules.marketMostPercent);
  return Math.max(negated(most), Math.min(most, way));
}

/** The live rate already knows demand, market and rooms left; what guests and the plan add moves with it. */
function liveStep(price: Minor, live: number): Minor {
  return scale(price, live, FACTOR_UNIT) - price;
}

/** Each sold room raises the price of the next one, up to a ceiling: by the computed bid price, or by a percentage. */
function bidPrice({ base, sold, bid }: PricedCell, rules: Required<StrategyRules>): Minor {
  const computed = rules.bidPriceBy === 'ROOMS_SOLD' ? undefined : bid;
  return Math.min(
    percentOf(base, rules.bidCeilingPercent),
    computed ?? percentOf(base, rules.bidPercentPerRoom * sold),
  );
}

/** At least 0 for a FIXED plan, in percent of the base rate for the others; the plan's absolute bounds apply to all. */
function bound(price: Price, base: Minor, plan: PricedPlan): void {
  const fixed = plan.strategy === 'FIXED';
  const low = Math.max(plan.minRate ?? 0, fixed ? 0 : percentOf(base, plan.minRatePercent));
  const high = Math.min(plan.maxRate ?? Infinity, fixed ? Infinity : percentOf(base, plan.maxRatePercent));
  price.add('bounds', Math.max(low, Math.min(high, price.total)) - price.total);
}
