import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { TaxLine } from './taxes.ts';

/** A booked night; its price is fixed while room type, rate code and occupancy stay the same. */
export type Night = {
  day: Day;
  /** Net of taxes included in the price. */
  rate: Minor;
  taxes: Minor;
  fees: Minor;
  /** Parts of taxes and fees, where the property has its own taxes. */
  taxLines?: TaxLine[];
  /** The part of its rate and taxes that an upgrade has added (`surcharge.ts`). */
  surcharge?: Surcharge;
  /** Of a complimentary night: its price before (`comp.ts`). */
  comped?: BookedPrice;
};

/** What an upgrade adds to the price of a night: its rate without the taxes in it, and all taxes on it. */
export type Surcharge = { rate: Minor; taxes: Minor; taxLines?: TaxLine[] };

/** The price of a night that is complimentary now. */
type BookedPrice = Omit<Night, 'day' | 'comped'>;

export type Totals = { base: Minor; taxes: Minor; fees: Minor; total: Minor };

/** Sums over the nights: total = base + taxes + fees (docs/reference/reservations.md#balances). */
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
