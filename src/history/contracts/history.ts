import { z } from 'zod';

import { date, instant, page, queryInt, rangeInOrder, roomTypeCode } from '../../kernel/contracts/fields.ts';

/** Queries about the past: history of a cell, pickup. */

export const cellHistoryQuery = z.object({ roomType: roomTypeCode, date, ...page });
export type CellHistoryQuery = z.infer<typeof cellHistoryQuery>;

export const pickupQuery = z
  .object({
    start_date: date,
    end_date: date,
    days: queryInt(z.int().min(1).max(60)).default(7),
    asOf: instant.optional(),
  })
  .superRefine(rangeInOrder);
export type PickupQuery = z.infer<typeof pickupQuery>;
