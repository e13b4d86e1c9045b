import { z } from 'zod';

import { count, dayField, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { page, propertyId } from '../../kernel/contracts/fields.ts';
import { DESK_TASK_KINDS } from '../rules/desk-task.ts';

/** Open questions for the front desk (docs/reference/reservations.md#arrivals). */
export const deskTasksQuery = z.object({ propertyId, ...page });
export type DeskTasksQuery = z.infer<typeof deskTasksQuery>;

export const deskTaskAnswer = z.object({
  kind: z.enum(DESK_TASK_KINDS),
  reservationId: idField.nullable().describe('Null of CHANNEL_BOOKING, unless a reservation could not be changed.'),
  confirmationNumber: z.string().nullable().describe('Null of CHANNEL_BOOKING, as guest and room type.'),
  guestName: z.string().nullable(),
  checkIn: dayField.nullable().describe('Null of a cancellation that a channel has sent.'),
  checkOut: dayField.nullable(),
  roomType: z.string().nullable(),
  roomNumber: z.string().nullable(),
  amount: moneyField.nullable().describe('Of a payment: what is due.'),
  triesLeft: count.nullable().describe('Of a payment: days on which it is tried before the stay is cancelled.'),
  mayArrive: z.boolean().describe('Whether a night is left to check in for.'),
  channel: z
    .object({
      channelCode: z.string(),
      name: z.string(),
      externalId: z.string(),
      externalRoom: z.string().nullable(),
      reason: z.string().nullable().describe('Code of the error that the channel was answered.'),
    })
    .optional()
    .describe('Of CHANNEL_BOOKING: what could not be taken.'),
  claim: moneyField.optional().describe('Of CHARGEBACK: what was charged back and is not paid again.'),
});

export const deskTasksAnswer = listOf(deskTaskAnswer);
