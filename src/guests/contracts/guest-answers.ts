import { z } from 'zod';

import { at, dayField, listOf, count, idField } from '../../kernel/contracts/answers.ts';
import { LOYALTY_TIERS } from '../rules/guest.ts';

/** Answers of the guest endpoints (docs/reference/reservations.md#guests). */
const tier = z.enum(LOYALTY_TIERS);

/** A guest as shown with a reservation. */
export const guestInfo = z.object({
  guestId: idField,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  preferences: z.record(z.string(), z.string()).optional(),
  loyaltyMember: z.boolean(),
  loyaltyTier: tier,
});

export const listedGuestAnswer = guestInfo.extend({
  preferences: z.record(z.string(), z.string()).nullable(),
  createdAt: at,
  updatedAt: at,
});

export const guestListAnswer = listOf(listedGuestAnswer);

export const guestAnswer = listedGuestAnswer.extend({
  loyalty: z.object({
    tier,
    nights: count.meta({ description: 'Nights of stays that ended on `since` or later.' }),
    since: dayField,
    days: count,
    nextTier: tier.nullable(),
    nightsToNextTier: count.nullable(),
  }),
  history: z.object({
    reservations: count,
    stays: count,
    nights: count,
    upcoming: count,
    inHouse: count,
    cancelled: count,
    noShows: count,
    firstArrival: dayField.nullable(),
    lastDeparture: dayField.nullable(),
    reservationsUrl: z.string(),
  }),
});
