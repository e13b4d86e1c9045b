import { z } from 'zod';

import { at, count, dayField, moneyField } from '../../kernel/contracts/answers.ts';
import { date, propertyId, roomTypeCode } from '../../kernel/contracts/fields.ts';
import type { Day } from '../../kernel/rules/dates.ts';

/** Figures that charts show: how nights were sold, through which channels, and at which prices of competitors. */

/** Longest period of one query: three months, as the calendar shows. */
const MAX_PERIOD_NIGHTS = 92;

function periodInOrder({ from, to }: { from: Day; to: Day }, context: z.RefinementCtx): void {
  const blame = (message: string, field: string): void =>
    context.addIssue({ code: 'custom', path: ['to'], message, params: { field } });
  if (to < from) blame('is before from', 'REVERSED');
  else if (to - from >= MAX_PERIOD_NIGHTS) blame(`at most ${MAX_PERIOD_NIGHTS} nights at once`, 'TOO_MANY_DAYS');
}

/** Nights of a property, both inclusive. */
export const salesQuery = z.object({ propertyId, from: date, to: date }).superRefine(periodInOrder);
export type SalesQuery = z.infer<typeof salesQuery>;

export const competitorRatesQuery = z
  .object({ propertyId, roomType: roomTypeCode, from: date, to: date })
  .superRefine(periodInOrder);
export type CompetitorRatesQuery = z.infer<typeof competitorRatesQuery>;

const period = { propertyId: z.string(), from: dayField, to: dayField };

export const bookingCurveAnswer = z.object({
  ...period,
  businessDate: dayField,
  dates: z
    .array(
      z.object({
        date: dayField,
        booked: count.describe('Room nights that came on the books on this business date.'),
        cancelled: count.describe('Room nights that left them.'),
        roomsSold: count.describe('Room nights of the period on the books at its end.'),
      }),
    )
    .describe('Business dates on which the books of these nights changed, in order.'),
});

const sold = {
  roomNights: count.describe('Booked and in house; held ones are none.'),
  revenue: moneyField.describe('Rates without taxes and fees, in the currency of the property.'),
};

const parts = z.array(z.object({ name: z.string().nullable(), ...sold }));

export const salesMixAnswer = z.object({
  ...period,
  currency: z.string(),
  total: z.object(sold),
  channels: z.array(z.object({ channel: z.string().nullable(), ...sold })).describe('Most room nights first.'),
  ratePlans: z.array(z.object({ rateCode: z.string().nullable(), ...sold })).describe('Most room nights first.'),
  groups: parts.describe('By name of the group; null for stays of none.'),
  companies: parts.describe('By name of the company that is invoiced; null for stays of none.'),
  stayLengths: parts.describe('By nights of the stay: 1, 2-3, 4-7, 8+.'),
  leadTimes: parts.describe('By days from booking to arrival: 0-1, 2-7, 8-30, 31-90, 91+.'),
});

export const competitorRatesAnswer = z.object({
  ...period,
  roomType: z.string(),
  currency: z.string(),
  competitors: z.array(
    z.object({
      competitorId: z.string(),
      nights: z.array(z.object({ date: dayField, rate: moneyField, observedAt: at })),
    }),
  ),
});
