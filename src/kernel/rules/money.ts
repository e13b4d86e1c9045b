import type { Unit } from './unit.ts';
/**
 * An amount in minor units (cents). All currencies served have at most two minor digits (docs/reference/api.md#money).
 */
export type Minor = Unit<number, 'minor'>;

/** 99,999,999.99: what `decimal(10,2)` holds. */
export const MAX_AMOUNT: Minor = 9_999_999_999;

/** Reads a decimal of at most two places, as JSON carries it; `undefined` when it has more or is no number. */
export function toMinor(decimal: number): Minor | undefined {
  const minor = Math.round(decimal * 100);
  return Number.isFinite(decimal) && Math.abs(decimal * 100 - minor) < 1e-6 * Math.max(1, Math.abs(minor) / 1e6)
    ? minor
    : undefined;
}

/** The same amount the other way: what was paid as what is given back. */
export const negated = (amount: Minor): Minor => 0 - amount;

/** `amount * numerator / denominator`, rounded half to even, exact for any amount that the tables hold. */
export function scale(amount: Minor, numerator: number, denominator: number): Minor {
  const product = amount * numerator;
  if (!Number.isSafeInteger(product)) return scaleBig(BigInt(amount) * BigInt(numerator), BigInt(denominator));
  const quotient = Math.floor(product / denominator);
  const twice = (product - quotient * denominator) * 2;
  if (twice < denominator) return quotient;
  if (twice > denominator) return quotient + 1;
  return quotient % 2 === 0 ? quotient : quotient + 1;
}

function scaleBig(product: bigint, denominator: bigint): Minor {
  let quotient = product / denominator;
  let rest = product % denominator;
  if (rest < 0n) {
    quotient -= 1n;
    rest += denominator;
  }
  const up = rest * 2n > denominator || (rest * 2n === denominator && quotient % 2n !== 0n);
  return Number(up ? quotient + 1n : quotient);
}

/** Percent of an amount, half to even; `percent` has at most two decimals. */
export function percentOf(amount: Minor, percent: number): Minor {
  return scale(amount, Math.round(percent * 100), 10_000);
}

/** A price without a percentage that is in it: `gross / (1 + percent / 100)`, half to even. */
export function withoutPercent(gross: Minor, percent: number): Minor {
  return scale(gross, 10_000, 10_000 + Math.round(percent * 100));
}

/** Parts an amount in the proportion of weights from 0 up: the parts sum to it, and none is of another sign. */
export function partsOf(amount: Minor, weights: readonly number[]): Minor[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return weights.map(() => 0);
  let [weight, given] = [0, 0];
  return weights.map((one) => {
    weight += one;
    const part = scale(amount, weight, all) - given;
    given += part;
    return part;
  });
}

/** The decimal text of an amount with its two decimals, such as `199.00`. */
export function decimalText(amount: Minor): string {
  return (amount / 100).toFixed(2);
}

/** ISO 4217 currencies whose minor unit is not hundredths or units are refused: we keep two digits. */
const THREE_DIGITS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND', 'CLF', 'UYW']);

/** Whether a code has the shape of ISO 4217 and at most two minor digits. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && !THREE_DIGITS.has(code);
}
