import { z } from 'zod';

import { at, listOf, moneyField, idField } from '../../kernel/contracts/answers.ts';
import { optionalText, page, propertyId } from '../../kernel/contracts/fields.ts';
import { RESERVATION_STATUSES } from '../../stay/rules/reservation.ts';
import { PAYMENT_METHODS } from '../rules/payment.ts';

/** Refunds that staff pay out by hand (docs/reference/reservations.md#refunds). */

/** How a refund was paid out, with the reference of the bank or till; `paidBy` defaults to the caller. */
export const payOutBody = z.strictObject({
  method: z.enum(PAYMENT_METHODS),
  reference: optionalText(100),
  paidBy: optionalText(50),
});
export type PayOutBody = z.infer<typeof payOutBody>;

export const refundsQuery = z.object({ propertyId: propertyId.optional(), ...page });
export type RefundsQuery = z.infer<typeof refundsQuery>;

const refund = z.object({
  refundId: idField,
  reservationId: idField,
  amount: moneyField,
  currency: z.string(),
  method: z.enum(PAYMENT_METHODS).nullable(),
  status: z.string(),
});

export const openRefundAnswer = refund.extend({
  propertyId: z.string(),
  confirmationNumber: z.string(),
  guestName: z.string(),
  orderedAt: at,
});

export const refundListAnswer = listOf(openRefundAnswer);

export const payOutAnswer = refund.extend({
  reference: z.string().nullable(),
  paidBy: z.string(),
  paidAt: at,
  reservationStatus: z.enum(RESERVATION_STATUSES),
});
