import { type Day, formatDay, isWeekend, weekdayIndex } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Strategy } from '../../rates/rules/rate-plan.ts';
import { rateBounds } from './yield-limits.ts';
import type { YieldConstraints, YieldNight, YieldProblem } from './yield-problem.ts';

/** Days before the night in which LASTMINUTE changes rates, and from which on EARLYBIRD does. */
const LAST_MINUTE_DAYS = 7;
const EARLY_BIRD_DAYS = 60;

/** More price points than this make no better plan. */
const MAX_CHOICES = 200;

/** Rates that are decided together: all nights of a gene take the choice of the same index, ascending in price. */
export type Gene = {
  nights: readonly YieldNight[];
  /** Per night, its rates in ascending order: the same number for all nights. */
  choices: readonly (readonly Minor[])[];
  /** Index of the current rate. */
  now: number;
};

/**
 * Choices under a strategy. DYNAMIC: each night its own rate. WEEKEND: Friday and Saturday nights only. LASTMINUTE: the
 * next 7 days only, EARLYBIRD: from 60 days on only. FIXED: all nights of a room type change by the same percentage,
 * SEASONAL: those of a calendar month, and with `sameByWeekday` those of one weekday in it. Each night may keep its
 * current rate. Nights that cannot change, or have no rooms or no demand, have no other choice.
 */
export function genesOf({ strategy, today, nights, constraints }: YieldProblem): Gene[] {
  const sorted = nights.toSorted((one, other) => compare(one.roomType, other.roomType) || one.day - other.day);
  const groups = Map.groupBy(sorted, (night) => groupOf(strategy, constraints, night));
  const { pricePoints } = constraints;
  return [...groups.values()].map((together) => {
    if (!mayChange(strategy, together[0]!.day, today) || !together.some(canSell)) return retained(together);
    const bounded = together.map((night) => ({ night, ...rateBounds(night, constraints) }));
    return bounded.length === 1 ? alone(bounded[0]!, pricePoints) : joint(bounded, pricePoints);
  });
}

/** A night as a part of its gene. */
type GeneNight = { night: YieldNight; gene: number; place: number };

/** The nights of all genes, room type by room type and day by day: the order in which plans count them. */
export function geneNights(genes: readonly Gene[]): GeneNight[] {
  return genes
    .flatMap(({ nights }, gene) => nights.map((night, place) => ({ night, gene, place })))
    .sort(({ night: one }, { night: other }) => compare(one.roomType, other.roomType) || one.day - other.day);
}

/** Order of code units: locale-dependent order differs between machines. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function groupOf(strategy: Strategy, { sameByWeekday }: YieldConstraints, { roomType, day }: YieldNight): string {
  if (strategy === 'FIXED') return roomType;
  const month = formatDay(day).slice(0, 7);
  if (strategy === 'SEASONAL') return `${month} ${roomType}`;
  return sameByWeekday ? `${month} ${weekdayIndex(day)} ${roomType}` : `${day} ${roomType}`;
}

function mayChange(strategy: Strategy, day: Day, today: Day): boolean {
  switch (strategy) {
    case 'WEEKEND':
      return isWeekend(day);
    case 'LASTMINUTE':
      return day - today <= LAST_MINUTE_DAYS;
    case 'EARLYBIRD':
      return day - today >= EARLY_BIRD_DAYS;
    case 'FIXED':
    case 'SEASONAL':
    case 'DYNAMIC':
      return true;
  }
}

function canSell({ capacity, booked, expected }: YieldNight): boolean {
  return capacity - booked >= 1 && expected > 0;
}

type Bounds = { low: Minor; high: Minor };
type BoundedNight = Bounds & { night: YieldNight };

function retained(nights: readonly YieldNight[]): Gene {
  return { nights, choices: nights.map(({ current }) => [current]), now: 0 };
}

/** Round amounts within the bounds, or the price points there, and the current rate. */
function alone({ night, low, high }: BoundedNight, pricePoints: readonly Minor[] | undefined): Gene {
  if (low > high) return retained([night]);
  const rates = pricePoints?.filter((rate) => rate >= low && rate <= high) ?? roundRates(night, { low, high });
  const choices = [...new Set([...rates, night.current])].sort((one, other) => one - other);
  return { nights: [night], choices: [choices], now: choices.indexOf(night.current) };
}

function roundRates(night: YieldNight, { low, high }: Bounds): Minor[] {
  const unit = Math.max(roundAmount(night.current, high - low), night.increment ?? 1);
  const rates: Minor[] = [];
  for (let rate = Math.ceil(low / unit) * unit; rate <= high; rate += unit) rates.push(rate);
  return rates.length === 0 ? [low, high] : rates;
}

/**
 * Step size: whole currency units for usual rates, tenths and hundredths for very low ones, 2, 5, 10 ... for high ones.
 */
function roundAmount(current: Minor, range: Minor): Minor {
  let unit = current >= 2_000 ? 100 : current >= 200 ? 10 : 1;
  for (let factor = 0; range / unit > MAX_CHOICES; factor++) unit *= factor % 3 === 1 ? 2.5 : 2;
  return unit;
}

/** The same percentage for all, limited by each night's bounds; a rate out of its bounds stays. */
function joint(nights: readonly BoundedNight[], pricePoints: readonly Minor[] | undefined): Gene {
  const all = nights.map(({ night }) => night);
  const open = nights.filter(isWithinBounds);
  if (open.length === 0) return retained(all);
  const lowest = Math.max(-90, Math.floor(Math.min(...open.map(({ night, low }) => percent(low, night.current)))));
  const highest = Math.min(300, Math.ceil(Math.max(...open.map(({ night, high }) => percent(high, night.current)))));
  const percents = Array.from({ length: highest - lowest + 1 }, (_, n) => n + lowest);
  const choices = nights.map((bounded) => {
    const { night, low, high } = bounded;
    if (!isWithinBounds(bounded)) return percents.map(() => night.current);
    const unit = Math.max(roundAmount(night.current, 0), night.increment ?? 1);
    return percents.map((change) => {
      const rate = within(changed(night.current, change, unit), { low, high });
      return pricePoints ? pointTowards(pricePoints, night.current, rate) : rate;
    });
  });
  return { nights: all, choices, now: percents.indexOf(0) };
}

const isWithinBounds = ({ night, low, high }: BoundedNight): boolean => low <= night.current && night.current <= high;

function percent(rate: Minor, current: Minor): number {
  return (rate / current - 1) * 100;
}

/** Rounded away from the current rate, so that a higher percentage is never a lower rate. */
function changed(current: Minor, change: number, unit: Minor): Minor {
  if (change === 0) return current;
  const round = change < 0 ? Math.floor : Math.ceil;
  return round((current * (100 + change)) / 100 / unit) * unit;
}

/** The furthest price point on the way from the current rate to another one; the current rate where there is none. */
function pointTowards(pricePoints: readonly Minor[], current: Minor, rate: Minor): Minor {
  if (rate > current) return Math.max(current, ...pricePoints.filter((point) => point <= rate));
  return Math.min(current, ...pricePoints.filter((point) => point >= rate));
}

function within(rate: Minor, { low, high }: Bounds): Minor {
  return Math.min(Math.max(rate, low), high);
}
