import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { TaxLine } from './taxes.ts';

/** One booked night; its price never changes while room type, rate code and occupancy stay. */
export type Night = {
  day: Day;
  /** Without the taxes that are in the price. */
  rate: Minor;
  taxes: Minor;
  fees: Minor;
  /** What taxes and fees are made of, where the property has taxes of its own. */
  taxLines?: TaxLine[];
};

export type Totals = { base: Minor; taxes: Minor; fees: Minor; total: Minor };

/** total = base + taxes + fees (docs/reference/reservations.md#balances), summed over the nights. */
export function totals(nights: readonly Night[]): Totals {
  let base = 0;
  let taxes = 0;
  let fees = 0;
  for (const night of nights) {
    base += night.rate;
    taxes += night.taxes;
    fees += night.fees;
  }
  return { base, taxes, fees, total: base + taxes + fees };
}
