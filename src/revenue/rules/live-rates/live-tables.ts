import type { Day } from '../../../kernel/rules/dates.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import {
  bookedBetween,
  DEMAND,
  demandLeft,
  elasticityOf,
  type LearnedDemand,
  usualPrice,
} from '../../../rates/rules/demand-model.ts';
import { FACTOR_UNIT, LIVE_FACTORS, type LiveSignal, MAX_FACTOR } from '../../../rates/rules/live-signal.ts';
import type { BidNight } from '../bid-prices/bid-prices.ts';
import { stayDemand } from '../bid-prices/stay-demand.ts';
import { USUAL_CONSTRAINTS } from '../yield-problem.ts';
import { type BestRates, bestRates } from './best-rate.ts';
import { type GuestModel, LiveRates } from './live-rates.ts';

/** A night of a room type; `current` is its price before what a strategy adds. */
export type LiveNight = BidNight & { market?: Minor };

export type LiveRatesInput = {
  /** Of one room type, in the order of days. */
  nights: readonly LiveNight[];
  today: Day;
  demand: LearnedDemand;
  /** Values of the nights' next rooms when they were last computed, by day: fewer rounds are needed from them. */
  values?: ReadonlyMap<Day, Minor>;
  /** With `values`: the nights that are computed, and have a table in the answer; absent: all. */
  only?: ReadonlySet<Day>;
};

/** Factors of a night by rooms left, as in a `LiveSignal`; not yet within the limits of a day. */
type LiveTable = Pick<LiveSignal, 'rooms' | 'step' | 'factors'> & { day: Day };

export type LiveRateTables = { tables: LiveTable[]; values: ReadonlyMap<Day, Minor> };

/** Rounds over the nights, each with the values of the round before for the other nights of a stay. */
const ROUNDS = { first: 4, again: 1 } as const;
/** Rooms that may come back before tables are computed again. */
const SPARE_ROOMS = 3;
/** Less demand than that for a night is none: products of it would have no digits left. */
const LEAST_DEMAND = 1e-3;
/**
 * Variance of demand by its mean, at most: guests book for several rooms, and a forecast errs by a third of what it
 * expects. Of more, rooms would be counted in units that are larger than what is sold.
 */
const MAX_DISPERSION = { least: 1.5, perRoom: 0.1, most: 12 };
const PERIODS = DEMAND.elasticity.map(({ fromDays }) => fromDays);
/** A known competitor says what is usual, so the elasticity around it is surer. */
const SURER_BY_MARKET = DEMAND.elasticityDoubt.withMarket / DEMAND.elasticityDoubt.withoutMarket;

/**
 * Live rates of a room type by rooms left (docs/concepts/forecast.md#live-rates): for each night the rate that earns
 * most over the value of its next room. Nights without a price have no table.
 */
export function liveTablesOf(input: LiveRatesInput): LiveRateTables {
  const nights = input.nights.filter(({ current }) => current > 0);
  if (nights.length === 0) return { tables: [], values: new Map() };
  const first = nights[0]!.day;
  const guests = guestsOf({ ...input, nights });
  const size = nights.at(-1)!.day - first + 1;
  const rates = new LiveRates(size);
  for (const { day, capacity, booked } of nights) rates.setLeft(day - first, capacity - booked);
  for (const { day } of nights) rates.assume(day - first, input.values?.get(day) ?? 0);
  const computed = nights.filter(({ day }) => input.only?.has(day) ?? true);
  const rounds = input.values ? ROUNDS.again : ROUNDS.first;
  for (let round = 0; round < rounds; round++)
    for (const { day } of computed) rates.renew(day - first, input.today - first, guests);
  return {
    tables: computed.map((night) => tableOf(night, rates, guests, { first, today: input.today })),
    values: new Map(nights.map(({ day }) => [day, rates.value(day - first)])),
  };
}

/** Factors within the limits by which a rate may move from the day's start, and within what can be stored. */
export function withinDay(factors: readonly number[], start: number): number[] {
  const { maxRateDecrease, maxRateIncrease } = USUAL_CONSTRAINTS;
  const low = Math.max(1, Math.ceil((start * (100 - maxRateDecrease)) / 100));
  const high = Math.min(MAX_FACTOR, Math.floor((start * (100 + maxRateIncrease)) / 100));
  return factors.map((factor) => Math.min(high, Math.max(low, factor)));
}

