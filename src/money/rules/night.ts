import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';

/** One booked night; its price never changes while room type, rate code and occupancy stay. */
export type Night = { day: Day; rate: Minor; taxes: Minor; fees: Minor };

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
