import { z } from 'zod';

import { at, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { optionalEmail, priceField } from '../../kernel/contracts/fields.ts';
import { cardToken } from '../../money/contracts/payments.ts';

/** Mails that staff send about a stay (docs/reference/invoices.md#by-mail). */

export const invoiceMailBody = z.strictObject({
  window: z
    .literal('SHARER')
    .optional()
    .describe('The invoice of the sharer; that of the rest of the stay when absent.'),
  to: optionalEmail.describe('Defaults to the address of the recipient of the invoice.'),
});
export type InvoiceMailBody = z.infer<typeof invoiceMailBody>;

export const stayMailAnswer = z.object({
  reservationId: idField,
  messageId: z.string().nullable().describe('Its message among those of the stay; null in a dry run.'),
  to: z.string(),
});

/** Longest life of a payment link, in days. */
const MAX_LINK_DAYS = 30;
const LINK_DAYS = 3;

export const paymentLinkBody = z.strictObject({
  to: optionalEmail.describe('Defaults to the address of the guest.'),
  amount: priceField.optional().describe('What is asked for; all that is due when it is paid, when absent.'),
  validDays: z.int().min(1).max(MAX_LINK_DAYS).default(LINK_DAYS).describe('Days for which the link is valid.'),
});
export type PaymentLinkBody = z.infer<typeof paymentLinkBody>;

export const paymentLinkAnswer = z.object({
  reservationId: idField,
  linkId: idField,
  to: z.string(),
  amount: moneyField.nullable().describe('Null for all that is due when it is paid.'),
  expiresAt: at,
  revokedAt: at.nullable(),
  sentAt: at,
  sentBy: z.string(),
});
export const paymentLinkListAnswer = listOf(paymentLinkAnswer);

/** Form of the page behind a payment link; its fields arrive as texts. */
export const payForm = z.strictObject({
  cardToken,
  amount: z.coerce.number().int().min(1),
  state: z.string().max(50),
});
export type PayForm = z.infer<typeof payForm>;