function tableOf(
  { day, capacity, booked, current }: LiveNight,
  rates: LiveRates,
  guests: GuestModel,
  { first, today }: { first: Day; today: Day },
): LiveTable {
  const rooms = Math.floor(capacity - booked) + SPARE_ROOMS;
  const step = Math.max(1, Math.ceil((rooms - 1) / (LIVE_FACTORS - 1)));
  const size = Math.min(LIVE_FACTORS, 1 + Math.ceil(Math.max(0, rooms - 1) / step));
  const period = periodOf(day - today);
  const factors = Array.from({ length: size }, (_, n) => {
    const rate = rates.nightRate(day - first, rooms - n * step, guests, period);
    return Math.min(MAX_FACTOR, Math.max(1, Math.round((FACTOR_UNIT * rate) / current)));
  });
  return { day, rooms, step, factors };
}

function guestsOf({ nights, today, demand }: LiveRatesInput): GuestModel {
  const first = nights[0]!.day;
  const at = new Map(nights.map((night) => [night.day - first, night]));
  const usual = new Map(nights.map(({ day, current, market }) => [day - first, usualPrice(current, market)]));
  const expected = expectedOf({ nights, today, demand }, usual);
  const lengths = demand.lengthOfStay.length;
  const best = nights.map(({ day, market }) => PERIODS.map((_, period) => bestOf(day, period, { demand, market })));
  const index = new Map(nights.map(({ day }, n) => [day - first, n]));
  return {
    periods: PERIODS,
    lengths: demand.lengthOfStay.map((_, n) => n + 1),
    usual: (night) => usual.get(night)!,
    best: (night, period) => best[index.get(night)!]![period]!,
    expected: (arrival, period, length) =>
      arrival < 0 ? 0 : (expected[(arrival * PERIODS.length + period) * lengths + length] ?? 0),
    dispersion: (night) => {
      const { expected, deviation } = at.get(night)!;
      const most = Math.min(MAX_DISPERSION.most, MAX_DISPERSION.least + MAX_DISPERSION.perRoom * expected);
      return expected > 0 ? Math.min(most, Math.max(1, deviation ** 2 / expected)) : 1;
    },
  };
}

/** Remaining stays at the usual rate, by arrival, period and length. */
function expectedOf({ nights, today, demand }: LiveRatesInput, usual: ReadonlyMap<number, Minor>): Float64Array {
  const { lengthOfStay, elasticity } = demand;
  const first = nights[0]!.day;
  const days = nights.map(({ day }) => day);
  const expected = Float64Array.from(nights, (night) => (night.expected > LEAST_DEMAND ? night.expected : 0));
  const { arrival, length, stays } = stayDemand(days, expected, lengthOfStay);
  const size = (days.at(-1)! - first + 1) * PERIODS.length * lengthOfStay.length;
  const found = new Float64Array(size);
  const factors = nights.map(({ day, current }) => {
    const change = current / usual.get(day - first)! - 1;
    return PERIODS.map(
      (from, period) => shareOfPeriod(period, day - today) / demandLeft(elasticityOf(day, from, elasticity), change),
    );
  });
  for (const [stay, rooms] of stays.entries()) {
    const from = arrival[stay]!;
    for (const [period, factor] of factors[from]!.entries()) {
      const row = (days[from]! - first) * PERIODS.length + period;
      found[row * lengthOfStay.length + length[stay]! - 1] = rooms * factor;
    }
  }
  return found;
}

function bestOf(
  night: Day,
  period: number,
  { demand, market }: { demand: LearnedDemand; market: Minor | undefined },
): BestRates {
  const lead = PERIODS[period]!;
  const doubt = elasticityOf(night, lead, demand.doubt) * (market === undefined ? 1 : SURER_BY_MARKET);
  return bestRates(elasticityOf(night, lead, demand.elasticity), doubt);
}

/** Part of the bookings that are still to come which falls into a period, so many days before arrival. */
function shareOfPeriod(period: number, lead: number): number {
  const all = bookedBetween(0, lead);
  return all > 0 ? bookedBetween(PERIODS[period]!, Math.min(lead, (PERIODS[period + 1] ?? Infinity) - 1)) / all : 0;
}

function periodOf(lead: number): number {
  return Math.max(
    0,
    PERIODS.findLastIndex((from) => lead >= from),
  );
}
