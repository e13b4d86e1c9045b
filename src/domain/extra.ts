import { type Minor, percentOf } from './money.ts';

/** Something that a house sells beside its nights, such as breakfast (specification 2.3, `services`). */
export type Extra = {
  /** Unique within the house. */
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

/** What a guest pays for it: charges are gross (contracts.md 7). Taxes are rounded half to even, as those of a night. */
export function grossPrice({ price, taxPercent }: Pick<Extra, 'price' | 'taxPercent'>): Minor {
  return price + percentOf(price, taxPercent);
}
