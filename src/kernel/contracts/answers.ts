import { z } from 'zod';

/** Parts that the answers of many endpoints share. */
export const moneyField = z.number().meta({ description: 'A decimal with two places.', examples: [199.0] });
export const dayField = z.iso.date();
export const at = z.iso.datetime();

/** What takes a thing of the set-up away answers, by the code that it was known under. */
export const removed = z.object({ id: z.string(), status: z.literal('REMOVED') });

export const listOf = <T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; nextCursor: z.ZodNullable<z.ZodString> }> =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export const clockAnswer = z.object({ now: at });
