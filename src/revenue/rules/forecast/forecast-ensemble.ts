import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { fitBoostedTrees } from './boosted-trees.ts';
import { type Blend, closeness, fitBlend, type Residual, RESIDUAL_DAYS } from './forecast-blend.ts';
import { COLUMNS } from './forecast-features.ts';
import { fitGaussianProcess, type NightExamples } from './gaussian-process.ts';

/** Parts of the three families, 1 in all: chosen on derived hotels (docs/measurements/revenue.md#forecast). */
const MIXTURE = { trees: 1 / 2, smooth: 1 / 4, regressions: 1 / 4 };

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
/** Weight of any night for a band beside that of its season: few nights alone say too little about rare errors. */
const FLAT_WEIGHT = 0.5;

/** An ensemble; its residuals are of models that had not seen the night, also those of its regressions alone. */
export type EnsembleBlend = Pick<Blend, 'expect'> & { residuals: (Residual & { ofRegressions: number })[] };

/**
 * Three families of models, averaged: boosted trees, which find steps and thresholds, a Gaussian process, which is
 * smooth, and the regressions. Trees and process learn what a night still gains after it has so many rooms on the books.
 * They err in different nights, so their mean is better than any of them (docs/measurements/revenue.md#forecast).
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
): EnsembleBlend | undefined {
  if (nights.length < LEAST_NIGHTS) return undefined;
  const foldOf = (index: number): number => Math.floor(nights[index]! / FOLD_NIGHTS) % FOLDS;
  const gains = targets.map((target, index) => target - rows[index]![0]!);
  const indexes = nights.map((_, index) => index);
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const seen = indexes.filter((index) => foldOf(index) !== fold);
    const of = <T>(list: readonly T[]): T[] => seen.map((index) => list[index]!);
    const part = { nights: of(nights), rows: of(rows), targets: of(gains) };
    return {
      trees: fitBoostedTrees(part, { ...TREES, seed: fold }),
      smooth: fitSmooth(part),
      regressions: fitBlend(part.nights, part.rows, of(targets), night),
    };
  });
  const forests = folds.map(({ trees }) => trees);
  for (let seed = FOLDS; seed < FOLDS + WHOLE_FORESTS; seed += 1)
    forests.push(fitBoostedTrees({ rows, targets: gains }, { ...TREES, seed }));
  const smooth = fitSmooth({ nights, rows, targets: gains });
  const regressions = fitBlend(nights, rows, targets, night);
  const expect = (row: Float64Array, at: Day): number => {
    const trees = row[0]! + mean(forests.map((forest) => forest(row)));
    return mixed(trees, row[0]! + smooth(row, at), regressions.expect(row, at));
  };
  const residuals = rows.map((row, index) => {
    const fold = folds[foldOf(index)]!;
    const at = nights[index]!;
    const ofRegressions = fold.regressions.expect(row, at);
    const expected = mixed(row[0]! + fold.trees(row), row[0]! + fold.smooth(row, at), ofRegressions);
    return {
      night: at,
      off: FOLD_FACTOR * (targets[index]! - expected),
      ofRegressions: targets[index]! - ofRegressions,
      weight: FLAT_WEIGHT + closeness(at, night, RESIDUAL_DAYS),
    };
  });
  return { expect, residuals };
}

const mixed = (trees: number, smooth: number, regressions: number): number =>
  MIXTURE.trees * trees + MIXTURE.smooth * smooth + MIXTURE.regressions * regressions;

function fitSmooth({ nights, rows, targets }: NightExamples): (row: Float64Array, night: Day) => number {
  const gain = fitGaussianProcess({ nights, rows: rows.map(smoothed), targets }, KERNEL);
  return (row, night) => gain(smoothed(row), night);
}

/** The process has the season as a kernel. */
const smoothed = (row: Float64Array): Float64Array => row.subarray(0, COLUMNS.known);
