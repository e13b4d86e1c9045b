import { z } from 'zod';

import { email, language, optionalText, page, preferences, text } from '../../kernel/contracts/fields.ts';
import { LOYALTY_TIERS } from '../rules/guest.ts';

/** Bodies and queries of guest profiles (docs/reference/guests.md#guests). */
export const guestsQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Words that all have to occur in the name or the e-mail address, or at least four digits of a phone number.',
    ),
  email: optionalText(254),
  loyaltyTier: z.enum(LOYALTY_TIERS).optional(),
  ...page,
});
export type GuestsQuery = z.infer<typeof guestsQuery>;

export const guestPageQuery = z.object(page);
export type GuestPageQuery = z.infer<typeof guestPageQuery>;

/** Absent members stay; `null` removes a phone, the language, all preferences or consent. */
export const guestBody = z.strictObject({
  firstName: text(100).optional(),
  lastName: text(100).optional(),
  email: email.optional(),
  phone: optionalText(30).nullable(),
  language: language.nullable().optional(),
  preferences: preferences.nullable().optional(),
  consent: z.strictObject({ marketingByMail: z.boolean() }).nullable().optional(),
});
export type GuestBody = z.infer<typeof guestBody>;

export const mergeBody = z.strictObject({
  from: text(100).describe('The profile that ends; the one of the path survives.'),
});
export type MergeBody = z.infer<typeof mergeBody>;
