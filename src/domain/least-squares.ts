/** One observation: what was known, what came of it, and how much it counts. */
export type Observation = { row: ArrayLike<number>; target: number; weight: number };

export type Fit = {
  predict(row: ArrayLike<number>): number;
  /** Standard deviation of the observations around the fit, with allowance for the columns that were fitted. */
  deviation: number;
};

export type FitOptions = {
  /** Per column, how strongly its coefficient is held towards 0: as much as so many observations; 0 leaves it free. */
  penalties: readonly number[];
  /** Times that observations far off the fit are weighed down and it is repeated (Huber's weights); 0 is plain. */
  rounds: number;
};

/** A column that moves less than this around its mean says nothing. */
const CONSTANT = 1e-9;
/** A pivot below this part of its diagonal is rounding: the column follows from those before it. */
const DEPENDENT = 1e-10;

/**
 * Weighted linear regression with an intercept and a penalty per column (ridge), over columns that are centred and
 * scaled first, by Cholesky's decomposition. Columns that are constant or follow from others get no coefficient, so
 * that every input has an answer. Without observations the fit is 0 everywhere.
 */
export function fitLinear(observations: readonly Observation[], { penalties, rounds }: FitOptions): Fit {
  const columns = penalties.length;
  const scale = scaleOf(observations, columns);
  const rows = observations.map(({ row }) => scaled(row, scale));
  const targets = observations.map(({ target }) => target);
  const weights = observations.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let coefficients = solve(rows, targets, weights, penalties);
  const residuals = (): number[] => rows.map((row, index) => targets[index]! - dot(coefficients, row));
  for (let round = 0; round < rounds; round += 1) {
    coefficients = solve(rows, targets, huber(residuals(), weights), penalties);
  }
  return {
    predict: (row) => dot(coefficients, scaled(row, scale)),
    deviation: spread(residuals(), weights, Math.min(columns + 1, total / 2)),
  };
}

type Scale = { means: Float64Array; factors: Float64Array };

function scaleOf(observations: readonly Observation[], columns: number): Scale {
  const means = new Float64Array(columns);
  const squares = new Float64Array(columns);
  let total = 0;
  for (const { row, weight } of observations) {
    total += weight;
    for (let column = 0; column < columns; column += 1) means[column]! += weight * row[column]!;
  }
  if (total > 0) for (let column = 0; column < columns; column += 1) means[column]! /= total;
  for (const { row, weight } of observations) {
    for (let column = 0; column < columns; column += 1) squares[column]! += weight * (row[column]! - means[column]!) ** 2;
  }
  const factors = squares.map((square) => {
    const deviation = Math.sqrt(square / total);
    return deviation > CONSTANT ? 1 / deviation : 0;
  });
  return { means, factors };
}

/** The row in units of deviations from the mean, after a 1 for the intercept. */
function scaled(row: ArrayLike<number>, { means, factors }: Scale): Float64Array {
  const values = new Float64Array(means.length + 1);
  values[0] = 1;
  for (let column = 0; column < means.length; column += 1) {
    values[column + 1] = factors[column] === 0 ? 0 : (row[column]! - means[column]!) * factors[column]!;
  }
  return values;
}

/** Weights as they were up to the usual (median) distance from the fit, and less in proportion beyond it. */
function huber(residuals: readonly number[], weights: readonly number[]): number[] {
  const distances = residuals.map(Math.abs);
  const usual = distances.toSorted((one, other) => one - other)[distances.length >> 1] ?? 0;
  return weights.map((weight, index) => (distances[index]! > usual ? (weight * usual) / distances[index]! : weight));
}

/** Solves (X'WX + P) b = X'Wy in place of the lower triangle. */
function solve(
  rows: readonly Float64Array[],
  targets: readonly number[],
  weights: readonly number[],
  penalties: readonly number[],
): Float64Array {
  const size = penalties.length + 1;
  const matrix = new Float64Array(size * size);
  const vector = new Float64Array(size);
  for (const [index, row] of rows.entries()) {
    const [weight, target] = [weights[index]!, targets[index]!];
    for (let one = 0; one < size; one += 1) {
      const value = row[one]! * weight;
      if (value === 0) continue;
      vector[one]! += value * target;
      for (let other = 0; other <= one; other += 1) matrix[one * size + other]! += value * row[other]!;
    }
  }
  for (let column = 1; column < size; column += 1) matrix[column * size + column]! += penalties[column - 1]!;
  return substitute(matrix, vector, decompose(matrix, size));
}

/** Cholesky's decomposition of the lower triangle, in place; says which columns stand on their own. */
function decompose(matrix: Float64Array, size: number): boolean[] {
  const own: boolean[] = [];
  for (let column = 0; column < size; column += 1) {
    const diagonal = matrix[column * size + column]!;
    let pivot = diagonal;
    for (let before = 0; before < column; before += 1) pivot -= matrix[column * size + before]! ** 2;
    own[column] = pivot > DEPENDENT * diagonal && pivot > 0;
    const root = own[column] ? Math.sqrt(pivot) : 1;
    matrix[column * size + column] = root;
    for (let row = column + 1; row < size; row += 1) {
      let sum = matrix[row * size + column]!;
      for (let before = 0; before < column; before += 1) {
        sum -= matrix[row * size + before]! * matrix[column * size + before]!;
      }
      matrix[row * size + column] = own[column] ? sum / root : 0;
    }
  }
  return own;
}

/** Forward and back substitution; columns that do not stand on their own get 0. */
function substitute(triangle: Float64Array, vector: Float64Array, own: readonly boolean[]): Float64Array {
  const size = vector.length;
  for (let row = 0; row < size; row += 1) {
    let sum = vector[row]!;
    for (let before = 0; before < row; before += 1) sum -= triangle[row * size + before]! * vector[before]!;
    vector[row] = own[row] ? sum / triangle[row * size + row]! : 0;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = vector[row]!;
    for (let after = row + 1; after < size; after += 1) sum -= triangle[after * size + row]! * vector[after]!;
    vector[row] = own[row] ? sum / triangle[row * size + row]! : 0;
  }
  return vector;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += one[index]! * other[index]!;
  return sum;
}

function spread(residuals: readonly number[], weights: readonly number[], fitted: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0) return 0;
  const squares = residuals.reduce((sum, residual, index) => sum + weights[index]! * residual ** 2, 0);
  return Math.sqrt(squares / (total - fitted));
}
