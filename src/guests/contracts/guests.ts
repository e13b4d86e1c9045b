import { z } from 'zod';

import { email, optionalText, page, preferences, text } from '../../kernel/contracts/fields.ts';
import { LOYALTY_TIERS } from '../rules/guest.ts';

/** Bodies and queries of guest profiles (docs/reference/reservations.md#guests). */
export const guestsQuery = z.object({
  /** Words that all have to occur in the name or the e-mail address. */
  q: z.string().trim().min(1).max(100).optional(),
  email: z.string().max(254).optional(),
  loyaltyTier: z.enum(LOYALTY_TIERS).optional(),
  ...page,
});
export type GuestsQuery = z.infer<typeof guestsQuery>;

export const guestPageQuery = z.object(page);
export type GuestPageQuery = z.infer<typeof guestPageQuery>;

/** Absent members stay; `null` removes a phone or all preferences. */
export const guestBody = z.strictObject({
  firstName: text(100).optional(),
  lastName: text(100).optional(),
  email: email.optional(),
  phone: optionalText(30).nullable(),
  preferences: preferences.nullable().optional(),
});
export type GuestBody = z.infer<typeof guestBody>;
