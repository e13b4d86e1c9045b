import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, partsOf, percentOf, roundTo, withoutPercent } from '../../kernel/rules/money.ts';
import { holdsOn, POLICY_FEE, POLICY_TAX, type Tax, taxName, type TaxRule } from '../../properties/rules/tax.ts';
import type { Night } from './night.ts';

/** One tax of a night, of a charge, or of a sum of them (docs/concepts/money.md#taxes-and-fees). */
export type TaxLine = {
  code: string;
  amount: Minor;
  /** Included in the price. */
  included?: true;
  /** Per night, person or stay: it counts as a fee. */
  fee?: true;
  /** Name at the time of invoicing. */
  name?: string;
};

/** Members of a stay that its taxes depend on; ages as far as known. */
type TaxedStay = { checkIn: Day; adults: number; children: number; childAges?: readonly number[] };

/** Net price with all taxes on it, included ones and those on top. */
type TaxedPrice = { net: Minor; lines: TaxLine[] };

/** A tax in percent. */
type Percentage = Pick<TaxRule, 'code' | 'value' | 'included'>;

/**
 * Taxes of a displayed price. Included taxes are the difference to `price / (1 + p)`; taxes on top are computed from
 * the price, so that an included tax changes no total. Each is rounded half to even; the parts always sum to the whole.
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

/** Taxes that are all included in an amount. */
function taxesInside(amount: Minor, taxes: readonly Percentage[], currency: string): TaxedPrice {
  if (taxes.length === 0) return { net: amount, lines: [] };
  const increment = incrementOf(currency);
  const net = withoutPercent(amount, taxes.reduce((all, tax) => all + basisPoints(tax), 0) / 100, increment);
  const parts = partsOf(amount - net, taxes.map(basisPoints), increment);
  return { net, lines: taxes.map(({ code }, index) => ({ code, amount: parts[index]!, included: true })) };
}

const basisPoints = ({ value }: Percentage): number => Math.round(value * 100);

/**
 * Taxes of one night of a stay at its price. A tax limited to `maxNights` applies to the first nights, a tax per stay
 * only to the first one.
 * @param price in units that the currency has
 * @param taxes all taxes; those on extras only are skipped
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

/** Rounds to units of the currency: tax amounts of a tenant apply to properties of all currencies. */
function wholeLines(lines: readonly TaxLine[], currency: string): TaxLine[] {
  const increment = incrementOf(currency);
  if (increment === 1) return [...lines];
  return mergedLines(lines.map((line) => ({ ...line, amount: roundTo(line.amount, increment) })));
}

/** How many times a night owes an amount. */
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

/** Children of unknown age count as younger than any age limit. */
function childrenFrom(minAge: number, { children, childAges }: TaxedStay): number {
  if (minAge === 0) return children;
  return childAges ? childAges.filter((age) => age >= minAge).length : 0;
}

/** A night of a stay at its price, with a line for each tax. */
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

/** Selling price of a night: its rate with the included taxes. */
export function priceOf({ rate, taxLines = [] }: Pick<Night, 'rate' | 'taxLines'>): Minor {
  return rate + sum(taxLines, ({ amount, included }) => (included ? amount : 0));
}

/** An extra from a price list or by hand. */
type TaxedExtra = { taxPercent: number };

/** Price of an extra: gross amount, and the taxes in it. */
export type TaxedExtraPrice = { amount: Minor; lines: TaxLine[] };

/** Taxes of a property on a business date, in its currency. */
export type TaxesOnDay = { taxes: readonly TaxRule[]; day: Day; currency: string };

/** An extra's own percentage replaces all others; with 0 the taxes of the property apply. */
function percentagesOf({ taxPercent }: TaxedExtra, { taxes, day }: TaxesOnDay): Percentage[] {
  if (taxPercent > 0) return [{ code: POLICY_TAX, value: taxPercent, included: false }];
  return taxes.filter((tax) => tax.kind === 'PERCENT' && tax.on !== 'ROOM' && holdsOn(tax, day));
}

/** Taxes of an extra at its list price, which is rounded where the currency has no cents. */
export function taxesOfExtra(price: Minor, extra: TaxedExtra, on: TaxesOnDay): TaxedExtraPrice {
  const sold = roundTo(price, incrementOf(on.currency));
  const { net, lines } = taxesOfPrice(sold, percentagesOf(extra, on), on.currency);
  // Charges are gross: taxes on top of the price are part of the amount.
  const inside = lines.map(({ code, amount }): TaxLine => ({ code, amount, included: true }));
  return { amount: net + sum(lines, ({ amount }) => amount), lines: mergedLines(inside) };
}

/** Taxes in an agreed amount for an extra: all of them are included. */
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

/** Lines of a night; a property without its own taxes has one line of taxes and one of fees. */
export function linesOfNight({ taxes, fees, taxLines }: Night): TaxLine[] {
  return taxLines ?? plainLines(taxes, fees);
}

/** Taxes and fees from the property's policies, as lines. */
export function plainLines(taxes: Minor, fees: Minor): TaxLine[] {
  const lines: TaxLine[] = [
    { code: POLICY_TAX, amount: taxes },
    { code: POLICY_FEE, amount: fees, fee: true },
  ];
  return lines.filter(({ amount }) => amount !== 0);
}

/** Taxes of nights by code. Lines that are no fees sum to the taxes, fees to the fees. */
export function taxLinesOf(nights: readonly Night[]): TaxLine[] {
  return mergedLines(nights.flatMap(linesOfNight));
}

/** Merges lines by tax in their order, without zero amounts. */
export function mergedLines(lines: readonly TaxLine[]): TaxLine[] {
  const merged = new Map<string, TaxLine>();
  for (const line of lines) {
    const key = `${line.included ?? false} ${line.fee ?? false} ${line.code}`;
    const before = merged.get(key);
    merged.set(key, before ? { ...before, amount: before.amount + line.amount } : line);
  }
  return [...merged.values()].filter(({ amount }) => amount !== 0);
}

/** Part of the taxes of nights, such as those of a penalty, by code in the same proportions and without fees. */
export function shareOfTaxes(taxes: Minor, nights: readonly Night[], currency: string): TaxLine[] {
  const lines = taxLinesOf(nights).filter(({ fee }) => !fee);
  const parts = partsOf(
    taxes,
    lines.map(({ amount }) => amount),
    incrementOf(currency),
  );
  return mergedLines(lines.map(({ code }, index) => ({ code, amount: parts[index]! })));
}

/** A line for display. */
export type NamedTaxLine = { code: string; name?: string; amount: Minor; included: boolean };

/** Lines with their names, as far as the property still has these taxes. */
export function namedLines(lines: readonly TaxLine[], taxes: readonly Tax[] = []): NamedTaxLine[] {
  return lines.map(({ code, amount, included = false, name: then }) => {
    const name = then ?? taxName(code, taxes);
    return { code, ...(name !== undefined && { name }), amount, included };
  });
}
