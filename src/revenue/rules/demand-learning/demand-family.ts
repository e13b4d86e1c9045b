import { DEMAND } from '../../../rates/rules/demand-model.ts';
import { invertSymmetric } from '../forecast/cholesky.ts';
import {
  aboutFamily,
  posteriorAfter,
  type LearningEvidence,
  type Gaussian,
  type Matrix,
  matrixSum,
} from './gaussian.ts';
import { COMPETITOR_EFFECT, FIGURES } from './price-response.ts';

/** Where a figure comes from: data of the property, of the other properties of its tenant, or the assumptions. */
export const SOURCES = ['PROPERTY', 'CHAIN', 'PRIOR'] as const;
export type DemandSource = (typeof SOURCES)[number];

/**
 * How far chains differ from the assumptions, and properties from their chain: variances as parts of the elasticity,
 * for all leads together and for each of its own. They add up to the square of `DEMAND.elasticityDoubt`.
 */
const VARIANCES = { together: 0.06, own: 0.02 } as const;

/** The same for the effect of competitors, which is a part of the demand for each part of their price. */
const EFFECT_VARIANCE = 0.04;

/** Data count as a source of a figure that is this much surer with them. */
const SURER = 0.85;

/** The assumed elasticities, and no effect of competitors beyond that on the usual price. */
export const ASSUMED_FIGURES: Float64Array = Float64Array.from([
  ...DEMAND.elasticity.flatMap(({ weekday, weekend }) => [weekday, weekend]),
  0,
]);

/** How far a chain differs from the assumptions, and as well a property from its chain. */
const SPREAD: Matrix = spread();
const TIGHT: Matrix = invertSymmetric(SPREAD);

function spread(): Matrix {
  const matrix = new Float64Array(FIGURES * FIGURES);
  for (let row = 0; row < COMPETITOR_EFFECT; row += 1)
    for (let column = 0; column < COMPETITOR_EFFECT; column += 1) {
      const part = VARIANCES.together + (row === column ? VARIANCES.own : 0);
      matrix[row * FIGURES + column] = part * ASSUMED_FIGURES[row]! * ASSUMED_FIGURES[column]!;
    }
  matrix[FIGURES * FIGURES - 1] = EFFECT_VARIANCE;
  return matrix;
}

/** Before the first booking with two prices data say nothing: neither of a property nor of its chain. */
const hasEvidence = ({ weight }: LearningEvidence): boolean => weight.some((one) => one !== 0);

/**
 * What is expected of a property before its own data, from those of the others of its tenant. Each property of a chain
 * reads all others, so the ones without data cost nothing.
 */
export function chainPrior(others: readonly LearningEvidence[]): Gaussian {
  const chain = others
    .filter(hasEvidence)
    .map((one) => aboutFamily(one, TIGHT))
    .reduce<LearningEvidence | undefined>(
      (sum, { pull, weight }) =>
        sum === undefined
          ? { pull, weight }
          : { pull: matrixSum(sum.pull, pull), weight: matrixSum(sum.weight, weight) },
      undefined,
    );
  const assumed: Gaussian = { mean: ASSUMED_FIGURES, covariance: SPREAD };
  const { mean, covariance } = chain === undefined ? assumed : posteriorAfter(assumed, chain);
  return { mean, covariance: matrixSum(covariance, SPREAD) };
}

/** What is expected of a property of which nothing is known, nor of its chain. */
const ASSUMED_PROPERTY: Gaussian = chainPrior([]);

const varianceOf = ({ covariance }: Gaussian, figure: number): number => covariance[figure * FIGURES + figure]!;

/** Where a figure of a property comes from. */
export function sourceOf(figure: number, expected: Gaussian, learned: Gaussian): DemandSource {
  if (varianceOf(learned, figure) < SURER * varianceOf(expected, figure)) return 'PROPERTY';
  return varianceOf(expected, figure) < SURER * varianceOf(ASSUMED_PROPERTY, figure) ? 'CHAIN' : 'PRIOR';
}

/** Standard deviation of a figure. */
export const deviationOf = (of: Gaussian, figure: number): number => Math.sqrt(Math.max(0, varianceOf(of, figure)));
