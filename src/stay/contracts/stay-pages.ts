import { z } from 'zod';

import { at, idField } from '../../kernel/contracts/answers.ts';

/** The page of a stay for its guest, as the desk sees it (docs/guide/my-stay.md#at-the-desk). */

export const onlineCheckInField = z.object({
  arrivalTime: z.string().describe('Expected local time of arrival, such as `18:30`.'),
  signedName: z.string().describe('The name that was typed as the signature of the registration form.'),
  signedAt: at,
});

export const stayPageAnswer = z.object({
  reservationId: idField,
  linksFrom: at
    .nullable()
    .describe('Links that were signed before open nothing any more; null while none was revoked.'),
  onlineCheckIn: onlineCheckInField.nullable(),
});
