import { z } from 'zod';

import { at, dayField, listOf, count, idField } from '../../kernel/contracts/answers.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { LOYALTY_TIERS } from '../rules/guest.ts';
import { MERGED_FIELDS } from '../rules/merge.ts';

/** Answers of the guest endpoints (docs/reference/guests.md#guests). */
const tier = z.enum(LOYALTY_TIERS);
const language = z.enum(LANGUAGES);

/** A guest as shown with a reservation. */
export const guestInfo = z.object({
  guestId: idField,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  language: language.optional().describe('Of messages to the guest; that of the property when absent.'),
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

const consentField = z
  .object({
    marketingByMail: z.boolean(),
    at,
    by: z.string().describe('The user who recorded it.'),
    byName: z.string().nullable().describe('The name of that user, where one is known.'),
  })
  .nullable()
  .describe('Null when nobody has asked the guest.');

export const guestAnswer = listedGuestAnswer.extend({
  version: count.describe('Also the `ETag`.'),
  consent: consentField,
  merged: z
    .array(
      z.object({
        guestId: idField,
        firstName: z.string(),
        lastName: z.string(),
        email: z.string(),
        phone: z.string().nullable(),
        language: language.optional(),
        preferences: z.record(z.string(), z.string()).nullable(),
        consent: consentField,
        mergedAt: at,
      }),
    )
    .describe('Profiles that were merged into this one, as they were, oldest merge first.'),
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

/** What a merge does, or did. */
export const mergeAnswer = z.object({
  guestId: idField.describe('The surviving profile.'),
  from: idField,
  dryRun: z.boolean(),
  lines: z
    .array(
      z.object({
        field: z.enum(MERGED_FIELDS),
        surviving: z.string().nullable(),
        other: z.string().nullable(),
        takes: z.enum(['SURVIVING', 'OTHER']).describe('The profile whose value stands.'),
      }),
    )
    .describe('Members of both profiles before the merge; empty after it.'),
  reservations: count.describe('Reservations of both together.'),
  nights: count.describe('Nights of both that count for loyalty.'),
  tier,
  notes: count.describe('Notes about the profile that ends; 0 after the merge.'),
  guest: guestAnswer.nullable().describe('The surviving profile after the merge; null with `dryRun`.'),
});
