import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, partsOf, percentOf, roundTo, withoutPercent } from '../../kernel/rules/money.ts';
import { holdsOn, POLICY_FEE, POLICY_TAX, type Tax, taxName, type TaxRule } from '../../properties/rules/tax.ts';
import type { Night } from './night.ts';

/** One tax of a night, of a charge, or of all of them together (docs/concepts/money.md#taxes-and-fees). */
export type TaxLine = {
  code: string;
  amount: Minor;
  /** It is in the price already. */
  included?: true;
  /** By night, person or stay: it counts as a fee. */
  fee?: true;
  /** As it was called when it was invoiced. */
  name?: string;
};

/** What of a stay its taxes depend on; ages as far as they are known. */
type TaxedStay = { checkIn: Day; adults: number; children: number; childAges?: readonly number[] };

/** A price without the taxes that are in it, and all taxes on it: those in it, and those on top. */
export type TaxedPrice = { net: Minor; lines: TaxLine[] };

/** A tax in percent, and whether it is in the price. */
type Percentage = Pick<TaxRule, 'code' | 'value' | 'included'>;

/**
 * Taxes of a price as it is shown: what is in it is the difference to `price / (1 + p)`, what comes on top is taken of the
 * price, so that a tax in it changes no total. Each is rounded half to even; the parts always sum to the whole.
 */
function taxesOfPrice(price: Minor, taxes: readonly Percentage[], currency: string): TaxedPrice {
  const { net, lines } = taxesInside(
    price,
    taxes.filter(({ included }) => included),
    currency,
  );
  const increment = incrementOf(currency);
  const onTop = taxes
    .filter(({ included }) => !included)
    .map(({ code, value }) => ({ code, amount: percentOf(price, value, increment) }));
  return { net, lines: mergedLines([...lines, ...onTop]) };
}

/** Taxes that are all in an amount. */
function taxesInside(amount: Minor, taxes: readonly Percentage[], currency: string): TaxedPrice {
  if (taxes.length === 0) return { net: amount, lines: [] };
  const increment = incrementOf(currency);
  const net = withoutPercent(amount, taxes.reduce((all, tax) => all + basisPoints(tax), 0) / 100, increment);
  const parts = partsOf(amount - net, taxes.map(basisPoints), increment);
  return { net, lines: taxes.map(({ code }, index) => ({ code, amount: parts[index]!, included: true })) };
}

const basisPoints = ({ value }: Percentage): number => Math.round(value * 100);

/**
 * Taxes of one night of a stay at its price. Of a stay only its first `maxNights` nights pay a tax that has such a limit,
 * and only the first night one that is owed once.
 * @param price what the currency has
 * @param taxes those on extras alone are passed over
 */
export function taxesOfNight(
  stay: TaxedStay,
  day: Day,
  price: Minor,
  taxes: readonly TaxRule[],
  currency: string,
): TaxedPrice {
  const nightsBefore = day - stay.checkIn;
  const due = taxes.filter(
    (tax) => tax.on !== 'EXTRA' && holdsOn(tax, day) && nightsBefore < (tax.maxNights ?? Infinity),
  );
  const { net, lines } = taxesOfPrice(
    price,
    due.filter(({ kind }) => kind === 'PERCENT'),
    currency,
  );
  const fees = due.flatMap((tax): TaxLine[] => {
    if (tax.kind === 'PERCENT') return [];
    return [{ code: tax.code, amount: tax.value * timesOf(tax, stay, nightsBefore), fee: true }];
  });
  return { net, lines: [...lines, ...wholeLines(mergedLines(fees), currency)] };
}

/** Amounts of a tenant are for properties of all currencies. */
function wholeLines(lines: readonly TaxLine[], currency: string): TaxLine[] {
  const increment = incrementOf(currency);
  if (increment === 1) return [...lines];
  return mergedLines(lines.map((line) => ({ ...line, amount: roundTo(line.amount, increment) })));
}

/** How often a night owes an amount. */
function timesOf({ kind, minAge = 0 }: TaxRule, stay: TaxedStay, nightsBefore: number): number {
  switch (kind) {
    case 'PER_PERSON_NIGHT':
      return stay.adults + childrenFrom(minAge, stay);
    case 'PER_STAY':
      return nightsBefore === 0 ? 1 : 0;
    case 'PERCENT':
    case 'PER_NIGHT':
      return 1;
  }
}

/** Children whose age nobody knows are below any. */
function childrenFrom(minAge: number, { children, childAges }: TaxedStay): number {
  if (minAge === 0) return children;
  return childAges ? childAges.filter((age) => age >= minAge).length : 0;
}

/** A night of a stay at its price, with a line for each of its taxes. */
export function taxedNight(
  stay: TaxedStay,
  day: Day,
  price: Minor,
  rules: readonly TaxRule[],
  currency: string,
): Night {
  const { net, lines } = taxesOfNight(stay, day, price, rules, currency);
  const fees = sum(lines, ({ amount, fee }) => (fee ? amount : 0));
  const taxes = sum(lines, ({ amount, fee }) => (fee ? 0 : amount));
  return { day, rate: net, taxes, fees, taxLines: lines };
}

