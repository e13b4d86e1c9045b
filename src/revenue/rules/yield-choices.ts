import { type Day, formatDay, isWeekend } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Strategy } from '../../rates/rules/rate-plan.ts';
import type { YieldNight, YieldProblem } from './yield-problem.ts';

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
  /** Index of the current rate, or of the nearest choice when it is out of bounds. */
  now: Instant;
};

/**
 * Choices under a strategy. DYNAMIC: each night its own rate. WEEKEND: Friday and Saturday nights only. LASTMINUTE: the
 * next 7 days only, EARLYBIRD: from 60 days on only. FIXED: all nights of a room type change by the same percentage,
 * SEASONAL: those of a calendar month. Nights that cannot change, or have no rooms or no demand, have one choice, their
 * current rate.
 * @returns genes whose nights, one gene after the other, go room type by room type and day by day
 */
export function genesOf({ strategy, today, nights, constraints }: YieldProblem): Gene[] {
  const sorted = nights.toSorted((one, other) => compare(one.roomType, other.roomType) || one.day - other.day);
  const groups = Map.groupBy(sorted, (night) => groupOf(strategy, night));
  const bounds = (night: YieldNight): Bounds => boundsOf(night, constraints.maxRateIncrease);
  return [...groups.values()].map((together) => {
    if (!mayChange(strategy, together[0]!.day, today) || !together.some(canSell)) return retained(together);
    return together.length === 1 ? alone(together[0]!, bounds(together[0]!)) : joint(together, together.map(bounds));
  });
}

/** Order of code units: locale-dependent order differs between machines. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function groupOf(strategy: Strategy, { roomType, day }: YieldNight): string {
  if (strategy === 'FIXED') return roomType;
  return strategy === 'SEASONAL' ? `${formatDay(day).slice(0, 7)} ${roomType}` : `${day} ${roomType}`;
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

/** Bounds of a rate; `low` is above `high` when there is no valid one. Amounts of the currency, rounded inwards. */
function boundsOf({ current, low, high, increment = 1 }: YieldNight, maxRateIncrease = Infinity): Bounds {
  const hundredths = Math.floor(maxRateIncrease * 100 + 1e-6);
  const ceiling = Number.isFinite(hundredths) ? Math.floor((current * (10_000 + hundredths)) / 10_000) : Infinity;
  const highest = Math.floor(Math.min(high, ceiling) / increment) * increment;
  return { low: Math.max(increment, Math.ceil(low / increment) * increment), high: highest };
}

function retained(nights: readonly YieldNight[]): Gene {
  return { nights, choices: nights.map(({ current }) => [current]), now: 0 };
}

/** Round amounts within the bounds, and the current rate. */
function alone(night: YieldNight, { low, high }: Bounds): Gene {
  if (low > high) return retained([night]);
  const unit = Math.max(roundAmount(night.current, high - low), night.increment ?? 1);
  const rates: Minor[] = [];
  for (let rate = Math.ceil(low / unit) * unit; rate <= high; rate += unit) rates.push(rate);
  const now = within(night.current, { low, high });
  if (rates.length === 0) rates.push(low, high);
  const choices = [...new Set([...rates, now])].sort((one, other) => one - other);
  return { nights: [night], choices: [choices], now: choices.indexOf(now) };
}

/**
 * Step size: whole currency units for usual rates, tenths and hundredths for very low ones, 2, 5, 10 ... for high ones.
 */
function roundAmount(current: Minor, range: Minor): Minor {
  let unit = current >= 2_000 ? 100 : current >= 200 ? 10 : 1;
  for (let factor = 0; range / unit > MAX_CHOICES; factor++) unit *= factor % 3 === 1 ? 2.5 : 2;
  return unit;
}

/** The same percentage for all, limited by each night's bounds. */
function joint(nights: readonly YieldNight[], bounds: readonly Bounds[]): Gene {
  const open = nights.map((night, index) => ({ night, ...bounds[index]! })).filter(({ low, high }) => low <= high);
  if (open.length === 0) return retained(nights);
  const lowest = Math.max(-90, Math.floor(Math.min(...open.map(({ night, low }) => percent(low, night.current)))));
  const highest = Math.min(300, Math.ceil(Math.max(...open.map(({ night, high }) => percent(high, night.current)))));
  const percents = Array.from(
    { length: Math.max(highest, 0) - Math.min(lowest, 0) + 1 },
    (_, n) => n + Math.min(lowest, 0),
  );
  const choices = nights.map((night, index) => {
    const { low, high } = bounds[index]!;
    if (low > high) return percents.map(() => night.current);
    const unit = Math.max(roundAmount(night.current, 0), night.increment ?? 1);
    return percents.map((change) => within(changed(night.current, change, unit), { low, high }));
  });
  return { nights, choices, now: percents.indexOf(0) };
}

function percent(rate: Minor, current: Minor): number {
  return (rate / current - 1) * 100;
}

/** Rounded away from the current rate, so that a higher percentage is never a lower rate. */
function changed(current: Minor, change: number, unit: Minor): Minor {
  if (change === 0) return current;
  const round = change < 0 ? Math.floor : Math.ceil;
  return round((current * (100 + change)) / 100 / unit) * unit;
}

function within(rate: Minor, { low, high }: Bounds): Minor {
  return Math.min(Math.max(rate, low), high);
}
