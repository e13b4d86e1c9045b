import { z } from 'zod';

import {
  amount,
  date,
  datesInOrder,
  dayToCome,
  propertyId,
  roomTypeCode,
  textOr,
  party,
} from '../../kernel/contracts/fields.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';

/** Rooms of one hold at most (docs/reference/reservations.md#holds). */
const MAX_ROOMS = 10;

/** Body of `POST /reservations/holds`. */
export const holdBody = z
  .strictObject({
    propertyId,
    roomType: roomTypeCode,
    checkIn: dayToCome,
    checkOut: date,
    rooms: z.int().min(1).max(MAX_ROOMS).default(1),
    rateCode: textOr(50, BAR).describe('Bookings out of the hold name the same.'),
    maxTotal: amount.optional().describe('The most that one of the rooms may cost for the whole stay.'),
    ...party,
  })
  .superRefine((stay, context) => datesInOrder(stay, context));
export type HoldBody = z.infer<typeof holdBody>;
