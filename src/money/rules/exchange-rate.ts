import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { incrementOf, MAX_AMOUNT, type Minor, scale } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { PaymentMethod } from './payment.ts';

/** What a property counts the money of another currency at (docs/reference/set-up.md#exchange-rates). */
export type ExchangeRate = {
  currency: string;
  /** That of the property when the rate was set. */
  baseCurrency: string;
  /** Units of the base currency for one of the other; at most six decimals. */
  rate: number;
  /** The business date on which it was set. */
  date: Day;
  setBy: string;
  updatedAt: Instant;
};

/** Rates have at most so many decimals. */
export const RATE_DECIMALS = 6;
const RATE_UNIT = 10 ** RATE_DECIMALS;

/** Whether a number is a rate that can be stored as it is. */
export function isRate(rate: number): boolean {
  const scaled = rate * RATE_UNIT;
  return Number.isFinite(rate) && Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, scaled / 1e6);
}

/** Methods by which money of another currency comes; cards are charged in the currency of the property. */
export const FOREIGN_METHODS: ReadonlySet<PaymentMethod> = new Set<PaymentMethod>(['CASH', 'BANK_TRANSFER']);

/**
 * An amount of another currency in that of the property, half to even, rounded once.
 * @param rate units of `to` for one of the other currency
 */
export function converted(amount: Minor, rate: number, to: string): Minor {
  return scale(amount, Math.round(rate * RATE_UNIT), RATE_UNIT, incrementOf(to));
}

/** Whether an amount that was converted is one that can be paid. */
export const isPayable = (amount: Minor): boolean => amount > 0 && amount <= MAX_AMOUNT;

/**
 * Why the desk cannot count money of a currency today, and what to do; `undefined` where it can.
 * @param base currency that the reservation is paid in
 * @param maxAgeDays policy `exchangeRateMaxAgeDays`: 0 is a rate of today
 */
export function rateFault(
  rate: ExchangeRate | undefined,
  { currency, base, today, maxAgeDays }: { currency: string; base: string; today: Day; maxAgeDays: number },
): string | undefined {
  const remedy = 'an ADMIN sets it with PUT .../exchange-rates.';
  if (!rate) return `The property has no exchange rate for ${currency}: ${remedy}`;
  if (rate.baseCurrency !== base) return `The exchange rate for ${currency} is in ${rate.baseCurrency}: ${remedy}`;
  if (today - rate.date <= maxAgeDays) return undefined;
  return `The exchange rate for ${currency} is of ${formatDay(rate.date)}, which is too old: ${remedy}`;
}
