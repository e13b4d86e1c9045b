import { z } from 'zod';

import type { Party } from '../../rates/rules/stay.ts';
import { type Day, dayOf, formatDay } from '../rules/dates.ts';
import { type Minor, toMinor } from '../rules/money.ts';
import type { Instant } from '../rules/property-time.ts';
import type { Plain } from '../rules/unit.ts';
import { type RawJson, wireMoney } from './wire-money.ts';

/**
 * Parts that the answers of many endpoints share. Handlers answer with amounts in minor units, days and moments; the
 * schema that they declare writes them
 * (docs/decisions/0021-answers-are-encoded-by-their-schema.md#0021-answers-are-encoded-by-their-schema).
 */

/** An amount: minor units here, a decimal with two places on the wire. */
export const moneyField = z
  .codec(z.custom<number | RawJson>(), z.custom<Minor>(Number.isSafeInteger), {
    decode: (decimal) => toMinor(Number(decimal))!,
    encode: wireMoney,
  })
  .meta({ type: 'number', description: 'A decimal with two places.', examples: [199.0] });

/** A calendar day, `2026-11-21` on the wire. */
export const dayField = z
  .codec(z.custom<string>(), z.custom<Day>(Number.isInteger), { decode: dayOf, encode: formatDay })
  .meta({ type: 'string', format: 'date' });

/** A moment: milliseconds here, `2026-11-21T10:00:00.000Z` on the wire. */
export const at = z
  .codec(z.custom<string>(), z.custom<Instant>(Number.isFinite), {
    decode: Date.parse,
    encode: (moment) => new Date(moment).toISOString(),
  })
  .meta({ type: 'string', format: 'date-time' });

/** Numbers that are no amount, day or moment: those have fields of their own, and do not compile here. */
export const count: z.ZodType<Plain<number>, number> = z.int();
export const figure: z.ZodType<Plain<number>, number> = z.number();

/** The party of a stay. */
export const partyFields = { adults: count, children: count } satisfies Record<keyof Party, z.ZodType>;

/** An object of any members, which go out as they are. */
export const openObject = z.custom<object>().meta({ type: 'object', additionalProperties: true });

/** An id that this service has given. */
export const idField = z.string().meta({ format: 'uuid' });

/** What takes a thing of the set-up away answers, by the code that it was known under. */
export const removed = z.object({ id: z.string(), status: z.literal('REMOVED') });

export const listOf = <T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; nextCursor: z.ZodNullable<z.ZodString> }> =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** A tax or fee by its code, of a night, a stay or a bill (docs/concepts/money.md#taxes-and-fees). */
export const taxLine = z.object({
  code: z.string(),
  name: z.string().optional(),
  amount: moneyField,
  included: z.boolean().describe('In a price or a charge already.'),
});

export const clockAnswer = z.object({ now: at });
