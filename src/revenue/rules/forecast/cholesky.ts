/** A pivot below this part of its diagonal is a rounding error: the column depends on those before it. */
const DEPENDENT = 1e-10;

/**
 * Solves a positive semidefinite system given by its lower triangle, in place. What depends on columns before it gets 0.
 */
export function solveSymmetric(triangle: Float64Array, values: Float64Array): Float64Array {
  return substitute(triangle, values, decompose(triangle, values.length));
}

/** The inverse of a positive definite matrix given by its lower triangle, which is decomposed once for all columns. */
export function invertSymmetric(matrix: Float64Array): Float64Array {
  const size = Math.sqrt(matrix.length);
  const triangle = matrix.slice();
  const own = decompose(triangle, size);
  const result = new Float64Array(matrix.length);
  const unit = new Float64Array(size);
  for (let column = 0; column < size; column += 1) {
    unit.fill(0);
    unit[column] = 1;
    substitute(triangle, unit, own);
    for (let row = 0; row < size; row += 1) result[row * size + column] = unit[row]!;
  }
  return result;
}

/** Cholesky's decomposition of the lower triangle, in place; returns which columns are independent. */
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

/** Forward and back substitution; dependent columns get 0. */
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
