import { z } from 'zod';

import { at, count, dayField, figure, idField, moneyField } from '../../kernel/contracts/answers.ts';
import { date, MAX_RANGE_DAYS, propertyId } from '../../kernel/contracts/fields.ts';

/** Query and answer of what came of accepted recommendations (docs/reference/rates.md#what-came-of-it). */

/** Nights; without dates the 30 that ended last. */
export const outcomesQuery = z
  .object({ propertyId, startDate: date.optional(), endDate: date.optional() })
  .superRefine(({ startDate, endDate }, context) => {
    if (startDate === undefined || endDate === undefined) return;
    const blame = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: ['endDate'], message, params: { field } });
    if (endDate < startDate) blame('is before startDate', 'REVERSED');
    else if (endDate - startDate >= MAX_RANGE_DAYS) blame(`at most ${MAX_RANGE_DAYS} days at once`, 'TOO_MANY_DAYS');
  });
export type OutcomesQuery = z.infer<typeof outcomesQuery>;

const gained = z.object({
  rooms: figure.describe('Below 0 where more was cancelled than sold.'),
  revenue: moneyField,
});

export const outcomesAnswer = z.object({
  propertyId: z.string(),
  totals: z
    .object({
      accepted: count,
      over: count.describe('Those whose night is over; the amounts are theirs.'),
      revenueBefore: moneyField.describe('Expected at the rates before,'),
      revenueExpected: moneyField.describe('expected at the accepted ones,'),
      revenueActual: moneyField.describe('and what came of them.'),
    })
    .describe('Of rooms that were sold after the rates were accepted.'),
  items: z.array(
    z.object({
      optimizationId: idField,
      roomType: z.string(),
      date: dayField,
      acceptedAt: at,
      acceptedBy: z.string().describe('The user; of a rule who has set it.'),
      byRule: z.boolean(),
      rateBefore: moneyField,
      rateAfter: moneyField,
      revenueBefore: moneyField,
      expected: gained,
      actual: gained.nullable().describe('Null while the night is not over.'),
    }),
  ),
});
