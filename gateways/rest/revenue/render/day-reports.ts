import type { z } from 'zod';

import type * as answers from '../../../../src/revenue/contracts/day-reports.ts';
import type { ReportHead, RevenueOfDay, StayList } from '../../../../src/revenue/operations/read-day-report.ts';
import type { ReportedStay, StayTotals } from '../../../../src/revenue/rules/day-reports.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A list of stays (docs/reference/reservations.md#reports). */
export function stayReport(
  { report, totals, otherCurrencies, items, ...rest }: StayList,
  nextCursor: string | null,
): AnswerOf<typeof answers.stayReportAnswer> {
  return {
    report,
    ...headOf(rest),
    totals: { stays: totals.stays, ...amountsOf(totals) },
    otherCurrencies: otherCurrencies.map(({ currency, stays, ...amounts }) => {
      return { currency, totals: { stays, ...amountsOf(amounts) } };
    }),
    items: items.map(stayLine),
    nextCursor,
  };
}

export function revenueReport({
  totals,
  items,
  otherCurrencies,
  ...rest
}: RevenueOfDay): AnswerOf<typeof answers.revenueReportAnswer> {
  const others = otherCurrencies.map(({ currency, sum, lines }) => ({ currency, totals: sum, items: lines }));
  return { report: 'revenue', ...headOf(rest), totals, items, otherCurrencies: others };
}

/** Lines of all currencies for the file, as on the wire. */
export function revenueFileLines({
  currency,
  items,
  otherCurrencies,
}: z.input<typeof answers.revenueReportAnswer>): object[] {
  return [{ currency, items }, ...otherCurrencies].flatMap(({ currency: of, items: lines }) =>
    lines.map((line) => ({ ...line, currency: of })),
  );
}

function headOf({ propertyId, date, businessDate, currency, createdAt }: ReportHead) {
  return { propertyId, date, businessDate, currency, createdAt };
}

function stayLine({
  total: _total,
  paid: _paid,
  balance: _balance,
  penalty: _penalty,
  ...stay
}: ReportedStay): AnswerOf<typeof answers.reportedStay> {
  return { ...stay, ...amountsOf({ total: _total, paid: _paid, balance: _balance, penalty: _penalty }) };
}

function amountsOf({ total, paid, balance, penalty }: Omit<StayTotals, 'stays'>) {
  return { totalAmount: total, paidAmount: paid, balanceDue: balance, penaltyAmount: penalty };
}
