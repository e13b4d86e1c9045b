import type { Day } from '../../../kernel/rules/dates.ts';
import { fitBoostedTrees } from './boosted-trees.ts';
import { type Blend, closeness, RESIDUAL_DAYS } from './forecast-blend.ts';
import { COLUMNS } from './forecast-features.ts';
import { fitGaussianProcess } from './gaussian-process.ts';

/** Minimum of training nights: fewer say too little about what they have in common. */
const LEAST_NIGHTS = 182;

/** Each fold is forecast by models that have not seen it, and every forecast is the mean over the folds. */
const FOLDS = 4;
/** Nights next to each other are in one fold: a night is easy to tell from its neighbours, which a coming one has not. */
const FOLD_NIGHTS = 14;

const TREES = { rounds: 250, rate: 0.05, leaves: 8, leastRows: 10, columnShare: 0.4, rowShare: 0.7 };
const KERNEL = { season: 0.5, seasonDays: 30, linear: 1, memory: 0.3, memoryDays: 5, noise: 0.3 };
/** Part of the trees in the mean of both. */
const TREE_SHARE = 2 / 3;

/**
 * Two families of models for what a night still gains after it has so many rooms on the books: boosted trees, which
 * find steps and thresholds, and a Gaussian process, which is smooth. They err in different nights, so their mean is
 * better than either (docs/measurements/revenue.md#forecast).
 * @param rows of the nights, with all columns of {@link COLUMNS}
 * @param targets final rooms of the nights
 * @param night around which forecasts are made
 * @returns undefined with too little history
 */
export function fitEnsemble(
  nights: readonly Day[],
  rows: readonly Float64Array[],
  targets: readonly number[],
  night: Day,
): Blend | undefined {
  if (nights.length < LEAST_NIGHTS) return undefined;
  const foldOf = (index: number): number => Math.floor(nights[index]! / FOLD_NIGHTS) % FOLDS;
  const indexes = nights.map((_, index) => index);
  const models = Array.from({ length: FOLDS }, (_, fold) => {
    const seen = indexes.filter((index) => foldOf(index) !== fold);
    return fitBoth(
      seen.map((index) => nights[index]!),
      seen.map((index) => rows[index]!),
      seen.map((index) => targets[index]! - rows[index]![0]!),
      fold,
    );
  });
  const expect = (row: Float64Array, at: Day): number =>
    row[0]! + models.reduce((sum, gain) => sum + gain(row, at), 0) / FOLDS;
  const residuals = rows.map((row, index) => ({
    off: targets[index]! - row[0]! - models[foldOf(index)]!(row, nights[index]!),
    weight: closeness(nights[index]!, night, RESIDUAL_DAYS),
  }));
  return { expect, residuals };
}

/** @returns what a night with this row still gains */
function fitBoth(nights: Day[], rows: Float64Array[], gains: number[], seed: number): Gain {
  const trees = fitBoostedTrees({ rows, targets: gains }, { ...TREES, seed });
  const smooth = fitGaussianProcess({ nights, rows: rows.map(smoothed), targets: gains }, KERNEL);
  return (row, night) => TREE_SHARE * trees(row) + (1 - TREE_SHARE) * smooth(smoothed(row), night);
}

type Gain = (row: Float64Array, night: Day) => number;

/** The process has the season as a kernel. */
const smoothed = (row: Float64Array): Float64Array => row.subarray(0, COLUMNS.known);
