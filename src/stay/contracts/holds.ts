import { z } from 'zod';

import {
  amount,
  date,
  dayUse,
  dayToCome,
  propertyId,
  roomTypeCode,
  textOr,
  party,
} from '../../kernel/contracts/fields.ts';
import { wholeStay } from '../../rates/contracts/stay.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';

/** Rooms of one hold at most (docs/reference/reservations.md#holds). */
const MAX_ROOMS = 10;

/** Body of `POST /reservations/holds`. */
export const holdBody = wholeStay(
  z.strictObject({
    propertyId,
    roomType: roomTypeCode,
    checkIn: dayToCome,
    checkOut: date,
    dayUse,
    rooms: z.int().min(1).max(MAX_ROOMS).default(1),
    rateCode: textOr(50, BAR).describe('Bookings out of the hold name the same.'),
    maxTotal: amount.optional().describe('The most that one of the rooms may cost for the whole stay.'),
    ...party,
  }),
);
export type HoldBody = z.infer<typeof holdBody>;
