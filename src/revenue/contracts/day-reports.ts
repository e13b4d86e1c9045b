import { z } from 'zod';

import { at, count, dayField, idField, moneyField } from '../../kernel/contracts/answers.ts';
import { date, page, propertyId, queryInt } from '../../kernel/contracts/fields.ts';
import { RESERVATION_STATUSES } from '../../stay/rules/reservation.ts';
import { REVENUE_GROUPS, STAY_REPORTS } from '../rules/day-reports.ts';

/** Lists that a hotel prints each morning (docs/concepts/night-audit.md#reports-of-a-day). */

/** Lines of one page, and of one file. */
const MAX_LISTED = 200;
export const MAX_IN_A_FILE = 1_000;

const ofDay = {
  propertyId,
  /** Defaults to the business date. */
  date: date.optional(),
  /** Defaults to the `Accept` header. */
  format: z.enum(['json', 'csv']).optional(),
};

export const revenueReportQuery = z.object(ofDay);
export type RevenueReportQuery = z.infer<typeof revenueReportQuery>;

export const stayReportQuery = z
  .object({
    ...ofDay,
    cursor: page.cursor,
    limit: queryInt(z.int().min(1).max(MAX_IN_A_FILE)).optional(),
  })
  .superRefine(({ limit, format = 'json' }, context) => {
    if (format !== 'json' || limit === undefined || limit <= MAX_LISTED) return;
    const message = `at most ${MAX_LISTED} in a list, ${MAX_IN_A_FILE} in a file`;
    context.addIssue({ code: 'custom', path: ['limit'], message, params: { field: 'TOO_MANY' } });
  });
export type StayReportQuery = z.infer<typeof stayReportQuery>;

export const reportedStay = z.object({
  reservationId: idField,
  confirmationNumber: z.string(),
  guestName: z.string(),
  status: z.enum(RESERVATION_STATUSES),
  roomType: z.string().nullable(),
  roomNumber: z.string().nullable(),
  checkIn: dayField,
  checkOut: dayField,
  adults: count,
  children: count,
  specialRequests: z.array(z.string()),
  totalAmount: moneyField,
  paidAmount: moneyField,
  balanceDue: moneyField,
  penaltyAmount: moneyField.describe('Retained of a stay that was cancelled or a no-show.'),
  reason: z.string().nullable(),
  cancelledAt: at.nullable(),
  walkedTo: z.string().nullable().describe('The hotel to which the guest was sent.'),
  compensation: moneyField.nullable().describe('What the property owes a guest who was sent away.'),
  currency: z.string().describe('Of its amounts: that in which the stay was sold.'),
});

const dated = {
  propertyId: z.string(),
  date: dayField,
  businessDate: dayField.describe('Business date of the property at the time of the report.'),
  currency: z.string().describe('Of the totals; amounts of other currencies are in `otherCurrencies`.'),
  createdAt: at,
};

const stayTotals = z.object({
  stays: count,
  totalAmount: moneyField,
  paidAmount: moneyField,
  balanceDue: moneyField,
  penaltyAmount: moneyField,
});

export const stayReportAnswer = z.object({
  report: z.enum(STAY_REPORTS),
  ...dated,
  totals: stayTotals.describe('`stays` are all; amounts are of those in the currency of the property.'),
  otherCurrencies: z
    .array(z.object({ currency: z.string(), totals: stayTotals }))
    .describe('Totals of stays that were sold in another currency, for each.'),
  items: z.array(reportedStay),
  nextCursor: z.string().nullable(),
});

const amounts = { net: moneyField, taxes: moneyField, gross: moneyField };
const taxLines = z
  .array(z.object({ code: z.string(), net: moneyField, tax: moneyField }))
  .describe('By the codes of its taxes: what each is taken of, and the tax. Taxes in extras stand here alone.');

const revenueReportLine = z.object({
  group: z.enum(REVENUE_GROUPS),
  roomType: z.string().nullable(),
  ...amounts,
  taxLines,
});

/** A line of the file, which has the lines of all currencies. */
export const revenueFileLine = revenueReportLine.extend({ currency: z.string() });

const revenueOf = { totals: z.object({ ...amounts, taxLines }), items: z.array(revenueReportLine) };

export const revenueReportAnswer = z.object({
  report: z.literal('revenue'),
  ...dated,
  ...revenueOf,
  otherCurrencies: z
    .array(z.object({ currency: z.string(), ...revenueOf }))
    .describe('The same for each other currency in which the date earned something.'),
});
