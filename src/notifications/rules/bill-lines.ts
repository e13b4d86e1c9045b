import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { EARLY_DEPARTURE, RETAINED } from '../../money/rules/folio.ts';
import type { InvoiceLine } from '../../money/rules/invoice.ts';
import { mergedLines, type NamedTaxLine, namedLines, type TaxLine } from '../../money/rules/taxes.ts';
import { POLICY_FEE, POLICY_TAX, type Tax } from '../../properties/rules/tax.ts';
import type { LetterTexts } from './letter-texts.ts';

/** A row of a bill as a guest reads it. */
type BillRow = { name: string; amount: Minor };

/** Lines of an invoice with their taxes, as a guest reads them: lines and taxes add up to the total. */
export type BillRows = {
  lines: (BillRow & Pick<InvoiceLine, 'day'>)[];
  taxes: BillRow[];
  /** Taxes within amounts of the lines. */
  within: BillRow[];
};

/**
 * What a guest reads for a line of a bill: lines that the service writes in the language of the guest, and others as the
 * property, or somebody by hand, has named them. @param rooms names of the room types by their codes
 */
export function billLineText(
  texts: LetterTexts,
  { code, description }: Pick<InvoiceLine, 'code' | 'description'>,
  rooms: ReadonlyMap<string, string>,
): string {
  const named = (type: string): { room: string } => ({ room: rooms.get(type) ?? type });
  switch (code ?? '') {
    case 'NIGHT': {
      const [, type, comped] = /^Night, (.+?)(, complimentary)?$/.exec(description) ?? [];
      if (type === undefined) return description;
      return texts.text(comped === undefined ? 'line.night' : 'line.complimentary', named(type));
    }
    case 'UPGRADE': {
      const [, type] = /^Upgrade to (.+)$/.exec(description) ?? [];
      return type === undefined ? description : texts.text('line.upgrade', named(type));
    }
    case 'PENALTY':
      return texts.text(description.startsWith('No-show') ? 'noShowFee' : 'cancellationFee');
    case POLICY_FEE:
      return texts.text('fees');
    case RETAINED:
      return texts.text('line.retained');
    case EARLY_DEPARTURE:
      return texts.text('line.earlyDeparture');
    case 'CHANGE_FEE':
      return texts.text('line.changeFee');
    default:
      return description;
  }
}

/** Rows of an invoice. @param known taxes of the property, for lines without a name of their own */
export function billRows(
  texts: LetterTexts,
  { lines, taxes }: { lines: readonly InvoiceLine[]; taxes: Minor },
  { known, rooms }: { known: readonly Tax[]; rooms: ReadonlyMap<string, string> },
): BillRows {
  const rowsOf = (of: readonly TaxLine[]): BillRow[] =>
    namedLines(mergedLines(of), known).map((one) => ({ name: taxText(texts, one), amount: one.amount }));
  const added = lines.flatMap((line) => (line.taxes === 0 ? [] : taxesIn(line)));
  // Whether a tax was part of the price of a night, its line is without it.
  const onTop = added.map(({ included: _included, ...one }) => one);
  // Taxes of a line from before they were written one by one.
  const unnamed = taxes - sum(onTop, ({ amount }) => amount);
  return {
    lines: lines.flatMap((line) => {
      const { day, amount, taxLines = [] } = line;
      const isNamed = line.code === POLICY_FEE && sum(taxLines, (one) => one.amount) === amount;
      const rows = isNamed ? rowsOf(taxLines) : [{ name: billLineText(texts, line, rooms), amount }];
      return rows.map((row) => ({ day, ...row }));
    }),
    taxes: rowsOf([...onTop, { code: POLICY_TAX, amount: unnamed }]),
    within: rowsOf(lines.flatMap((line) => (line.taxes === 0 ? taxesIn(line) : []))),
  };
}

const taxesIn = ({ taxLines = [] }: InvoiceLine): TaxLine[] => taxLines.filter(({ fee }) => !fee);

function taxText(texts: LetterTexts, { code, name = code }: NamedTaxLine): string {
  if (code === POLICY_TAX) return texts.text('taxes');
  return code === POLICY_FEE ? texts.text('fees') : name;
}
