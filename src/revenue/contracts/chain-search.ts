import { z } from 'zod';

import { at, count } from '../../kernel/contracts/answers.ts';
import { amount, date, datesOfNights, dayToCome, party, propertyId } from '../../kernel/contracts/fields.ts';
import { withParty } from '../../rates/contracts/stay.ts';
import { offer } from './availability-answers.ts';

/** Offers of one answer. */
const MAX_OFFERS = 100;
const DEFAULT_OFFERS = 25;

/** Properties that one search may name. */
const MAX_NAMED = 1_000;

/** Body of `POST /api/v1/availability/search` (docs/reference/chain-search.md#request). */
export const chainSearchBody = withParty(
  z.strictObject({
    checkIn: dayToCome,
    checkOut: date,
    ...party,
    propertyIds: z
      .array(propertyId)
      .min(1)
      .max(MAX_NAMED)
      .optional()
      .describe('When it is not given, all properties of the tenant.'),
    maxTotal: amount
      .optional()
      .describe('The most that the whole stay may cost, taxes and fees included; dearer offers are left out.'),
    limit: z.int().min(1).max(MAX_OFFERS).default(DEFAULT_OFFERS).describe('Offers of the answer.'),
  }),
).superRefine(datesOfNights);
export type ChainSearchBody = z.infer<typeof chainSearchBody>;

export const chainOffer = offer
  .omit({ bookable: true, reason: true })
  .extend({ quoteToken: z.string(), seq: count.describe('Number of the last change of the property in the offer.') });

export const chainSearchAnswer = z.object({
  items: z.array(chainOffer),
  asOf: at.describe('Every change before this moment is in the answer.'),
  isComplete: z
    .boolean()
    .describe(
      'False where so many of the cheapest rooms cannot be booked for this stay that not all were looked at.',
    ),
});
