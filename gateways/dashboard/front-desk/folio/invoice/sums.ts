import type { StayInvoice } from '../shapes.ts';

type Lines = Pick<StayInvoice, 'items' | 'taxLines' | 'totalAmount'>;
type TaxLines = StayInvoice['taxLines'];
type Sums = {
  items: StayInvoice['items'];
  subtotal: number;
  /** Below the subtotal. */
  added: TaxLines;
  /** In the price of an extra. */
  within: TaxLines;
  unnamed: number;
};

/** Code of the line of fees, as the service names it. */
const FEES = 'FEES';

/**
 * What an invoice shows above its subtotal, so that it adds up as it is read: fees with names of their own stand below,
 * among the taxes, and only there.
 * @returns `unnamed`, taxes that have no line of their own
 */
export function sumsOf({ items, taxLines, totalAmount }: Lines): Sums {
  const above = items.filter(({ code, amount, taxLines: named }) => code !== FEES || sumOf(named) !== amount);
  const subtotal = sumOf(above);
  // An extra is charged with its taxes: they are in its amount already.
  const inside = items.filter(({ code, taxes }) => taxes === 0 && code !== FEES).flatMap((item) => item.taxLines);
  const insideOf = ({ code, included }: TaxLines[number]): number =>
    sumOf(inside.filter((one) => one.code === code && one.included === included));
  const added = withAmounts(taxLines, (line) => cents(line.amount - insideOf(line)));
  return {
    items: above,
    subtotal,
    added,
    within: withAmounts(taxLines, insideOf),
    unnamed: cents(totalAmount - subtotal - sumOf(added)),
  };
}

/** Lines with other amounts, without those of nothing. */
const withAmounts = (lines: TaxLines, amountOf: (line: TaxLines[number]) => number): TaxLines =>
  lines.map((line) => ({ ...line, amount: amountOf(line) })).filter(({ amount }) => amount !== 0);

const sumOf = (lines: readonly { amount: number }[]): number =>
  cents(lines.reduce((sum, { amount }) => sum + amount, 0));
const cents = (amount: number): number => Math.round(amount * 100) / 100;
