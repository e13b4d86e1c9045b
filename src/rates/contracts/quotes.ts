import { z } from 'zod';

import {
  date,
  dayToCome,
  dayUse,
  optionalPromoCode,
  optionalRoomType,
  party,
  propertyId,
  textOr,
} from '../../kernel/contracts/fields.ts';
import { BAR } from '../rules/rate-plan.ts';
import { rateType } from './rates.ts';
import { wholeStay } from './stay.ts';

/** Maximum of stays quoted in one request. */
export const MAX_QUOTED_STAYS = 100;

/** A stay of a batch: the members of a quote, but for price steps, which would make the answer too long. */
const stayToQuote = wholeStay(
  z.strictObject({
    propertyId,
    checkIn: dayToCome,
    checkOut: date,
    dayUse,
    roomType: optionalRoomType,
    rateCode: textOr(50, BAR),
    rateType: rateType.optional(),
    ...party,
    promoCode: optionalPromoCode,
  }),
);

const described = z.toJSONSchema(stayToQuote, { io: 'input', unrepresentable: 'any' });
delete described.$schema;

/**
 * Body of `POST /rates/quotes` (docs/reference/many-quotes.md#many-quotes). Each stay is read by itself: a wrong one is a
 * problem of its own.
 */
export const quotesBody = z.strictObject({
  stays: z
    .array(z.unknown())
    .min(1)
    .max(MAX_QUOTED_STAYS)
    .transform((stays) => stays.map((given) => ({ given, read: stayToQuote.safeParse(given) })))
    .meta({ type: 'array', items: described, minItems: 1, maxItems: MAX_QUOTED_STAYS }),
});
export type QuotesBody = z.infer<typeof quotesBody>;

/** A stay of the body that its schema has accepted. */
export type StayToQuote = z.infer<typeof stayToQuote>;
