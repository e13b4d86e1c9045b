import type { Day } from '../../kernel/rules/dates.ts';
import { COLUMNS } from './forecast-features.ts';
import { fitLinear, type Observations } from './least-squares.ts';

/** Nights of training that allow more than the plain regression. */
const LEAST_NIGHTS = 182;
/** Nights of training that distinguish a season from a trend. */
const SEASON_NIGHTS = 330;
const YEAR = 364;

/** One regression: the columns it reads, how it holds them, and whether it minds what the same season taught more. */
type Member = { columns: number; penalty: number; seasonDays: number };

const HELD = 100 / 365;

/**
 * Four views of the same year, one vote each. The first is the plain regression, the second reads everything, the
 * third and the fourth listen to the nights in the season of the one in question, narrowly and widely. Votes by how
 * right each had been of late were no better. Chosen on hotels made of bookings before September 2016.
 */
const MEMBERS: readonly Member[] = [
  { columns: COLUMNS.onTheBooks, penalty: 0, seasonDays: Infinity },
  { columns: COLUMNS.withSeason, penalty: HELD, seasonDays: Infinity },
  { columns: COLUMNS.known, penalty: HELD, seasonDays: 30 },
  { columns: COLUMNS.withSeason, penalty: HELD, seasonDays: 60 },
];
/** Huber's rounds: groups that come or go at once are not what the next night has to expect. */
const ROUNDS = 3;
/** What a night of the opposite season still counts. */
const LEAST_WEIGHT = 0.05;
/** The season in which residuals are taken to be like those of the night in question, in days. */
const RESIDUAL_DAYS = 60;

/** Rooms that the regressions expect of a row on the mean, and how far they were off in training. */
export type Blend = { expect(row: Float64Array): number; residuals: Residual[] };
export type Residual = { off: number; weight: number };

/**
 * Fits all members to what was known of `nights` and what they ended with, for nights around `night`.
 *
 * @param rows of the nights, with all columns of {@link COLUMNS}
 * @param targets rooms that they ended with
 */
export function fitBlend(nights: readonly Day[], rows: Float64Array[], targets: number[], night: Day): Blend {
  const weightsFor = (days: number): number[] => nights.map((one) => closeness(one, night, days));
  const members = nights.length < LEAST_NIGHTS ? MEMBERS.slice(0, 1) : MEMBERS;
  const fits = members.map(({ columns, penalty, seasonDays }) => {
    const observations: Observations = { rows, targets, weights: weightsFor(seasonDays) };
    const read = nights.length < SEASON_NIGHTS ? Math.min(columns, COLUMNS.known) : columns;
    return fitLinear(observations, { columns: read, penalty, rounds: ROUNDS });
  });
  const expect = (row: Float64Array): number => fits.reduce((sum, fit) => sum + fit(row), 0) / fits.length;
  const weights = weightsFor(RESIDUAL_DAYS);
  const residuals = rows.map((row, index) => ({ off: targets[index]! - expect(row), weight: weights[index]! }));
  return { expect, residuals };
}

/** How much a night of the year teaches about another: 1 in the same season, less the further they are apart in it. */
function closeness(one: Day, other: Day, days: number): number {
  const apart = Math.abs(one - other) % YEAR;
  return LEAST_WEIGHT + Math.exp(-0.5 * (Math.min(apart, YEAR - apart) / days) ** 2);
}
