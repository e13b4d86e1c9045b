import { incrementOf, type Minor, percentOf, roundTo } from '../../kernel/rules/money.ts';

/** Something that a property sells beside its nights, such as breakfast (docs/reference/set-up.md#property). */
export type Extra = {
  /** Unique within the property. */
  code: string;
  /** What the bill says. */
  name: string;
  description?: string;
  category?: string;
  /** Without taxes, as the price of a night. */
  price: Minor;
  taxPercent: number;
  /** Whether it is sold at the moment. */
  active: boolean;
};

/** Codes of lines that every bill may have: an extra of the same code would be indistinguishable from them. */
export const OWN_CODES: ReadonlySet<string> = new Set([
  'NIGHT',
  'FEES',
  'PENALTY',
  'CREDIT',
  'EARLY_DEPARTURE',
  'RETAINED',
]);

/**
 * What a guest pays for it: charges are gross (docs/concepts/money.md#check-out). Taxes are rounded half to even, as
 * those of a night.
 */
export function grossPrice({ price, taxPercent }: Pick<Extra, 'price' | 'taxPercent'>, currency: string): Minor {
  const increment = incrementOf(currency);
  return roundTo(price, increment) + percentOf(price, taxPercent, increment);
}
