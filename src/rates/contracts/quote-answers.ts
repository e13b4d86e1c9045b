import { z } from 'zod';

import { day, money, at } from '../../kernel/contracts/answers.ts';

export const limits = z.object({ minimumStay: z.int(), maximumStay: z.int(), advanceBooking: z.int() });

export const quoteAnswer = z.object({
  propertyId: z.string(),
  checkIn: day,
  checkOut: day,
  rates: z.array(
    z.object({
      roomType: z.string(),
      rateType: z.enum(['BASE', 'PROMOTIONAL', 'GROUP', 'DERIVED']),
      rateCode: z.string(),
      promoCode: z.string().optional(),
      currency: z.string(),
      dailyRates: z.array(z.object({ date: day, rate: money, availability: z.int() })),
      totalRate: money,
      averageRate: money,
      taxes: money,
      fees: money,
      bookable: z.boolean(),
      quoteToken: z.string().optional(),
      restrictions: limits,
      cancellation: z.object({ policyName: z.string(), deadlineDate: at.nullable() }),
    }),
  ),
  unavailable: z.array(z.object({ roomType: z.string(), code: z.string(), date: day, detail: z.string() })),
  restrictions: limits,
});

export const baseRatesAnswer = z.object({
  rateId: z.uuid(),
  status: z.literal('ACTIVE'),
  effectiveDate: day,
  updatedAt: at,
  affectedDates: z.int(),
  previewUrl: z.string(),
});
