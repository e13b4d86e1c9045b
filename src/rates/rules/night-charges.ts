import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, percentOf, roundTo } from '../../kernel/rules/money.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import { taxedNight, type TaxLine, taxLinesOf } from '../../money/rules/taxes.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { policyFee, policyTaxes, type TaxPolicies, type TaxRule } from '../../properties/rules/tax.ts';
import { daysOf, type Party, personsOf, type Stay } from './stay.ts';

/** Taxes and fees of a property on the rate of a night; a hold stores them. */
export type NightCharges = TaxPolicies & {
  /** Taxes of its own, if any. */
  taxes?: readonly TaxRule[];
};

/** Promise of a quote beside the rates of its nights. */
export type QuotedCharges = NightCharges & { currency: string };

/** Members of a property that determine the charges on a night. */
export type SaleTerms = { policies: Policies; currency: string };

/** Current taxes and fees of a property. */
export function chargesOf({
  policies: { taxPercent, feePerNight, feePerPersonNight, taxes },
  currency,
}: SaleTerms): QuotedCharges {
  const own = taxes.filter(({ on }) => on !== 'EXTRA').map(({ name: _shownOnly, ...rule }) => rule);
  return { taxPercent, feePerNight, feePerPersonNight, currency, ...(own.length > 0 && { taxes: own }) };
}

/** The same without taxes that apply to none of the nights of a stay. */
export function chargesDuring<T extends NightCharges>(
  { taxes = [], ...others }: T,
  { checkIn, checkOut }: Pick<Stay, 'checkIn' | 'checkOut'>,
): Omit<T, 'taxes'> & Pick<NightCharges, 'taxes'> {
  const due = taxes.filter(({ from = -Infinity, to = Infinity }) => from < checkOut && to >= checkIn);
  return { ...others, ...(due.length > 0 && { taxes: due }) };
}

/**
 * Charges on nights of a booking from a day of the stay on. Absent for nights that an earlier release has booked by the
 * policies alone.
 */
export type BookedTaxes = { from: Day; charges?: QuotedCharges };

/** Charges on each night of a stay; `undefined` where those of none are known. */
export function taxesByDay(
  stay: Pick<Stay, 'checkIn' | 'checkOut'>,
  chargesOn: (day: Day) => QuotedCharges | undefined,
): BookedTaxes[] | undefined {
  const runs: BookedTaxes[] = [];
  for (const day of daysOf(stay)) {
    const charges = chargesOn(day);
    const run: BookedTaxes = { from: day, ...(charges && { charges }) };
    const last = runs.at(-1);
    if (!last || JSON.stringify(last.charges) !== JSON.stringify(run.charges)) runs.push(run);
  }
  return runs.some(({ charges }) => charges) ? runs : undefined;
}

/** Charges on a night when it was booked; `undefined` when unknown, in a booking of an earlier release. */
export function chargesBooked(booked: readonly BookedTaxes[] | undefined, day: Day): QuotedCharges | undefined {
  const charges = booked?.findLast(({ from }) => from <= day)?.charges;
  return charges && storedCharges(charges);
}

const NO_CHARGES: TaxPolicies = { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0 };

/** Charges as a hold or a booking has stored them: those of an earlier release lack the newest fees. */
export function storedCharges<T extends NightCharges>(charges: T): T {
  return { ...NO_CHARGES, ...charges };
}

/** Tax of one night: percent of its rate, rounded half to even to the currency's increment. */
export function nightTax(
  rate: Minor,
  { taxPercent, currency }: Pick<QuotedCharges, 'taxPercent' | 'currency'>,
): Minor {
  return percentOf(rate, taxPercent, incrementOf(currency));
}

type Occupied = Party & Pick<Stay, 'checkIn' | 'checkOut'>;

/** Fees of one night of a stay, untaxed. */
function nightFee(stay: Occupied, charges: QuotedCharges): Minor {
  // Fees of a tenant apply to properties of all currencies.
  return roundTo(policyFee(charges, personsOf(stay)), incrementOf(charges.currency));
}

/** Fees of a whole stay: the sum over its nights. */
export function stayFees(stay: Occupied, charges: QuotedCharges): Minor {
  return nightFee(stay, charges) * (stay.checkOut - stay.checkIn);
}

/**
 * A night of a stay at a given price, split into rate and included taxes. A price that was agreed or promised in cents
 * is rounded where the currency has none.
 */
export function bookedNight(stay: Occupied, day: Day, agreed: Minor, charges: QuotedCharges): Night {
  const { taxes = [], currency } = charges;
  const price = roundTo(agreed, incrementOf(currency));
  if (taxes.length > 0) return taxedNight(stay, day, price, [...policyTaxes(charges), ...taxes], currency);
  return { day, rate: price, taxes: nightTax(price, charges), fees: nightFee(stay, charges) };
}

/** Charges on top of the prices of a stay; `lines` also has included taxes, by code. */
type QuotedTaxes = { taxes: Minor; fees: Minor; lines: TaxLine[] };

/** Taxes and fees of a stay at given prices: prices, taxes and fees sum to its total. */
export function quotedTaxes(nights: readonly Night[]): QuotedTaxes {
  const { taxes, fees } = totals(nights);
  const lines = taxLinesOf(nights);
  return { taxes: taxes - sum(lines, ({ amount, included }) => (included ? amount : 0)), fees, lines };
}
