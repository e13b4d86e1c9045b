import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { type Minor, percentOf } from '../../kernel/rules/money.ts';
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

/** What a property charges on its nights now. */
export function chargesOf({ taxPercent, feePerNight, feePerPersonNight, taxes }: Policies): NightCharges {
  const own = taxes.filter(({ on }) => on !== 'EXTRA').map(({ name: _shownOnly, ...rule }) => rule);
  return { taxPercent, feePerNight, feePerPersonNight, ...(own.length > 0 && { taxes: own }) };
}

/** The same without taxes that hold on none of the nights of a stay. */
export function chargesDuring(
  { taxes = [], ...others }: NightCharges,
  { checkIn, checkOut }: Pick<Stay, 'checkIn' | 'checkOut'>,
): NightCharges {
  const due = taxes.filter(({ from = -Infinity, to = Infinity }) => from < checkOut && to >= checkIn);
  return { ...others, ...(due.length > 0 && { taxes: due }) };
}

/** What nights of a booking were charged by, from a day of the stay on; by no taxes of the property where absent. */
export type BookedTaxes = { from: Day; charges?: NightCharges };

/** What nights are charged by when they are booked together. */
export function bookedTaxes(
  stay: Pick<Stay, 'checkIn' | 'checkOut'>,
  charges: NightCharges,
): BookedTaxes[] | undefined {
  return charges.taxes && taxesByDay(stay, () => charges);
}

/** What each night of a stay is charged by; `undefined` where none has taxes of the property. */
export function taxesByDay(
  stay: Pick<Stay, 'checkIn' | 'checkOut'>,
  chargesOn: (day: Day) => NightCharges | undefined,
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
export function chargesBooked(booked: readonly BookedTaxes[] | undefined, day: Day): NightCharges | undefined {
  return booked?.findLast(({ from }) => from <= day)?.charges;
}

/** Tax of one night: percent of its rate, half to even. */
export function nightTax(rate: Minor, { taxPercent }: Pick<NightCharges, 'taxPercent'>): Minor {
  return percentOf(rate, taxPercent);
}

type Occupied = Party & Pick<Stay, 'checkIn' | 'checkOut'>;

/** Fees of one night of a stay, untaxed: a sum a night, and a sum a person and night. */
function nightFee(stay: Occupied, { feePerNight, feePerPersonNight }: NightCharges): Minor {
  return feePerNight + feePerPersonNight * personsOf(stay);
}

/** Fees of a whole stay: what those of its nights add up to. */
export function stayFees(stay: Occupied, charges: NightCharges): Minor {
  return nightFee(stay, charges) * (stay.checkOut - stay.checkIn);
}

/** A night of a stay at a given price, with the taxes that are in it where some are. */
export function bookedNight(stay: Occupied, day: Day, price: Minor, charges: NightCharges): Night {
  const { taxes = [] } = charges;
  if (taxes.length > 0) return taxedNight(stay, day, price, [...policyTaxes(charges), ...taxes]);
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
