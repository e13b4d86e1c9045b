import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { fitBoostedTrees } from './boosted-trees.ts';
import { type Blend, closeness, RESIDUAL_DAYS } from './forecast-blend.ts';
import { COLUMNS } from './forecast-features.ts';
import { fitGaussianProcess, type NightExamples } from './gaussian-process.ts';

/** Minimum of training nights: fewer say too little about what they have in common. */
const LEAST_NIGHTS = 182;

/** Each fold is forecast by models that have not seen it, to know how far forecasts are off. */
const FOLDS = 4;
/** Nights next to each other are in one fold: neighbours say much about a night, and a coming one has none. */
const FOLD_NIGHTS = 14;
/** Further trees that have seen every night; the mean has them and those of the folds. */
const WHOLE_FORESTS = 2;
/** Models that have seen all nights are a little less off than those of a fold, which have seen three quarters. */
const FOLD_FACTOR = 0.97;

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
  const gains = targets.map((target, index) => target - rows[index]![0]!);
  const indexes = nights.map((_, index) => index);
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const seen = indexes.filter((index) => foldOf(index) !== fold);
    const of = <T>(list: readonly T[]): T[] => seen.map((index) => list[index]!);
    const part = { nights: of(nights), rows: of(rows), targets: of(gains) };
    return { trees: fitBoostedTrees(part, { ...TREES, seed: fold }), smooth: fitSmooth(part) };
  });
  const forests = folds.map(({ trees }) => trees);
  for (let seed = FOLDS; seed < FOLDS + WHOLE_FORESTS; seed += 1)
    forests.push(fitBoostedTrees({ rows, targets: gains }, { ...TREES, seed }));
  const smooth = fitSmooth({ nights, rows, targets: gains });
  const expect = (row: Float64Array, at: Day): number =>
    row[0]! + mixed(mean(forests.map((trees) => trees(row))), smooth(row, at));
  const residuals = rows.map((row, index) => {
    const fold = folds[foldOf(index)]!;
    const gain = mixed(fold.trees(row), fold.smooth(row, nights[index]!));
    return { off: FOLD_FACTOR * (gains[index]! - gain), weight: closeness(nights[index]!, night, RESIDUAL_DAYS) };
  });
  return { expect, residuals };
}

const mixed = (trees: number, smooth: number): number => TREE_SHARE * trees + (1 - TREE_SHARE) * smooth;

function fitSmooth({ nights, rows, targets }: NightExamples): (row: Float64Array, night: Day) => number {
  const gain = fitGaussianProcess({ nights, rows: rows.map(smoothed), targets }, KERNEL);
  return (row, night) => gain(smoothed(row), night);
}

/** The process has the season as a kernel. */
const smoothed = (row: Float64Array): Float64Array => row.subarray(0, COLUMNS.known);
