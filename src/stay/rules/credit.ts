import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import { type FolioWindow, sharerPercent, windowOfKind, windowOfPayment } from '../../money/rules/folio-window.ts';
import { type FolioCharge, folioTaxLines, folioTotals, taxesBack } from '../../money/rules/folio.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { windowsOf } from '../../money/rules/postings.ts';
import { isUnfinished } from './reservation-states.ts';
import type { Reservation } from './reservation.ts';

/**
 * Credit lines of a refund (docs/concepts/money.md#refunds), each in the folio window whose payment is refunded, with its
 * part of the taxes.
 * @param credit amount by which the price of the stay falls, at most its total
 */
export function creditLines(
  before: Reservation,
  refunds: readonly Payment[],
  credit: Minor,
  day: Day,
  description = 'Goodwill',
): FolioCharge[] {
  const kind = isUnfinished(before.status) ? { goodwill: true as const } : { afterwards: true as const };
  // One that is divided would go to others than who gets the money back.
  const usual = sharerPercent(before, 'CREDIT') % 100 === 0 ? windowOfKind(before, 'CREDIT') : undefined;
  const { charges = [] } = before;
  const lines: FolioCharge[] = [];
  for (const [window, amount] of creditsOf(before, refunds, credit)) {
    const line = { description, amount: negated(amount), day, code: 'CREDIT', ...kind };
    // Taxes are a part of those left after the lines before, so that a full credit leaves none.
    const left = { ...before, charges: [...charges, ...lines] };
    const taxes = taxesBack({ ...folioTotals(left), lines: folioTaxLines(left) }, amount, before.currency);
    lines.push({ ...line, ...taxes, ...(window !== usual && { window }) });
  }
  return lines;
}

/** Parts of a credit by window: the refund of the window, less what was overpaid there. */
function creditsOf(
  before: Reservation,
  refunds: readonly Payment[],
  credit: Minor,
): [window: FolioWindow, amount: Minor][] {
  const back = [...Map.groupBy(refunds, (refund) => windowOfPayment(before, refund))].map(
    ([window, own]) => [window, sum(own, ({ amount }) => amount)] as const,
  );
  const balances = isUnfinished(before.status) ? [] : windowsOf(before, before.stay.checkOut);
  const tooMuch = new Map(
    balances.map(({ window, paid, expectedTotal }) => [window, Math.max(0, paid - expectedTotal)]),
  );
  let left = credit;
  const take = (most: Minor): Minor => {
    const taken = Math.min(left, Math.max(0, most));
    left -= taken;
    return taken;
  };
  const own = back.map(([window, amount]) => [window, amount, take(amount - (tooMuch.get(window) ?? 0))] as const);
  // With one window overpaid and another owed, the credit of the whole stay is distributed.
  return own
    .map(([window, amount, taken]): [FolioWindow, Minor] => [window, taken + take(amount - taken)])
    .filter(([, amount]) => amount > 0);
}
