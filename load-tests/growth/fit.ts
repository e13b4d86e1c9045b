/** A cost that grows as `factor * n ^ exponent`, with the 95 % confidence interval of the exponent. */
export type PowerFit = { exponent: number; low: number; high: number; factor: number; points: number };

/** `intercept + slope * n`, with the 95 % confidence interval of the slope. */
export type LineFit = { slope: number; low: number; high: number; intercept: number; points: number };

/** Quantiles 0.975 of Student's distribution, by degrees of freedom from 1. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
];
/** With more degrees of freedom it is the normal distribution, almost. */
const MANY = 2;
/** Two parameters are fitted: with as many points there is no error to judge by. */
const FEWEST = 3;

/**
 * Least squares of log(cost) on log(n). Costs that are not above 0, such as those below the resolution of a clock, are
 * left out.
 * @returns `undefined` with fewer than three points, or with all at one n
 */
export function fitPower(points: readonly (readonly [n: number, cost: number])[]): PowerFit | undefined {
  const logs = points.flatMap(([n, cost]): [number, number][] =>
    n > 0 && cost > 0 ? [[Math.log(n), Math.log(cost)]] : [],
  );
  const line = fitLine(logs);
  if (line === undefined) return undefined;
  const { slope, low, high, intercept } = line;
  return { exponent: slope, low, high, factor: Math.exp(intercept), points: line.points };
}

/** Least squares of y on n. @returns `undefined` with fewer than three points, or with all at one n */
export function fitLine(points: readonly (readonly [n: number, y: number])[]): LineFit | undefined {
  const count = points.length;
  if (count < FEWEST) return undefined;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spread === 0) return undefined;
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const intercept = meanY - slope * meanX;
  const freedom = count - 2;
  const squares = points.reduce((sum, [x, y]) => sum + (y - intercept - slope * x) ** 2, 0);
  const half = (STUDENT[freedom - 1] ?? MANY) * Math.sqrt(squares / freedom / spread);
  return { slope, low: slope - half, high: slope + half, intercept, points: count };
}
