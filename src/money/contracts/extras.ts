import { z } from 'zod';

import { listOf, moneyField, figure } from '../../kernel/contracts/answers.ts';
import { amount, optionalNotes, optionalText, text } from '../../kernel/contracts/fields.ts';
import { percent } from '../../properties/contracts/properties.ts';

/** Price list of extras (docs/reference/set-up.md#property). */

export const extraBody = z.strictObject({
  name: text(100),
  description: optionalNotes(500),
  category: optionalText(50),
  price: amount,
  taxPercent: percent.default(0).describe('Its own tax, on top; with 0 it has the taxes of the property on extras.'),
  active: z.boolean().default(true),
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
});
export const extraListAnswer = listOf(extraAnswer);
