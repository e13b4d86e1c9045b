import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, percentOf, roundTo } from '../../kernel/rules/money.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import { taxedNight, type TaxLine, taxLinesOf } from '../../money/rules/taxes.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { policyTaxes, type TaxPolicies, type TaxRule } from '../../properties/rules/tax.ts';
import { daysOf, type Party, personsOf, type Stay } from './stay.ts';

/** What a property charges on the rate of a night; a hold keeps it as it was. */
export type NightCharges = TaxPolicies & {
  /** Taxes of its own, where it has any. */
  taxes?: readonly TaxRule[];
};

/** What a quote promises beside the rates of its nights. */
export type QuotedCharges = NightCharges & { currency: string };

/** What of a property says what a night costs beside its rate. */
export type SaleTerms = { policies: Policies; currency: string };

/** What a property charges on its nights now. */
export function chargesOf({
  policies: { taxPercent, feePerNight, feePerPersonNight, taxes },
  currency,
}: SaleTerms): QuotedCharges {
  const own = taxes.filter(({ on }) => on !== 'EXTRA').map(({ name: _shownOnly, ...rule }) => rule);
  return { taxPercent, feePerNight, feePerPersonNight, currency, ...(own.length > 0 && { taxes: own }) };
}

/** The same without taxes that hold on none of the nights of a stay. */
export function chargesDuring<T extends NightCharges>(
  { taxes = [], ...others }: T,
  { checkIn, checkOut }: Pick<Stay, 'checkIn' | 'checkOut'>,
): Omit<T, 'taxes'> & Pick<NightCharges, 'taxes'> {
  const due = taxes.filter(({ from = -Infinity, to = Infinity }) => from < checkOut && to >= checkIn);
  return { ...others, ...(due.length > 0 && { taxes: due }) };
}

/** What nights of a booking were charged by, from a day of the stay on; by no taxes of the property where absent. */
export type BookedTaxes = { from: Day; charges?: QuotedCharges };

/** What nights are charged by when they are booked together. */
export function bookedTaxes(
  stay: Pick<Stay, 'checkIn' | 'checkOut'>,
  charges: QuotedCharges,
): BookedTaxes[] | undefined {
  return charges.taxes && taxesByDay(stay, () => charges);
}

/** What each night of a stay is charged by; `undefined` where none has taxes of the property. */
export function taxesByDay(
  stay: Pick<Stay, 'checkIn' | 'checkOut'>,
  chargesOn: (day: Day) => QuotedCharges | undefined,
): BookedTaxes[] | undefined {
  const runs: BookedTaxes[] = [];
  for (const day of daysOf(stay)) {
    const charges = chargesOn(day);
    const run: BookedTaxes = { from: day, ...(charges?.taxes && { charges }) };
    const last = runs.at(-1);
    if (!last || JSON.stringify(last.charges) !== JSON.stringify(run.charges)) runs.push(run);
  }
  return runs.some(({ charges }) => charges) ? runs : undefined;
}

/** What a night of a booking was charged by; `undefined` where that is not known, or the policies alone. */
export function chargesBooked(booked: readonly BookedTaxes[] | undefined, day: Day): QuotedCharges | undefined {
  return booked?.findLast(({ from }) => from <= day)?.charges;
}

/** Tax of one night: percent of its rate, half to even in what the currency has. */
export function nightTax(
  rate: Minor,
  { taxPercent, currency }: Pick<QuotedCharges, 'taxPercent' | 'currency'>,
): Minor {
  return percentOf(rate, taxPercent, incrementOf(currency));
}

type Occupied = Party & Pick<Stay, 'checkIn' | 'checkOut'>;

/** Fees of one night of a stay, untaxed: a sum a night, and a sum a person and night. */
function nightFee(stay: Occupied, { feePerNight, feePerPersonNight, currency }: QuotedCharges): Minor {
  // Those of a tenant are for properties of all currencies.
  return roundTo(feePerNight + feePerPersonNight * personsOf(stay), incrementOf(currency));
}

/** Fees of a whole stay: what those of its nights add up to. */
export function stayFees(stay: Occupied, charges: QuotedCharges): Minor {
  return nightFee(stay, charges) * (stay.checkOut - stay.checkIn);
}

/**
 * A night of a stay at a given price, with the taxes that are in it where some are. A price that was agreed or promised in
 * cents is rounded where there are none.
 */
export function bookedNight(stay: Occupied, day: Day, agreed: Minor, charges: QuotedCharges): Night {
  const { taxes = [], currency } = charges;
  const price = roundTo(agreed, incrementOf(currency));
  if (taxes.length > 0) return taxedNight(stay, day, price, [...policyTaxes(charges), ...taxes], currency);
  return { day, rate: price, taxes: nightTax(price, charges), fees: nightFee(stay, charges) };
}

/** What comes on top of the prices of a stay; with those in them by code. */
export type QuotedTaxes = { taxes: Minor; fees: Minor; lines: TaxLine[] };

/** Taxes and fees of a stay at given prices: prices, taxes and fees sum to what it costs. */
export function quotedTaxes(nights: readonly Night[]): QuotedTaxes {
  const { taxes, fees } = totals(nights);
  const lines = taxLinesOf(nights);
  return { taxes: taxes - sum(lines, ({ amount, included }) => (included ? amount : 0)), fees, lines };
}
