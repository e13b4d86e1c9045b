import { z } from 'zod';

import { hasVisible } from '../../src/kernel/rules/languages.ts';
import type { VerifiedUser } from '../../src/tenants/operations/invite-users.ts';

const verifiedClaims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  email_verified: z.literal(true),
  name: z.string().trim().max(200).refine(hasVisible).optional().catch(undefined),
});

/**
 * Who the claims of an ID token are about; `undefined` unless they say that the mail address is verified: an invitation
 * belongs to who reads the mail of its address (docs/reference/set-up.md#invitations).
 */
export function verifiedUser(issuer: string, claims: unknown): VerifiedUser | undefined {
  const { data } = verifiedClaims.safeParse(claims);
  return data && { issuer, subject: data.sub, email: data.email, name: data.name };
}
