import { z } from 'zod';

import { at, dayField, listOf } from '../../kernel/contracts/answers.ts';
import { LOYALTY_TIERS } from '../rules/guest.ts';

/** What the endpoints of guests answer, for the API description (docs/reference/reservations.md#guests). */
const tier = z.enum(LOYALTY_TIERS);

const guest = z.object({
  guestId: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  preferences: z.record(z.string(), z.string()).nullable(),
  loyaltyMember: z.boolean(),
  loyaltyTier: tier,
  createdAt: at,
  updatedAt: at,
});

export const guestListAnswer = listOf(guest);

export const guestAnswer = guest.extend({
  loyalty: z.object({
    tier,
    nights: z.int().meta({ description: 'Nights of stays that ended on `since` or later.' }),
    since: dayField,
    days: z.int(),
    nextTier: tier.nullable(),
    nightsToNextTier: z.int().nullable(),
  }),
  history: z.object({
    reservations: z.int(),
    stays: z.int(),
    nights: z.int(),
    upcoming: z.int(),
    inHouse: z.int(),
    cancelled: z.int(),
    noShows: z.int(),
    firstArrival: dayField.nullable(),
    lastDeparture: dayField.nullable(),
    reservationsUrl: z.string(),
  }),
});
