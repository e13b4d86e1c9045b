import type { Minor } from '../../kernel/rules/money.ts';
import { taxesInAmount, type TaxedExtraPrice, taxesOfExtra, type TaxesOnDay } from './taxes.ts';

/** Something that a property sells beside its nights, such as breakfast (docs/reference/set-up.md#property). */
export type Extra = {
  /** Unique within the property. */
  code: string;
  /** What the bill says. */
  name: string;
  description?: string;
  category?: string;
  /** Without the taxes on top, as the price of a night. */
  price: Minor;
  /** Its own tax; with 0 it has those of the property on extras. */
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
  'CHANGE_FEE',
]);

/**
 * What a guest pays for it on a business date: charges are gross (docs/concepts/money.md#check-out). Taxes are rounded
 * half to even, as those of a night.
 * @param amount that was agreed on instead of its price
 */
export function grossPrice(
  { price, taxPercent }: Pick<Extra, 'price' | 'taxPercent'>,
  on: TaxesOnDay,
  amount?: Minor,
): TaxedExtraPrice {
  if (amount === undefined) return taxesOfExtra(price, { taxPercent }, on);
  return { amount, lines: taxesInAmount(amount, { taxPercent }, on) };
}
