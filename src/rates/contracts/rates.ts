import { z } from 'zod';

import {
  date,
  dayUseQuery,
  dayToCome,
  nightsInOrder,
  optionalPromoCode,
  optionalRoomType,
  optionalText,
  priceField,
  propertyId,
  queryFlag,
  roomTypeCode,
  surcharge,
  text,
  textOr,
  partyQuery,
} from '../../kernel/contracts/fields.ts';
import { WEEKDAYS } from '../../kernel/rules/dates.ts';
import { MAX_NIGHT_RATES } from '../rules/night-rates.ts';
import { BAR } from '../rules/rate-plan.ts';
import { wholeStay, withParty } from './stay.ts';

/** Bodies and queries of the rate endpoints (docs/reference/rates.md#rates). */

/** Maximum nights of one `PUT /rates/base`. */
export const MAX_RATE_NIGHTS = 731;

export const rateType = z.enum(['BASE', 'PROMOTIONAL', 'GROUP', 'DERIVED']);

export const currentQuery = wholeStay(
  z.object({
    propertyId,
    checkIn: dayToCome,
    checkOut: date,
    dayUse: dayUseQuery,
    roomType: optionalRoomType,
    rateCode: textOr(50, BAR),
    rateType: rateType.optional(),
    ...partyQuery,
    promoCode: optionalPromoCode,
    explain: queryFlag.default(false),
  }),
);
export type CurrentQuery = z.infer<typeof currentQuery>;

const adjustment = { name: text(100), startDate: date, endDate: date };

const twoDecimals = (schema: z.ZodNumber): z.ZodNumber => schema.multipleOf(0.01, 'has more than two decimals');

const season = z.discriminatedUnion('adjustmentType', [
  z.strictObject({
    ...adjustment,
    adjustmentType: z.literal('MULTIPLIER'),
    adjustment: twoDecimals(z.number().min(0.01).max(99.99)),
  }),
  z.strictObject({
    ...adjustment,
    adjustmentType: z.literal('PERCENTAGE'),
    adjustment: z.int().min(-99).max(9_899),
  }),
  z.strictObject({ ...adjustment, adjustmentType: z.literal('AMOUNT'), adjustment: surcharge }),
]);

export const baseRatesBody = z
  .strictObject({
    propertyId,
    roomType: roomTypeCode,
    effectiveDate: date,
    endDate: date,
    rates: z
      .array(z.strictObject({ dayOfWeek: z.enum(WEEKDAYS), rate: priceField }))
      .max(7)
      .default([]),
    seasonalAdjustments: z.array(season).max(100).default([]),
  })
  .superRefine((body, context) => {
    const blame = (path: (string | number)[], message: string, field: string): void =>
      context.addIssue({ code: 'custom', path, message, params: { field } });
    const { effectiveDate: start, endDate: end, rates, seasonalAdjustments: seasons } = body;
    if (end < start) blame(['endDate'], 'is before effectiveDate', 'REVERSED');
    else if (end - start >= MAX_RATE_NIGHTS)
      blame(['endDate'], `at most ${MAX_RATE_NIGHTS} nights at once`, 'TOO_MANY_NIGHTS');
    if (rates.length === 0 && seasons.length === 0)
      blame(['rates'], 'is needed when there are no seasons', 'MISSING');
    const named = new Set<string>();
    rates.forEach(({ dayOfWeek }, index) => {
      if (named.has(dayOfWeek)) blame(['rates', index, 'dayOfWeek'], 'is named twice', 'TWICE');
      named.add(dayOfWeek);
    });
    seasons.forEach((one, index) => {
      const at = ['seasonalAdjustments', index];
      if (one.endDate < one.startDate) blame([...at, 'endDate'], 'is before startDate', 'REVERSED');
      if (one.startDate < start) blame([...at, 'startDate'], 'is before effectiveDate', 'OUTSIDE');
      if (one.endDate > end) blame([...at, 'endDate'], 'is after endDate', 'OUTSIDE');
      const clash = seasons.findIndex((other) => one.startDate <= other.endDate && other.startDate <= one.endDate);
      if (clash < index) blame([...at, 'startDate'], 'overlaps another season', 'OVERLAPS');
    });
  });
export type BaseRatesBody = z.infer<typeof baseRatesBody>;

const nightRate = z.strictObject({
  roomType: roomTypeCode,
  date,
  rate: priceField,
  previousRate: priceField
    .nullable()
    .optional()
    .describe('What the night costs before; null without a price. Absent, it is not asked.'),
});

export const nightRatesBody = z
  .strictObject({ propertyId, nights: z.array(nightRate).min(1).max(MAX_NIGHT_RATES) })
  .superRefine(({ nights }, context) => {
    const named = new Set<string>();
    nights.forEach(({ roomType, date: day }, index) => {
      const key = `${roomType} ${day}`;
      if (named.has(key))
        context.addIssue({
          code: 'custom',
          path: ['nights', index],
          message: 'is named twice',
          params: { field: 'TWICE' },
        });
      named.add(key);
    });
  });
export type NightRatesBody = z.infer<typeof nightRatesBody>;

export const baseRatesQuery = z
  .object({ propertyId, startDate: date, endDate: date, roomType: optionalRoomType })
  .superRefine((query, context) => nightsInOrder(query, context));
export type BaseRatesQuery = z.infer<typeof baseRatesQuery>;

export const rateCalendarQuery = withParty(
  z.object({
    propertyId,
    startDate: date,
    endDate: date,
    roomType: optionalRoomType,
    rateCode: optionalText(50),
    ...partyQuery,
  }),
).superRefine((query, context) => nightsInOrder(query, context));
export type RateCalendarQuery = z.infer<typeof rateCalendarQuery>;
