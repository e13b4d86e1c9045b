import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import type { Invitation } from '../../tenants/rules/tenant.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Letter, oneLine } from './letter.ts';

type Invited = Pick<Invitation, 'email' | 'name' | 'role'> & {
  tenant: string;
  /** Where to sign in. It is no credential: what counts is the address with which somebody signs in. */
  url: string;
  expiresAt: Instant;
};

/** The letter that brings an invitation to a colleague (docs/reference/set-up.md#letters-of-invitations). */
export function invitationLetter(
  { email, name = email, role, url, expiresAt, ...invited }: Invited,
  texts: LetterTexts,
): Letter<'INVITATION'> {
  const { day, time } = localTime(expiresAt, 'UTC');
  const until = texts.text('utc', { day: texts.day(day), time });
  const tenant = oneLine(invited.tenant);
  return {
    kind: 'INVITATION',
    to: oneLine(name),
    values: { tenant, until },
    details: [
      [texts.text('tenant'), tenant],
      [texts.text('role'), texts.text(`role.${role}`)],
      [texts.text('signInWith'), oneLine(email)],
      [texts.text('validUntil'), until],
    ],
    link: { label: texts.text('signIn'), url },
    notices: [],
  };
}
