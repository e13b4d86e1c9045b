import { z } from 'zod';

import { dayField, idField } from '../../kernel/contracts/answers.ts';
import { date } from '../../kernel/contracts/fields.ts';
import { unmetWishesField } from './room-wishes.ts';

/** Body and answer of the assignment of all arrivals (docs/reference/set-up.md#assign-all-arrivals). */
export const assignAllBody = z.strictObject({
  until: date.optional().describe('Last day of arrival; the business date when absent.'),
});
export type AssignAllBody = z.infer<typeof assignAllBody>;

export const assignedAllAnswer = z.object({
  until: dayField,
  assigned: z
    .array(
      z.object({
        reservationId: idField,
        checkIn: dayField,
        checkOut: dayField,
        roomNumber: z.string(),
        roomType: z.string(),
        upgraded: z.boolean(),
        previousRoomNumber: z.string().nullable().describe('The stay has left this room to another one.'),
        unmetWishes: unmetWishesField,
      }),
    )
    .describe('By loyalty, then by length of stay.'),
  unassigned: z.array(
    z.object({
      reservationId: idField,
      reason: z
        .enum(['NO_ROOM_LEFT', 'NO_ACCESSIBLE_ROOM', 'CHANGED'])
        .describe('CHANGED: the stay or the room was changed meanwhile.'),
    }),
  ),
});
