import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { exp } from '../../../kernel/rules/portable-math.ts';
import { solveSymmetric } from './cholesky.ts';

/** Nights with what was known of them, and their results. An unknown value of a row is NaN, and counts as the mean. */
export type NightExamples = { nights: readonly Day[]; rows: readonly Float64Array[]; targets: readonly number[] };

/** Variances of the parts of a kernel, relative to the results', and over how many nights two of them have something in common. */
export type NightKernel = {
  season: number;
  seasonDays: number;
  /** Of a linear function of the row. */
  linear: number;
  memory: number;
  memoryDays: number;
  noise: number;
};

const DAYS_OF_YEAR = 365.25;
/** A column with a smaller deviation from its mean is constant. */
const CONSTANT = 1e-9;
/** Minimum share of the rows for which a column must be known. */
const LEAST_KNOWN = 0.95;
/** Deviations beyond which a value counts as this far. */
const MOST_DEVIATIONS = 4;

/**
 * Regression by a Gaussian process over nights: those of the same season, of a similar row, and near to each other end
 * alike. Solved by Cholesky's decomposition: n^3 / 6 multiplications for n nights.
 * @returns the expected result of a night with this row
 */
export function fitGaussianProcess(
  { nights, rows, targets }: NightExamples,
  kernel: NightKernel,
): (row: Float64Array, night: Day) => number {
  if (nights.length === 0) return () => 0;
  const level = mean(targets);
  const spread = Math.sqrt(mean(targets.map((target) => (target - level) ** 2)));
  if (spread <= CONSTANT) return () => level;
  const scaled = scalingOf(rows);
  const known = rows.map((row) => scaled(row));
  const alike = likenessOf(kernel, Math.max(...nights) - Math.min(...nights));
  const size = nights.length;
  const matrix = new Float64Array(size * size);
  for (let one = 0; one < size; one += 1) {
    for (let other = 0; other <= one; other += 1)
      matrix[one * size + other] = alike(nights[one]! - nights[other]!, known[one]!, known[other]!);
    matrix[one * size + one]! += kernel.noise;
  }
  const weights = solveSymmetric(
    matrix,
    Float64Array.from(targets, (target) => (target - level) / spread),
  );
  return (row, night) => {
    const at = scaled(row);
    let sum = 0;
    for (let index = 0; index < size; index += 1)
      sum += weights[index]! * alike(night - nights[index]!, at, known[index]!);
    return level + spread * sum;
  };
}

type Likeness = (apart: number, one: Float64Array, other: Float64Array) => number;

/** Covariance of two nights; what depends on their distance is computed once for each distance. */
function likenessOf(kernel: NightKernel, most: number): Likeness {
  const byDistance = (apart: number): number => {
    const days = apart % DAYS_OF_YEAR;
    const season = Math.min(days, DAYS_OF_YEAR - days) / kernel.seasonDays;
    return kernel.season * exp(-0.5 * season * season) + kernel.memory * exp(-apart / kernel.memoryDays);
  };
  const near = Float64Array.from({ length: most + 1 }, (_, apart) => byDistance(apart));
  return (apart, one, other) => {
    const distance = Math.abs(apart);
    let product = 0;
    for (let column = 0; column < one.length; column += 1) product += one[column]! * other[column]!;
    return (near[distance] ?? byDistance(distance)) + (kernel.linear * product) / one.length;
  };
}

/** Scales a row in units of deviations from the mean. */
function scalingOf(rows: readonly Float64Array[]): (row: Float64Array) => Float64Array {
  const width = rows[0]!.length;
  const means = new Float64Array(width);
  const factors = new Float64Array(width);
  for (let column = 0; column < width; column += 1) {
    const values = rows.map((row) => row[column]!).filter((value) => !Number.isNaN(value));
    if (values.length < LEAST_KNOWN * rows.length) continue;
    const middle = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
    means[column] = middle;
    factors[column] = deviation > CONSTANT ? 1 / deviation : 0;
  }
  return (row) =>
    Float64Array.from(means, (middle, column) => {
      const value = (row[column]! - middle) * factors[column]!;
      return Number.isNaN(value) ? 0 : Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, value));
    });
}
