import { z } from 'zod';

import { dayField, moneyField, at, count, idField, taxLine } from '../../kernel/contracts/answers.ts';
import { GUARANTEES } from '../rules/plan-terms.ts';
import { rateType } from './rates.ts';

export const limits = z.object({ minimumStay: count, maximumStay: count, advanceBooking: count });

export const quoteAnswer = z.object({
  propertyId: z.string(),
  checkIn: dayField,
  checkOut: dayField,
  rates: z.array(
    z.object({
      roomType: z.string(),
      rateType,
      rateCode: z.string(),
      promoCode: z.string().optional(),
      currency: z.string(),
      dailyRates: z.array(
        z.object({
          date: dayField,
          rate: moneyField,
          availability: count,
          steps: z
            .array(z.object({ rule: z.string(), amount: moneyField }))
            .optional()
            .describe('With `explain`: how the rate came about.'),
        }),
      ),
      totalRate: moneyField,
      averageRate: moneyField,
      taxes: moneyField.describe('On top of totalRate.'),
      fees: moneyField,
      taxLines: z.array(taxLine),
      bookable: z.boolean(),
      quoteToken: z.string().optional(),
      restrictions: limits,
      guarantee: z.enum(GUARANTEES).describe('Guarantee that a booking needs.'),
      cancellation: z.object({ policyName: z.string(), deadlineDate: at.nullable() }),
    }),
  ),
  unavailable: z.array(z.object({ roomType: z.string(), code: z.string(), date: dayField, detail: z.string() })),
  restrictions: limits,
});

/** RFC 9457, as the single quote would answer; `errors[]` point into the body of the batch. */
const stayProblem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: count,
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  requestId: z.string(),
  retryable: z.boolean(),
  retryAfterSeconds: count.optional(),
});

export const quotesAnswer = z.object({
  items: z
    .array(z.union([z.object({ quote: quoteAnswer, seq: count }), z.object({ problem: stayProblem })]))
    .describe('One for each stay, in the order of the request.'),
});

export const baseRatesOfQuote = z.object({
  rateId: idField,
  status: z.literal('ACTIVE'),
  effectiveDate: dayField,
  updatedAt: at,
  affectedDates: count,
  previewUrl: z.string(),
});
