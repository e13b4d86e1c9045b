import { z } from 'zod';

import { instant, page, uuid } from './fields.ts';

/** Five years: enough for every test. */
const MAX_SECONDS = 157_766_400;

/** `POST /dev/clock`: forward only. */
export const clockBody = z
  .strictObject({
    advanceSeconds: z.number().min(0).max(MAX_SECONDS).optional(),
    now: instant.optional(),
  })
  .superRefine(({ advanceSeconds, now }, context) => {
    if ((advanceSeconds === undefined) === (now === undefined))
      context.addIssue({
        code: 'custom',
        path: ['advanceSeconds'],
        message: 'give advanceSeconds or now, one of them',
        params: { field: 'MISSING' },
      });
  });
export type ClockBody = z.infer<typeof clockBody>;

/** `GET /dev/outbox`: newest first, of one reservation or all. */
export const devMailboxQuery = z.object({ ...page, reservationId: uuid.optional() });
export type DevMailboxQuery = z.infer<typeof devMailboxQuery>;
