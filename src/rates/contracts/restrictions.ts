import { z } from 'zod';

import {
  date,
  nightsInOrder,
  optionalRoomType,
  optionalText,
  propertyId,
  roomTypeCode,
  text,
  withoutDuplicates,
} from '../../kernel/contracts/fields.ts';
import { WEEKDAYS } from '../../kernel/rules/dates.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { MAX_RATE_NIGHTS } from './rates.ts';

/** Bodies and queries of `/rates/restrictions` (docs/reference/rates.md#restrictions). */

const nights = z.int().min(1).max(MAX_NIGHTS).nullable().optional();
const advance = z.int().min(0).max(1_095).nullable().optional();
const flag = z.boolean().nullable().optional();

const NAMES = [
  ...(['minStayArrival', 'maxStayArrival', 'minStayThrough', 'maxStayThrough', 'minAdvance', 'maxAdvance'] as const),
  ...(['closedToArrival', 'closedToDeparture', 'stopSell', 'rateLocked'] as const),
] as const;

const PAIRS = [
  ['minStayArrival', 'maxStayArrival'],
  ['minStayThrough', 'maxStayThrough'],
  ['minAdvance', 'maxAdvance'],
] as const;

/** A value sets, null removes, absent members stay. Without rateCode or roomType it applies to all of them. */
export const restrictionsBody = z
  .strictObject({
    propertyId,
    rateCode: text(50).optional(),
    roomType: roomTypeCode.optional(),
    roomTypes: z
      .array(roomTypeCode)
      .min(1)
      .max(100)
      .superRefine(withoutDuplicates(undefined, 'is named already'))
      .optional()
      .describe('Several room types at once, all or none.'),
    startDate: date,
    endDate: date,
    daysOfWeek: z.array(z.enum(WEEKDAYS)).min(1).max(7).optional(),
    minStayArrival: nights,
    maxStayArrival: nights,
    minStayThrough: nights,
    maxStayThrough: nights,
    minAdvance: advance,
    maxAdvance: advance,
    closedToArrival: flag,
    closedToDeparture: flag,
    stopSell: flag,
    rateLocked: flag,
  })
  .superRefine((body, context) => {
    const blame = (path: string, message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    if (body.endDate < body.startDate) blame('endDate', 'is before startDate', 'REVERSED');
    else if (body.endDate - body.startDate >= MAX_RATE_NIGHTS)
      blame('endDate', `at most ${MAX_RATE_NIGHTS} nights at once`, 'TOO_MANY_NIGHTS');
    if (body.roomType !== undefined && body.roomTypes) blame('roomTypes', 'stands beside roomType', 'NO_EFFECT');
    if (NAMES.every((name) => body[name] === undefined)) blame('stopSell', 'one restriction is needed', 'MISSING');
    for (const [least, most] of PAIRS)
      if ((body[least] ?? -Infinity) > (body[most] ?? Infinity)) blame(most, `is less than ${least}`, 'REVERSED');
  });
export type RestrictionsBody = z.infer<typeof restrictionsBody>;

export const restrictionsQuery = z
  .object({
    propertyId,
    startDate: date,
    endDate: date,
    rateCode: optionalText(50),
    roomType: optionalRoomType,
  })
  .superRefine(nightsInOrder);
export type RestrictionsQuery = z.infer<typeof restrictionsQuery>;
