import { z } from 'zod';

import { count, dayField, figure, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { amount, date, optionalNotes, optionalText, text } from '../../kernel/contracts/fields.ts';
import { percent } from '../../properties/contracts/properties.ts';
import { MAX_STOCK_PER_NIGHT } from '../rules/extra.ts';

/** Price list of extras (docs/reference/set-up.md#property). */

export const extraBody = z.strictObject({
  name: text(100),
  description: optionalNotes(500),
  category: optionalText(50),
  price: amount,
  taxPercent: percent.default(0).describe('Its own tax, on top; with 0 it has the taxes of the property on extras.'),
  active: z.boolean().default(true),
  stockPerNight: z
    .int()
    .min(1)
    .max(MAX_STOCK_PER_NIGHT)
    .nullish()
    .transform((stock) => stock ?? undefined)
    .meta({ type: ['integer', 'null'], minimum: 1, maximum: MAX_STOCK_PER_NIGHT })
    .describe('Pieces on each night: the extra is sold by the night. Not counted without it.'),
});
export type ExtraBody = z.infer<typeof extraBody>;

export const extraAnswer = z.object({
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  price: moneyField.meta({ description: 'Without the taxes on top.' }),
  taxPercent: figure,
  grossPrice: moneyField.meta({ description: 'Price of a final charge with this code today.' }),
  currency: z.string(),
  active: z.boolean(),
  stockPerNight: count.nullable().describe('Pieces on each night, of which `price` is one; null is not counted.'),
});
export const extraListAnswer = listOf(extraAnswer);

/** Most nights of one answer. */
const MAX_STOCK_NIGHTS = 400;

export const stockQuery = z
  .object({ from: date.describe('First night.'), to: date.describe('Last night.') })
  .superRefine(({ from, to }, context) => {
    const blame = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: ['to'], message, params: { field } });
    if (to < from) blame('is before from', 'REVERSED');
    else if (to - from >= MAX_STOCK_NIGHTS) blame(`at most ${MAX_STOCK_NIGHTS} nights at once`, 'TOO_MANY_NIGHTS');
  });
export type StockQuery = z.infer<typeof stockQuery>;

export const stockAnswer = z.object({
  code: z.string(),
  items: z.array(
    z.object({
      date: dayField,
      stock: count.nullable().describe('null: not counted.'),
      taken: count.describe('Pieces that stays have.'),
      left: count.nullable().describe('0 also where more are taken than there are.'),
    }),
  ),
});
