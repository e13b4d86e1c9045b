import { z } from 'zod';

import {
  amount,
  date,
  dayToCome,
  dayUse,
  optionalRoomType,
  party,
  propertyId,
  text,
} from '../../kernel/contracts/fields.ts';
import { wholeStay } from '../../rates/contracts/stay.ts';

/** Body of `POST /availability/search` (docs/reference/set-up.md#availability). */
export const searchBody = wholeStay(
  z.strictObject({
    checkIn: dayToCome,
    checkOut: date,
    dayUse,
    ...party,
    roomType: optionalRoomType,
    propertyIds: z.array(propertyId).min(1).max(100).optional(),
    rateCodes: z
      .array(text(50))
      .min(1)
      .max(20)
      .optional()
      .describe('When it is not given, all plans that everybody can book: not those with guarantee COMPANY.'),
    maxTotal: amount.optional().describe('The most that the whole stay may cost; dearer offers are not bookable.'),
  }),
);
export type SearchBody = z.infer<typeof searchBody>;
