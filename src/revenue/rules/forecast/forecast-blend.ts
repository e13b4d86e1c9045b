import type { Day } from '../../../kernel/rules/dates.ts';
import { COLUMNS } from './forecast-features.ts';
import { fitLinear, type Observations } from './least-squares.ts';

/** Minimum of training nights for more than the plain regression. */
const LEAST_NIGHTS = 182;
/** Minimum of training nights that distinguishes a season from a trend. */
const SEASON_NIGHTS = 330;
const YEAR = 364;

/** One regression: columns, ridge penalty, and the width of its season weighting in days (0 for none). */
type Member = { columns: number; penalty: number; seasonDays: number };

const HELD = 100 / 365;

/**
 * Four regressions on the same year, averaged. The first is plain, the second reads all columns, the third and the
 * fourth weight nights of the same season, narrowly and widely. Weighting by recent accuracy was no better. Chosen on
 * hotels made of bookings before September 2016.
 */
const MEMBERS: readonly Member[] = [
  { columns: COLUMNS.onTheBooks, penalty: 0, seasonDays: Infinity },
  { columns: COLUMNS.withSeason, penalty: HELD, seasonDays: Infinity },
  { columns: COLUMNS.known, penalty: HELD, seasonDays: 30 },
  { columns: COLUMNS.withSeason, penalty: HELD, seasonDays: 60 },
];
/** Rounds of Huber weighting: a group that books or cancels at once says nothing about the next night. */
const ROUNDS = 3;
/** Weight of a night of the opposite season. */
const LEAST_WEIGHT = 0.05;
/** Width in days of the season whose residuals apply to the forecast night. */
export const RESIDUAL_DAYS = 60;

/** Mean expectation of some models for a night with its row, and how far they were off in training. */
export type Blend = { expect(row: Float64Array, night: Day): number; residuals: Residual[] };
/** Of models that know the night by its row alone. */
type RowBlend = Blend & { expect(row: Float64Array): number };
export type Residual = { night: Day; off: number; weight: number };

/**
 * Fits all members to the known rows of `nights` and their final rooms, for forecasts around `night`.
 * @param rows of the nights, with all columns of {@link COLUMNS}
 * @param targets final rooms of the nights
 */
export function fitBlend(
  nights: readonly Day[],
  rows: readonly Float64Array[],
  targets: readonly number[],
  night: Day,
): RowBlend {
  const weightsFor = (days: number): number[] => nights.map((one) => closeness(one, night, days));
  const members = nights.length < LEAST_NIGHTS ? MEMBERS.slice(0, 1) : MEMBERS;
  const fits = members.map(({ columns, penalty, seasonDays }) => {
    const observations: Observations = { rows, targets, weights: weightsFor(seasonDays) };
    const read = nights.length < SEASON_NIGHTS ? Math.min(columns, COLUMNS.known) : columns;
    return fitLinear(observations, { columns: read, penalty, rounds: ROUNDS });
  });
  const expect = (row: Float64Array): number => fits.reduce((sum, fit) => sum + fit(row), 0) / fits.length;
  const weights = weightsFor(RESIDUAL_DAYS);
  const residuals = rows.map((row, index) => ({
    night: nights[index]!,
    off: targets[index]! - expect(row),
    weight: weights[index]!,
  }));
  return { expect, residuals };
}

/** Weight of one night for another by season: 1 in the same season, lower with growing distance. */
export function closeness(one: Day, other: Day, days: number): number {
  const apart = Math.abs(one - other) % YEAR;
  return LEAST_WEIGHT + Math.exp(-0.5 * (Math.min(apart, YEAR - apart) / days) ** 2);
}
