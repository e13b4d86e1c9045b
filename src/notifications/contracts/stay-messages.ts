import { z } from 'zod';

import { at, count, idField, listOf } from '../../kernel/contracts/answers.ts';
import { page, text } from '../../kernel/contracts/fields.ts';
import { MESSAGE_STATUSES, NOTIFICATION_CHANNELS, NOTIFICATION_KINDS } from '../rules/notification.ts';

/** Messages about stays (docs/reference/desk.md#messages). */

export const propertyMessagesQuery = z.object({
  kind: z.enum(NOTIFICATION_KINDS).optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  q: text(100).optional().describe('The beginning of a confirmation number, or the id of a reservation.'),
  ...page,
});
export type PropertyMessagesQuery = z.infer<typeof propertyMessagesQuery>;

export const stayMessageAnswer = z.object({
  messageId: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  channel: z.enum(NOTIFICATION_CHANNELS),
  status: z.enum(MESSAGE_STATUSES),
  at: at.describe('When that happened of which it informs.'),
  sentAt: at.nullable(),
  attempts: count,
  error: z.string().nullable(),
});
export const stayMessageListAnswer = listOf(stayMessageAnswer);

/** A message in the list of its property. */
const propertyMessageAnswer = stayMessageAnswer.extend({
  reservationId: idField.describe('Of an offer the id of the request that waits.'),
  confirmationNumber: z.string().nullable(),
});
export const propertyMessageListAnswer = listOf(propertyMessageAnswer);
