import { z } from 'zod';

import {
  date,
  optionalNotes,
  optionalPromoCode,
  page,
  propertyId,
  roomTypeCode,
  text,
} from '../../kernel/contracts/fields.ts';
import { MAX_AMOUNT, toMinor } from '../../kernel/rules/money.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import type { Discount } from '../rules/promotion.ts';

/** Bodies and queries of promotions (docs/reference/rates.md#promotions). */

const discount = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('PERCENTAGE'), value: z.number().gt(0).max(100).multipleOf(0.01) }),
    z.strictObject({
      type: z.literal('FIXED_AMOUNT'),
      value: z
        .number()
        .min(0.01)
        .max(MAX_AMOUNT / 100)
        .multipleOf(0.01, 'has more than two decimals'),
    }),
    z.strictObject({ type: z.literal('FREE_NIGHTS'), value: z.int().min(1).max(30) }),
  ])
  .transform(({ type, value }): Discount => ({ type, value: type === 'FIXED_AMOUNT' ? toMinor(value)! : value }));

const count = z.int().min(1).max(1_000_000);

export const promotionBody = z
  .strictObject({
    propertyId,
    promotionName: text(100),
    description: optionalNotes(1_000),
    /** Generated when absent. */
    promoCode: optionalPromoCode,
    roomTypes: z.array(roomTypeCode).min(1).max(50).optional(),
    discount,
    conditions: z
      .strictObject({
        advanceBookingDays: z.int().min(0).max(1_095).optional(),
        minimumStay: z.int().min(1).max(MAX_NIGHTS).optional(),
        blackoutDates: z.array(date).max(366).optional(),
      })
      .default({}),
    validity: z.strictObject({
      startDate: date,
      endDate: date,
      stayPeriod: z.strictObject({ startDate: date, endDate: date }).optional(),
    }),
    inventory: z.strictObject({ totalRooms: count.optional(), maxPerDay: count.optional() }).default({}),
  })
  .superRefine(({ validity, conditions: { blackoutDates = [] } }, context) => {
    const blame = (path: string[]): void =>
      context.addIssue({ code: 'custom', path, message: 'is before startDate', params: { field: 'REVERSED' } });
    const { stayPeriod } = validity;
    if (validity.endDate < validity.startDate) blame(['validity', 'endDate']);
    if (stayPeriod && stayPeriod.endDate < stayPeriod.startDate) blame(['validity', 'stayPeriod', 'endDate']);
    const periods = stayPeriod ? [validity, stayPeriod] : [validity];
    for (const [index, day] of blackoutDates.entries()) {
      if (periods.some(({ startDate, endDate }) => day >= startDate && day <= endDate)) continue;
      const path = ['conditions', 'blackoutDates', index];
      const params = { field: 'OUTSIDE_VALIDITY' };
      context.addIssue({ code: 'custom', path, message: 'is outside of the validity and the stay period', params });
    }
  });
export type PromotionBody = z.infer<typeof promotionBody>;

export const promotionsQuery = z.object({ propertyId, ...page });
export type PromotionsQuery = z.infer<typeof promotionsQuery>;
