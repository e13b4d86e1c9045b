import { z } from 'zod';

import { at } from '../../kernel/contracts/answers.ts';
import { ROLES } from '../../kernel/rules/caller.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { CLOCK_STYLES, DENSITIES, FIRST_DAYS, NOTICE_KINDS, THEMES } from '../rules/preferences.ts';
import { TENANT_STATUSES } from '../rules/tenant.ts';

/** A person's own things, above tenants (docs/reference/own-settings.md#own-settings). */

const preferenceFields = {
  language: z.enum(LANGUAGES),
  theme: z.enum(THEMES),
  density: z.enum(DENSITIES),
  clock: z.enum(CLOCK_STYLES),
  firstDay: z.enum(FIRST_DAYS),
  notices: z
    .array(z.enum(NOTICE_KINDS))
    .max(NOTICE_KINDS.length)
    .refine((list) => new Set(list).size === list.length, 'expected each kind once'),
};

/** What is stored is read member by member: one of another release, or with a value of it, is left out. */
export const preferencesAnswer = z.object(preferenceFields).partial();

const { language, theme, density, clock, firstDay, notices } = preferenceFields;

/** A member that is left out stays as it is, `null` forgets the choice. */
export const preferencesBody = z
  .strictObject({
    language: language.nullable(),
    theme: theme.nullable(),
    density: density.nullable(),
    clock: clock.nullable(),
    firstDay: firstDay.nullable(),
    notices: notices.nullable(),
  })
  .partial();

/** Tenants that are listed at most. */
export const MAX_TENANTS_OF_PERSON = 100;
/** Sessions that are listed at most, the last used first. */
export const MAX_SESSIONS_OF_PERSON = 100;

/** Who a token is of, as this installation knows him. */
export const personAnswer = z.object({
  issuer: z.string(),
  subject: z.string(),
  name: z.string().nullable().describe('In the tenant of the request.'),
  email: z.string().nullable().describe('In the tenant of the request.'),
  tenants: z.array(
    z.object({ tenantId: z.string(), name: z.string(), status: z.enum(TENANT_STATUSES), role: z.enum(ROLES) }),
  ),
});

/** Sessions of a person in all tenants, the last used first. */
export const sessionsAnswer = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      tenantId: z.string(),
      browser: z.string().nullable(),
      beganAt: at.nullable().describe('Unknown for one that a release before this one began.'),
      usedAt: at.nullable(),
      isThis: z.boolean().describe('The session of the cookie that the request was sent with.'),
    }),
  ),
});

/** How many were ended. */
export const endedAnswer = z.object({ ended: z.int() });
