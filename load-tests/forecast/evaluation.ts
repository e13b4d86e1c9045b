import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { DemandForecaster } from '../../src/revenue/rules/forecast/demand-forecast.ts';
import { additivePickup, plainRegression, sameDateLastYear } from './baselines.ts';
import { type MoneyFigures, MoneyJudge } from './money-judge.ts';
import type { Stays } from './stays.ts';

/** Days before the night at which forecasts are evaluated. */
export const HORIZONS = [1, 7, 14, 30, 60, 90] as const;
/** Evaluated nights, and training nights before them: a year each. */
const YEAR = 365;

/** Weighted absolute percentage errors so many days before the night, and how often the result was within the band. */
export type HorizonFigures = {
  days: number;
  ours: number;
  regression: number;
  lastYear: number;
  pickup: number;
  /** Percentage of nights that ended between `low` and `high`. */
  band: number;
};

/** Nights between two that are judged, and days for which an ensemble is used. */
export type Thoroughness = { every: number; fittedDays: number };
const WEEKLY: Thoroughness = { every: 1, fittedDays: 7 };
/** For many hotels. */
export const SPARSE: Thoroughness = { every: 3, fittedDays: 42 };

export type Evaluation = { from: Day; to: Day; horizons: HorizonFigures[]; money: MoneyFigures[] };

/** The last year of the stays; a later first night when there is no training year before it. */
export function firstJudged({ firstNight, lastNight }: Stays): Day {
  return Math.max(lastNight - YEAR + 1, firstNight + YEAR);
}

/**
 * Forecasts every night of a year anew from what was known so many days before it, and holds that against the rooms
 * that were occupied, beside simpler forecasts of the same.
 *
 * @throws Error where less than a year of stays lies before `from`, or none after it
 */
export function evaluate(
  stays: Stays,
  from: Day,
  onNight: (done: number, nights: number) => void,
  { every, fittedDays }: Thoroughness = WEEKLY,
): Evaluation {
  const { books, occupied, firstNight, lastNight } = stays;
  if (!(from >= firstNight + YEAR && from <= lastNight)) {
    const period = Number.isFinite(firstNight) ? `${formatDay(firstNight)} to ${formatDay(lastNight)}` : 'no nights';
    throw new Error(`the stays (${period}) need a year before ${formatDay(from)} to learn from, and nights after it`);
  }
  const to = Math.min(from + YEAR - 1, lastNight);
  const forecaster = new DemandForecaster(books, Infinity, fittedDays);
  const sums = HORIZONS.map((days) => ({ days, ours: 0, regression: 0, lastYear: 0, pickup: 0, band: 0 }));
  const money = new MoneyJudge(stays, HORIZONS);
  let rooms = 0;
  let nights = 0;
  for (let night = from; night <= to; night += every) {
    const truth = occupied.get(night) ?? 0;
    rooms += truth;
    money.night(night);
    for (const sum of sums) {
      const moment = night - sum.days;
      const [forecast] = forecaster.forecast(moment, [night], { ensemble: forecaster.ensemble(moment, night, 1) });
      const { expected, low, high } = forecast!;
      sum.ours += Math.abs(expected - truth);
      sum.regression += Math.abs(plainRegression(books, moment, night) - truth);
      sum.lastYear += Math.abs(sameDateLastYear(books, moment, night) - truth);
      sum.pickup += Math.abs(additivePickup(books, moment, night) - truth);
      if (truth >= low && truth <= high) sum.band += 1;
      money.forecast(sum.days, night, forecast!);
    }
    nights += 1;
    onNight(night - from + 1, to - from + 1);
  }
  const percent = (sum: number): number => (rooms === 0 ? 0 : (100 * sum) / rooms);
  const horizons = sums.map(({ days, ours, regression, lastYear, pickup, band }) => ({
    days,
    ours: percent(ours),
    regression: percent(regression),
    lastYear: percent(lastYear),
    pickup: percent(pickup),
    band: (100 * band) / nights,
  }));
  return { from, to, horizons, money: money.figures() };
}
