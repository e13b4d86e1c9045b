import { mean } from '../../../kernel/rules/figures.ts';
import { solveSymmetric } from './cholesky.ts';

/** Inputs, result and weight of each observation. */
export type Observations = {
  /** Columns by observation; a fit may read only the first of them. An unknown value is NaN, and counts as the mean. */
  rows: readonly Float64Array[];
  targets: readonly number[];
  weights: readonly number[];
};

/** Expected value for a row. */
type LeastSquaresFit = (row: Float64Array) => number;

type FitOptions = {
  /** Number of columns that are read. */
  columns: number;
  /**
   * Ridge penalty on all coefficients but the first, as the weight of observations without an effect relative to all. 0
   * leaves them free.
   */
  penalty: number;
  /** Repetitions with lower weights for outliers (Huber); 0 for none. */
  rounds: number;
};

/** A column with a smaller deviation from its mean is constant. */
const CONSTANT = 1e-9;
/** Minimum share of observations for which a column must be known: else the fit would learn when it was known. */
const LEAST_KNOWN = 0.95;
/** Intercept and first column are not penalized. */
const FREE = 2;

/**
 * Weighted linear regression with an intercept over centred and scaled columns, by Cholesky's decomposition. Constant,
 * dependent or often unknown columns get no coefficient, so that every input has an answer. Without observations the
 * fit is 0 everywhere.
 */
export function fitLinear(observations: Observations, { columns, penalty, rounds }: FitOptions): LeastSquaresFit {
  const { targets, weights } = observations;
  const scale = scaleOf(observations, columns);
  const rows = observations.rows.map((row) => scaled(row, scale));
  if (rows.length === 0) return () => 0;
  const held = penalty * weights.reduce((sum, weight) => sum + weight, 0);
  let coefficients = solve({ rows, targets, weights }, held);
  for (let round = 0; round < rounds; round += 1) {
    const residuals = rows.map((row, index) => targets[index]! - dot(coefficients, row));
    coefficients = solve({ rows, targets, weights: huber(residuals, weights) }, held);
  }
  return (row) => dot(coefficients, scaled(row, scale));
}

type Scale = { means: Float64Array; factors: Float64Array };

function scaleOf({ rows, weights }: Observations, columns: number): Scale {
  const means = new Float64Array(columns);
  const factors = new Float64Array(columns);
  for (let column = 0; column < columns; column += 1) {
    let known = 0;
    let total = 0;
    let sum = 0;
    let squares = 0;
    for (const [index, row] of rows.entries()) {
      if (Number.isNaN(row[column])) continue;
      known += 1;
      total += weights[index]!;
      sum += weights[index]! * row[column]!;
    }
    if (known === 0 || known < LEAST_KNOWN * rows.length) continue;
    const mean = sum / total;
    for (const [index, row] of rows.entries())
      if (!Number.isNaN(row[column])) squares += weights[index]! * (row[column]! - mean) ** 2;
    const deviation = Math.sqrt(squares / total);
    means[column] = mean;
    factors[column] = deviation > CONSTANT ? 1 / deviation : 0;
  }
  return { means, factors };
}

/** The row in units of deviations from the mean, after a 1 for the intercept. */
function scaled(row: Float64Array, { means, factors }: Scale): Float64Array {
  const values = new Float64Array(means.length + 1);
  values[0] = 1;
  for (let column = 0; column < means.length; column += 1) {
    const value = row[column]!;
    values[column + 1] =
      Number.isNaN(value) || factors[column] === 0 ? 0 : (value - means[column]!) * factors[column]!;
  }
  return values;
}

/** The usual residual is the median; where most are near 0, it is this part of the mean. */
const LEAST_USUAL = 0.25;

/** Weights unchanged up to the usual residual, and inversely proportional beyond it. */
function huber(residuals: readonly number[], weights: readonly number[]): number[] {
  const distances = residuals.map(Math.abs);
  const median = distances.toSorted((one, other) => one - other)[distances.length >> 1]!;
  const usual = Math.max(median, LEAST_USUAL * mean(distances));
  return weights.map((weight, index) => (distances[index]! > usual ? (weight * usual) / distances[index]! : weight));
}

/** Solves (X'WX + P) b = X'Wy in place of the lower triangle. */
function solve({ rows, targets, weights }: Observations, held: number): Float64Array {
  const size = rows[0]!.length;
  const matrix = new Float64Array(size * size);
  const vector = new Float64Array(size);
  for (const [index, row] of rows.entries()) {
    const weight = weights[index]!;
    const target = targets[index]!;
    for (let one = 0; one < size; one += 1) {
      const value = row[one]! * weight;
      vector[one]! += value * target;
      const start = one * size;
      for (let other = 0; other <= one; other += 1) matrix[start + other]! += value * row[other]!;
    }
  }
  for (let column = FREE; column < size; column += 1) matrix[column * size + column]! += held;
  return solveSymmetric(matrix, vector);
}

function dot(coefficients: Float64Array, row: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < coefficients.length; index += 1) sum += coefficients[index]! * row[index]!;
  return sum;
}
