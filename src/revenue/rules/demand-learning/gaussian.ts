import { invertSymmetric } from '../forecast/cholesky.ts';

/** Square matrices are stored row by row. */
export type Matrix = Float64Array;

/** A normal distribution of some figures. */
export type Gaussian = { mean: Float64Array; covariance: Matrix };

/**
 * What data say about the figures, as a normal likelihood: `weight` is the information (the inverse of a covariance),
 * and `pull` the weight times the estimate. Without data both are 0, and likelihoods of independent data add up.
 */
export type LearningEvidence = { pull: Float64Array; weight: Matrix };

export function product(matrix: Matrix, vector: Float64Array): Float64Array {
  const size = vector.length;
  return vector.map((_, row) => {
    let sum = 0;
    for (let column = 0; column < size; column += 1) sum += matrix[row * size + column]! * vector[column]!;
    return sum;
  });
}

export const matrixSum = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, index) => value + b[index]!);

export const differenceOf = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, index) => value - b[index]!);

/** The distribution after the evidence. */
export function posteriorAfter({ mean, covariance }: Gaussian, { pull, weight }: LearningEvidence): Gaussian {
  const precision = invertSymmetric(covariance);
  const left = invertSymmetric(matrixSum(precision, weight));
  return { mean: product(left, matrixSum(product(precision, mean), pull)), covariance: left };
}

/**
 * What evidence about one member of a family says about the mean of the family, whose members differ from it by a
 * spread: its covariance and the spread add up.
 * @param tight the inverse of the spread, which is the same for all members
 */
export function aboutFamily({ pull, weight }: LearningEvidence, tight: Matrix): LearningEvidence {
  const size = pull.length;
  const shrunk = invertSymmetric(matrixSum(tight, weight));
  const towards = product(tight, product(shrunk, pull));
  // spread^-1 - spread^-1 (spread^-1 + weight)^-1 spread^-1, column by column.
  const less = new Float64Array(weight.length);
  for (let column = 0; column < size; column += 1) {
    const ofColumn = Float64Array.from(pull, (_, row) => tight[row * size + column]!);
    const solved = product(tight, product(shrunk, ofColumn));
    for (let row = 0; row < size; row += 1) less[row * size + column] = solved[row]!;
  }
  return { pull: towards, weight: differenceOf(tight, less) };
}