/** The price at which a night was sold: its rate with the taxes that were in it. */
export function priceOf({ rate, taxLines = [] }: Pick<Night, 'rate' | 'taxLines'>): Minor {
  return rate + sum(taxLines, ({ amount, included }) => (included ? amount : 0));
}

/** What is sold beside the nights, by a price list or by hand. */
type TaxedExtra = { taxPercent: number };

/** An extra at its price: what the guest pays, and the taxes that are in this. */
export type TaxedExtraPrice = { amount: Minor; lines: TaxLine[] };

/** Taxes of a property on a business date, in its currency. */
export type TaxesOnDay = { taxes: readonly TaxRule[]; day: Day; currency: string };

/** An extra's own percentage stands for all others; one of 0 leaves it to the taxes of the property. */
function percentagesOf({ taxPercent }: TaxedExtra, { taxes, day }: TaxesOnDay): Percentage[] {
  if (taxPercent > 0) return [{ code: POLICY_TAX, value: taxPercent, included: false }];
  return taxes.filter((tax) => tax.kind === 'PERCENT' && tax.on !== 'ROOM' && holdsOn(tax, day));
}

/** Taxes of an extra that is sold at its price of the list; this is rounded where the currency has no cents. */
export function taxesOfExtra(price: Minor, extra: TaxedExtra, on: TaxesOnDay): TaxedExtraPrice {
  const sold = roundTo(price, incrementOf(on.currency));
  const { net, lines } = taxesOfPrice(sold, percentagesOf(extra, on), on.currency);
  // Charges are gross: what was put on top of the price is in the amount.
  const inside = lines.map(({ code, amount }): TaxLine => ({ code, amount, included: true }));
  return { amount: net + sum(lines, ({ amount }) => amount), lines: mergedLines(inside) };
}

/** Taxes in an amount that was agreed on for an extra, whatever its price: all of them are in it. */
export function taxesInAmount(amount: Minor, extra: TaxedExtra, on: TaxesOnDay): TaxLine[] {
  const all = percentagesOf(extra, on);
  const onTop = taxesInside(
    amount,
    all.filter(({ included }) => !included),
    on.currency,
  );
  const { lines } = taxesInside(
    onTop.net,
    all.filter(({ included }) => included),
    on.currency,
  );
  return mergedLines([...lines, ...onTop.lines]);
}

/** The lines of a night; one of a property without taxes of its own has its taxes and its fees as one line each. */
export function linesOfNight({ taxes, fees, taxLines }: Night): TaxLine[] {
  return taxLines ?? plainLines(taxes, fees);
}

/** What the policies alone come to, as lines. */
export function plainLines(taxes: Minor, fees: Minor): TaxLine[] {
  const lines: TaxLine[] = [
    { code: POLICY_TAX, amount: taxes },
    { code: POLICY_FEE, amount: fees, fee: true },
  ];
  return lines.filter(({ amount }) => amount !== 0);
}

/** What nights owe by each tax. Those that are not fees sum to their taxes, fees to their fees. */
export function taxLinesOf(nights: readonly Night[]): TaxLine[] {
  return mergedLines(nights.flatMap(linesOfNight));
}

/** One line for each tax in the order in which they come, without those of 0. */
export function mergedLines(lines: readonly TaxLine[]): TaxLine[] {
  const merged = new Map<string, TaxLine>();
  for (const line of lines) {
    const key = `${line.included ?? false} ${line.fee ?? false} ${line.code}`;
    const before = merged.get(key);
    merged.set(key, before ? { ...before, amount: before.amount + line.amount } : line);
  }
  return [...merged.values()].filter(({ amount }) => amount !== 0);
}

/** A part of the taxes of nights, such as those of a penalty, by their codes in the same proportions. No fee is in it. */
export function shareOfTaxes(taxes: Minor, nights: readonly Night[], currency: string): TaxLine[] {
  const lines = taxLinesOf(nights).filter(({ fee }) => !fee);
  const parts = partsOf(
    taxes,
    lines.map(({ amount }) => amount),
    incrementOf(currency),
  );
  return mergedLines(lines.map(({ code }, index) => ({ code, amount: parts[index]! })));
}

/** A line as it is shown. */
export type NamedTaxLine = { code: string; name?: string; amount: Minor; included: boolean };

/** Lines with their names, as far as the property still has such taxes. */
export function namedLines(lines: readonly TaxLine[], taxes: readonly Tax[] = []): NamedTaxLine[] {
  return lines.map(({ code, amount, included = false, name: then }) => {
    const name = then ?? taxName(code, taxes);
    return { code, ...(name !== undefined && { name }), amount, included };
  });
}
