import { type Day, formatDay, isWeekend, weekdayIndex } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { Random } from '../../kernel/rules/random.ts';
import type { DemoMarket, DemoProperty, DemoType, RateOfNight } from './hotels.ts';

/** The market grows from year to year, so that this year is ahead of the last one. */
const GROWTH_A_YEAR = 0.05;
const DAYS_A_YEAR = 365;
/** A night is up to this much better or worse than its season. */
const CHANCE = 0.09;
const MOST = 0.98;
/** Usual occupancy, at which the usual price applies. */
const USUAL = 0.68;
/** Prices are whole units of the currency. */
const WHOLE = 100;

const day = (text: string): string => text.slice(5);

/** The fair or feast of a night, if there is one. */
export function eventOfNight({ events }: DemoMarket, night: Day): DemoMarket['events'][number] | undefined {
  const date = day(formatDay(night));
  return events.find(({ from, to }) => from <= date && date <= to);
}

/** Influence of season, weekday and event on a night: expected occupancy, 0 to 1 and above. */
function seasonOf(market: DemoMarket, night: Day): number {
  const month = Number(formatDay(night).slice(5, 7)) - 1;
  const weekday = market.weekdays[weekdayIndex(night)]!;
  return market.months[month]! * weekday * (eventOfNight(market, night)?.factor ?? 1);
}

/**
 * Part of the rooms that are taken on a night (docs/concepts/demo.md#guests): season, weekday and event, growth from
 * year to year, and chance. The same seed and night give the same.
 * @param origin the day on which the growth is nothing
 */
export function demandOf(market: DemoMarket, night: Day, { origin, seed }: { origin: Day; seed: number }): number {
  const years = (night - origin) / DAYS_A_YEAR;
  // Neighbouring nights share their chance, as the weather does: half is that of the week.
  const chance = (of: number): number => 2 * new Random(seed + of * 7919).next() - 1;
  const luck = 1 + CHANCE * (0.5 * chance(night) + 0.5 * chance(Math.floor(night / 7) + 100_000));
  return Math.min(MOST, seasonOf(market, night) * (1 + GROWTH_A_YEAR * years) * luck);
}

/** Base rate of a night: that of the type and weekday, dearer where the demand is higher. */
export function demoRate(market: DemoMarket, { weekday, weekend }: DemoType, night: Day): Minor {
  const usual = isWeekend(night) ? weekend : weekday;
  const expected = Math.min(1.15, seasonOf(market, night));
  const factor = Math.max(0.75, 1 + market.elasticity * (expected - USUAL));
  return Math.round((usual * factor) / WHOLE) * WHOLE;
}

/** A year with the same weekdays. */
const WEEKS_OF_A_YEAR = 364;

/**
 * Rate with which a night is on sale. A night before the first one that has a rate of its own has that of the same
 * weekday a year later, or the usual one of the type; `undefined` means that the night is not sold.
 */
export function rateOfNight({ market, types }: DemoProperty, code: string, night: Day): RateOfNight | undefined {
  const type = types.find((one) => one.code === code)!;
  const { nightly } = type;
  if (!nightly) return { base: demoRate(market!, type, night), multiplier: 100, amount: 0 };
  const isOver = night < nightly.first;
  const years = isOver ? Math.ceil((nightly.first - night) / WEEKS_OF_A_YEAR) : 0;
  const own = nightly.nights[night + years * WEEKS_OF_A_YEAR - nightly.first];
  if (own && own.base > 0) return own;
  return isOver ? { base: isWeekend(night) ? type.weekend : type.weekday, multiplier: 100, amount: 0 } : undefined;
}
