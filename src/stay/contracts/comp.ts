import { z } from 'zod';

import { at, dayField, idField, moneyField } from '../../kernel/contracts/answers.ts';
import { date, optionalText, text, withoutDuplicates } from '../../kernel/contracts/fields.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { RESERVATION_STATUSES } from '../rules/reservation.ts';
import { financialInShort } from './stay-answers.ts';

/** Bodies and answers of complimentary nights (docs/reference/agreed-prices.md#complimentary-nights). */

export const compBody = z.strictObject({
  nights: z
    .array(date)
    .min(1)
    .max(MAX_NIGHTS)
    .superRefine(withoutDuplicates())
    .optional()
    .describe('All nights of the stay when absent.'),
  reason: text(500),
  refundRequested: z
    .boolean()
    .default(false)
    .describe('Sends back what is paid too much then; otherwise it stays as a credit.'),
});
export type CompBody = z.infer<typeof compBody>;

export const undoCompBody = z.strictObject({ reason: optionalText(500) });
export type UndoCompBody = z.infer<typeof undoCompBody>;

const changed = {
  reservationId: idField,
  status: z.enum(RESERVATION_STATUSES),
  nights: z.array(
    z.object({
      date: dayField,
      roomRate: moneyField,
      taxes: moneyField,
      compedRate: moneyField.optional().describe('Of a complimentary night: its rate before.'),
    }),
  ),
  financial: financialInShort,
};

export const compAnswer = z.object({
  ...changed,
  refund: z.object({ refundAmount: moneyField, refundMethod: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']) }),
  credit: moneyField.describe('What is paid too much and stays with the property until it is refunded.'),
});

export const undoCompAnswer = z.object({
  ...changed,
  additionalPayment: z.object({ amount: moneyField, paymentRequired: z.boolean(), dueDate: at.nullable() }),
});
