import { z } from 'zod';

import { at, idField } from '../../kernel/contracts/answers.ts';
import { NOTIFICATION_CHANNELS, NOTIFICATION_KINDS } from '../rules/notification.ts';

const outboxMessage = z.object({
  id: idField,
  channel: z.enum(NOTIFICATION_CHANNELS),
  kind: z.enum([...NOTIFICATION_KINDS, 'INVITATION']),
  to: z.string(),
  subject: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable(),
  reservationId: idField,
  sentAt: at,
});

export const outboxAnswer = z.object({ items: z.array(outboxMessage), nextCursor: z.string().nullable() });
