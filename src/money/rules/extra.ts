import type { Minor } from '../../kernel/rules/money.ts';
import { taxesInAmount, type TaxedExtraPrice, type TaxLine, taxesOfExtra, type TaxesOnDay } from './taxes.ts';

/** Something that a property sells beside its nights, such as breakfast (docs/reference/set-up.md#property). */
export type Extra = {
  /** Unique within the property. */
  code: string;
  /** Text on the bill. */
  name: string;
  description?: string;
  category?: string;
  /** Net of taxes on top, like the price of a night. */
  price: Minor;
  /** Its own tax; 0 applies the property's taxes on extras. */
  taxPercent: number;
  /** Whether it is on sale. */
  active: boolean;
  /** Pieces that there are on each night: it is sold by the night. Not counted where absent. */
  stockPerNight?: number;
};

/** Most pieces of an extra on a night. */
export const MAX_STOCK_PER_NIGHT = 999;

/** Pieces of each extra on a night, by code, as the price list has them at the moment; others are not counted. */
export type ExtraStock = Readonly<Record<string, number>>;

/** The stock of a price list. Extras that are not on sale count too: guests may have them. */
export function stockOf(extras: readonly Extra[]): ExtraStock {
  return Object.fromEntries(
    extras.flatMap(({ code, stockPerNight }) => (stockPerNight === undefined ? [] : [[code, stockPerNight]])),
  );
}

/** Codes of lines that any bill may have: an extra with such a code would be indistinguishable from them. */
export const OWN_CODES: ReadonlySet<string> = new Set([
  'NIGHT',
  'FEES',
  'PENALTY',
  'CREDIT',
  'EARLY_DEPARTURE',
  'RETAINED',
  'CHANGE_FEE',
  'GUEST_NAME',
]);

/**
 * Gross price on a business date: charges are gross (docs/concepts/money.md#check-out). Taxes are rounded half to even,
 * as those of a night.
 * @param amount agreed price, in place of the listed one
 */
export function grossPrice(
  { price, taxPercent }: Pick<Extra, 'price' | 'taxPercent'>,
  on: TaxesOnDay,
  amount?: Minor,
): TaxedExtraPrice {
  if (amount === undefined) return taxesOfExtra(price, { taxPercent }, on);
  return { amount, lines: taxesInAmount(amount, { taxPercent }, on) };
}

/** Taxes in the gross amount of a charge without a code: those of the property on extras, also the ones on top. */
export function typedTaxes(amount: Minor, on: TaxesOnDay): TaxLine[] {
  return taxesInAmount(amount, { taxPercent: 0 }, on);
}
