import type { Unit } from './unit.ts';
/**
 * An amount in minor units (cents). All currencies served have at most two minor digits (docs/reference/api.md#money).
 */
export type Minor = Unit<number, 'minor'>;

/** No money, where a bare 0 would have no unit. */
export const NO_MONEY: Minor = 0;

/** 99,999,999.99: what `decimal(10,2)` holds. */
export const MAX_AMOUNT: Minor = 9_999_999_999;

/** Reads a decimal of at most two places from JSON; `undefined` for more places or another type. */
export function toMinor(decimal: number): Minor | undefined {
  const minor = Math.round(decimal * 100);
  return Number.isFinite(decimal) && Math.abs(decimal * 100 - minor) < 1e-6 * Math.max(1, Math.abs(minor) / 1e6)
    ? minor
    : undefined;
}

/** The negated amount. */
export const negated = (amount: Minor): Minor => 0 - amount;

/**
 * `amount * numerator / denominator`, rounded half to even, exact for every storable amount.
 * @param increment the result is a multiple of it: see `incrementOf`
 */
export function scale(amount: Minor, numerator: number, denominator: number, increment: Minor = 1): Minor {
  return increment === 1 ? part(amount, numerator, denominator) : whole(amount, numerator, denominator, increment);
}

const whole = (amount: Minor, numerator: number, denominator: number, increment: Minor): Minor =>
  part(amount, numerator, denominator * increment) * increment;

function part(amount: Minor, numerator: number, denominator: number): Minor {
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

/**
 * Percentage of an amount, half to even; `percent` has at most two decimals.
 * @param increment the result is a multiple of it: see `incrementOf`
 */
export function percentOf(amount: Minor, percent: number, increment: Minor = 1): Minor {
  return scale(amount, Math.round(percent * 100), 10_000, increment);
}

/** Rounds to the currency's increment, half to even. */
export function roundTo(amount: Minor, increment: Minor): Minor {
  return increment === 1 ? amount : scale(amount, 1, 1, increment);
}

/**
 * A price without an included percentage: `gross / (1 + percent / 100)`, half to even.
 * @param increment the result is a multiple of it: see `incrementOf`
 */
export function withoutPercent(gross: Minor, percent: number, increment: Minor = 1): Minor {
  return scale(gross, 10_000, 10_000 + Math.round(percent * 100), increment);
}

/**
 * Splits an amount in proportion to weights of at least 0: the parts sum to it, and none has another sign.
 * @param increment of the parts, if the amount is a multiple of it: see `incrementOf`
 */
export function partsOf(amount: Minor, weights: readonly number[], increment: Minor = 1): Minor[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return weights.map(() => 0);
  let weight = 0;
  let given = 0;
  return weights.map((one) => {
    weight += one;
    // The last part takes the rest, whatever the amount is a multiple of.
    const part = (weight === all ? amount : scale(amount, weight, all, increment)) - given;
    given += part;
    return part;
  });
}

/** The decimal text of an amount with its two decimals, such as `199.00`. */
export function decimalText(amount: Minor): string {
  return (amount / 100).toFixed(2);
}

/**
 * ISO 4217 currencies in use with cents. Not listed: funds, metals, test codes, replaced ones (BGN, HRK, ANG ...), and
 * those of three decimals, which amounts cannot hold (KWD, BHD ...).
 */
const WITH_CENTS = new Set([
  ...'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP'.split(
    ' ',
  ),
  ...'CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS'.split(
    ' ',
  ),
  ...'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR'.split(
    ' ',
  ),
  ...'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS'.split(
    ' ',
  ),
  ...'SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW'.split(
    ' ',
  ),
  'ZWG',
]);

/** Currencies without cents. MGA has fifths on paper, which no payment provider accepts. */
const WITHOUT_CENTS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));

/** Whether properties can sell in a currency: ISO 4217, in use, of at most two decimals. */
export function isCurrency(code: string): boolean {
  return WITH_CENTS.has(code) || WITHOUT_CENTS.has(code);
}

/** Increment of a currency's amounts, in hundredths: 100 where there are no cents (docs/reference/api.md#money). */
export function incrementOf(currency: string): Minor {
  return WITHOUT_CENTS.has(currency) ? 100 : 1;
}
