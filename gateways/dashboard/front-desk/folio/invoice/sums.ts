import type { StayInvoice } from '../shapes.ts';

type Lines = Pick<StayInvoice, 'items' | 'taxLines' | 'totalAmount'>;
type Sums = { items: StayInvoice['items']; subtotal: number; unnamed: number };

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
  return { items: above, subtotal, unnamed: cents(totalAmount - subtotal - sumOf(taxLines)) };
}

const sumOf = (lines: readonly { amount: number }[]): number =>
  cents(lines.reduce((sum, { amount }) => sum + amount, 0));
const cents = (amount: number): number => Math.round(amount * 100) / 100;
