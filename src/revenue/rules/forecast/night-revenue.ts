import type { Day } from '../../../kernel/rules/dates.ts';
import { sum } from '../../../kernel/rules/figures.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { RateNight } from '../../../rates/rules/queries.ts';
import type { DemandForecast } from './demand-forecast.ts';

/** What is sold of a night, and at which rate the rooms that are still to come will be sold. */
type NightSales = { booked: number; revenue: Minor; rateToCome: Minor | undefined };

/** Room revenue without taxes and fees; `low` and `high` are that of the 80 % range of the rooms. */
export type RevenueOfNight = { adr: Minor; revenue: Minor; low: Minor; high: Minor };

/** Minimum of room nights on the books that say at what part of today's prices the property sells. */
const LEAST_ROOM_NIGHTS = 20;
/** Bounds of that part: negotiated rates are below a price, suites and packages above it. */
const PART = { least: 0.5, most: 1.5 };
/**
 * The part of the property counts for a night as so many room nights beside its own
 * (docs/measurements/revenue.md#revenue-mean-rate-events).
 */
const PRIOR_ROOM_NIGHTS = 80;

/**
 * What a night will have earned: rooms on the books at their rates, those still to come at the rate of today; rooms that
 * will be cancelled are as dear as the others.
 * @returns undefined without a basis: no room sold, and no price
 */
export function revenueOfNight(
  { expected, low, high }: Pick<DemandForecast, 'expected' | 'low' | 'high'>,
  { booked, revenue, rateToCome }: NightSales,
): RevenueOfNight | undefined {
  const sold = booked > 0 ? revenue / booked : undefined;
  const toCome = rateToCome ?? sold;
  if (toCome === undefined) return undefined;
  const earned = (rooms: number): number =>
    rooms <= booked ? rooms * (sold ?? 0) : revenue + (rooms - booked) * toCome;
  const atExpected = earned(expected);
  const adr = expected > 0 ? atExpected / expected : (sold ?? toCome);
  return {
    adr: Math.round(adr),
    revenue: Math.round(atExpected),
    low: Math.round(earned(low)),
    high: Math.round(earned(high)),
  };
}

/**
 * The rate at which rooms of each night are still sold: today's price over the free rooms of all types, times the part
 * of such prices that the rooms on the books pay. A night of groups and contracts goes on to be one: the more rooms it
 * has, the more its own part counts beside that of the property.
 * @param revenueOf what is on the books of a night
 */
export function ratesToCome(nights: readonly RateNight[], revenueOf: (night: Day) => Minor): Map<Day, Minor> {
  const byNight = Map.groupBy(
    nights.filter(({ rate }) => rate > 0),
    ({ day }) => day,
  );
  let rooms = 0;
  let paid = 0;
  let priced = 0;
  for (const [night, types] of byNight) {
    const booked = sum(types, (one) => one.booked);
    const revenue = revenueOf(night);
    if (booked === 0 || revenue <= 0) continue;
    rooms += booked;
    paid += revenue;
    priced += sum(types, (one) => one.booked * one.rate);
  }
  const part = rooms < LEAST_ROOM_NIGHTS ? 1 : withinPart(paid / priced);
  return new Map([...byNight].map(([night, types]) => [night, rateToCome(types, revenueOf(night), part)]));
}

/** @param part of today's prices that the property sells at */
function rateToCome(types: readonly RateNight[], revenue: Minor, part: number): Minor {
  const price = priceOf(types);
  const priced = sum(types, (one) => one.booked * one.rate);
  if (priced === 0 || revenue <= 0) return Math.round(part * price);
  const prior = PRIOR_ROOM_NIGHTS * price;
  return Math.round(withinPart((revenue + prior * part) / (priced + prior)) * price);
}

function withinPart(part: number): number {
  return Math.min(PART.most, Math.max(PART.least, part));
}

/** By free rooms; of a full night by all of them. */
function priceOf(types: readonly RateNight[]): number {
  const free = (one: RateNight): number => Math.max(0, one.capacity - one.booked);
  const weight = types.some((one) => free(one) > 0) ? free : (one: RateNight): number => Math.max(1, one.total);
  return sum(types, (one) => weight(one) * one.rate) / sum(types, weight);
}
