/**
 * Exponential, logarithm and normal distribution from the four basic operations alone. Engines and their versions
 * differ in the last digit of `Math.exp` and the like; results determined by a seed must not.
 */

const LN2_HIGH = 0.6931471804855391;
const LN2_LOW = 7.440617110012397e-11;

/** e to the power of x, to 15 digits. */
export function exp(x: number): number {
  if (x < -745) return 0;
  if (x > 709) return Infinity;
  const twos = Math.round(x / (LN2_HIGH + LN2_LOW));
  const rest = x - twos * LN2_HIGH - twos * LN2_LOW;
  let sum = 1;
  for (let n = 14; n > 0; n--) sum = 1 + (sum * rest) / n;
  return sum * powerOfTwo(twos);
}

/** The natural logarithm of x >= 0, to 15 digits. */
export function log(x: number): number {
  if (x === 0 || x === Infinity) return x === 0 ? -Infinity : x;
  let mantissa = x;
  let twos = 0;
  for (; mantissa > Math.SQRT2; twos++) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; twos--) mantissa *= 2;
  const ratio = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let n = 23; n > 0; n -= 2) sum = sum * ratio * ratio + 1 / n;
  return twos * LN2_HIGH + (twos * LN2_LOW + 2 * ratio * sum);
}

/** Probability that a standard normal value exceeds z; error below 1e-7 (rational approximation). */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return normalDensity(z) * sum;
}

export function normalDensity(z: number): number {
  return 0.3989422804014327 * exp(-0.5 * z * z);
}

function powerOfTwo(n: number): number {
  let factor = n < 0 ? 0.5 : 2;
  let power = 1;
  for (let left = Math.abs(n); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power *= factor;
    if (left > 1) factor *= factor;
  }
  return power;
}
