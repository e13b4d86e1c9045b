import { incrementOf, type Minor, negated, scale } from '../../kernel/rules/money.ts';
import type { InvoiceLine } from './invoice.ts';
import { mergedLines, type TaxLine } from './taxes.ts';

/** What the sharer pays of an amount, half to even; the rest is the difference (docs/reference/folio.md#divided-postings). */
export function shareOf(amount: Minor, percent: number, currency: string): Minor {
  return percent === 100 ? amount : scale(amount, percent, 100, incrementOf(currency));
}

/**
 * The same of taxes. Lines of one kind (included, on top, fees) are rounded together, so that they sum to the part of
 * their sum.
 */
export function shareOfTaxLines(lines: readonly TaxLine[], percent: number, currency: string): TaxLine[] {
  if (percent === 100) return [...lines];
  const sums = new Map<string, Minor>();
  const parts = lines.map((line) => {
    const of = `${line.included ?? false} ${line.fee ?? false}`;
    const before: Minor = sums.get(of) ?? 0;
    sums.set(of, before + line.amount);
    const amount: Minor = shareOf(before + line.amount, percent, currency) - shareOf(before, percent, currency);
    return { ...line, amount };
  });
  return mergedLines(parts);
}

/** Taxes without those of a part. */
export function taxLinesWithout(lines: readonly TaxLine[], part: readonly TaxLine[]): TaxLine[] {
  return mergedLines([...lines, ...part.map((line) => ({ ...line, amount: negated(line.amount) }))]);
}

/** What the sharer pays of a line of an invoice, whose `amount` is without its `taxes`. */
export function shareOfLine(line: InvoiceLine, percent: number, currency: string): InvoiceLine {
  const { amount, taxes, taxLines } = line;
  const own = shareOf(taxes, percent, currency);
  return {
    ...line,
    amount: shareOf(amount + taxes, percent, currency) - own,
    taxes: own,
    ...(taxLines && { taxLines: shareOfTaxLines(taxLines, percent, currency) }),
  };
}

/** A line of an invoice without what the sharer pays of it. */
export function lineWithout(line: InvoiceLine, part: InvoiceLine): InvoiceLine {
  const { amount, taxes, taxLines } = line;
  return {
    ...line,
    amount: amount - part.amount,
    taxes: taxes - part.taxes,
    ...(taxLines && { taxLines: taxLinesWithout(taxLines, part.taxLines ?? []) }),
  };
}
