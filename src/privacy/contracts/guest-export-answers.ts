import { z } from 'zod';

import { guestAnswer } from '../../guests/contracts/guest-answers.ts';
import { at } from '../../kernel/contracts/answers.ts';
import { reservationAnswer } from '../../stay/contracts/stay-answers.ts';

export const guestExportAnswer = z.object({
  exportedAt: at,
  guest: guestAnswer,
  reservations: z.array(
    reservationAnswer.extend({
      statusHistory: z.array(
        z.object({
          oldStatus: z.string().nullable(),
          newStatus: z.string(),
          changedAt: at,
          changedBy: z.string().nullable(),
          reason: z.string().nullable(),
        }),
      ),
      notifications: z.array(
        z.object({ kind: z.string(), channel: z.string(), state: z.string(), at, sentAt: at.nullable() }),
      ),
    }),
  ),
});

export const erasureAnswer = z.object({
  guestId: z.uuid(),
  status: z.literal('ERASED'),
  erasedAt: at,
});
