import { v7 as uuidv7 } from 'uuid';

import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { TenantRecords } from '../ports.ts';
import type { Invitation, InvitationLetter, StoredRecord, User } from '../rules/tenant.ts';
import { administer, type Administering, alive, imageOf } from './administer.ts';

/** How long an invitation can be used (docs/reference/set-up.md#invitations). */
const VALID_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
/** Letters within 24 hours. */
const MAX_LETTERS_OF_INVITATION = 5;
const MAX_LETTERS_OF_TENANT = 100;
/** Of a tenant, neither used nor revoked. */
export const MAX_INVITATIONS = 200;

/** An invitation that was neither used nor revoked. */
export type ListedInvitation = StoredRecord<'invitation'> & { status: 'OPEN' | 'EXPIRED' };

/** Who has signed in at the issuer, with an address that the issuer has verified. */
export type VerifiedUser = Pick<User, 'issuer' | 'subject' | 'name'> & { email: string };

/** Address at which who is invited to a tenant signs in. It is no secret: the address of the invitation decides. */
export const signInAddress = ({ pagesUrl = '' }: Pick<Services, 'pagesUrl'>, tenantId: TenantId): string =>
  `${pagesUrl}/auth/sign-in?tenant=${encodeURIComponent(tenantId)}`;

/** Lists invitations that were neither used nor revoked, newest first. */
export async function listInvitations(
  { administration, signed, clock }: Pick<Services, 'administration' | 'signed' | 'clock'>,
  tenantId: TenantId,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: ListedInvitation[]; nextCursor?: string }> {
  const after = positionOf(signed, cursor);
  const page = await administration.read(tenantId, (records) => records.list('invitation', {}, limit, after));
  const now = clock.now();
  return { items: page.items.map((item) => listed(item, now)), nextCursor: nextCursor(signed, page.next) };
}

/**
 * Invites who signs in with a mail address. An earlier invitation of the address is replaced, with its letter if that
 * has not left. @param language of the letter; none is sent without one, or where the service sends no mail
 * @throws DomainError ALREADY_EXISTS for an address of a user who has a role, INVALID_STATE when too many are open,
 * QUOTA_EXCEEDED when too many letters were ordered
 */
export function inviteUser(
  services: Administering & Pick<Services, 'clock' | 'sendsMail'>,
  by: By,
  { email, name, role, language }: Pick<Invitation, 'email' | 'name' | 'role'> & { language?: Language },
  key?: RequestKey,
): Promise<Done<ListedInvitation>> {
  return administer(services, by, key, async (records) => {
    const address = email.toLowerCase();
    await mustBeNew(records, [email, address]);
    const last = await records.find('invitation', { email: address });
    const before = alive(last);
    if (!before) await mustLeaveRoom(records);
    const now = services.clock.now();
    const letter =
      language !== undefined && services.sendsMail
        ? await orderLetter(records, last, { language, now })
        : lettersOf(last);
    const invitation = {
      id: before?.id ?? uuidv7(),
      email: address,
      name,
      role,
      expiresAt: now + VALID_MS,
      invitedBy: by.subject,
      ...letter,
    };
    const after = await records.put('invitation', invitation);
    await note(records, before ? 'CHANGED' : 'CREATED', after, before);
    return listed(after, now);
  });
}

/**
 * A letter to be sent at once, within what a tenant and an address may get: who can invite could else have the
 * service write to strangers without end.
 * @throws DomainError QUOTA_EXCEEDED
 */
async function orderLetter(
  records: TenantRecords,
  last: StoredRecord<'invitation'> | undefined,
  { language, now }: { language: Language; now: Instant },
): Promise<InvitationLetter> {
  const { letters = 0, lettersSince = now } = lettersOf(last);
  const isSameDay = now - lettersSince < DAY_MS;
  const ofTenant = await records.lettersOfDay(now);
  if ((isSameDay && letters >= MAX_LETTERS_OF_INVITATION) || ofTenant >= MAX_LETTERS_OF_TENANT)
    throw new DomainError(
      'QUOTA_EXCEEDED',
      `A day has at most ${MAX_LETTERS_OF_INVITATION} letters to an address and ${MAX_LETTERS_OF_TENANT} of a tenant; ` +
        'invite without a letter, or later.',
      { retryAfterSeconds: DAY_MS / 1_000 },
    );
  return {
    letterLanguage: language,
    letterState: 'WAITING',
    letterAt: now,
    letterDueAt: now,
    letterAttempts: 0,
    letters: isSameDay ? letters + 1 : 1,
    lettersSince: isSameDay ? lettersSince : now,
  };
}

/** What was ordered so far counts, also where the last invitation of the address was revoked or has no letter any more. */
const lettersOf = (last: StoredRecord<'invitation'> | undefined): Pick<Invitation, 'letters' | 'lettersSince'> => ({
  letters: last?.letters,
  lettersSince: last?.lettersSince,
});

/** Revokes an invitation, and with it a letter that has not left. @throws DomainError INVITATION_NOT_FOUND, also for one that was used */
export function revokeInvitation(services: Administering, by: By, id: string, key?: RequestKey): Promise<Done<null>> {
  return administer(services, by, key, async (records) => {
    const before = alive(await records.find('invitation', { id }));
    if (!before) throw new DomainError('INVITATION_NOT_FOUND', 'The tenant has no such open invitation.');
    await records.remove('invitation', id);
    await note(records, 'REMOVED', undefined, before);
    return null;
  });
}

/**
 * Ends the open invitation of a user whose role is taken away: it would bring the user back.
 * @returns its id, for the audit row of the caller
 */
export async function endInvitationOf(
  records: TenantRecords,
  { email }: Pick<User, 'email'>,
): Promise<{ invitationId?: string }> {
  const found = email === undefined ? undefined : await records.find('invitation', { email: email.toLowerCase() });
  const invitation = alive(found);
  if (!invitation) return {};
  await records.remove('invitation', invitation.id);
  return { invitationId: invitation.id };
}

/**
 * Makes who signs in with an invited address a user of the tenant. An invitation is used once. A user who has a role
 * keeps it, and the invitation is over: it would bring him back, with another role, after this one is taken away.
 */
export async function acceptInvitation(
  services: Administering & Pick<Services, 'clock'>,
  tenantId: TenantId,
  who: VerifiedUser,
): Promise<void> {
  const now = services.clock.now();
  const found = await services.administration.read(tenantId, async (records) => {
    const invitation = await openFor(records, who, now);
    return invitation && { user: await userOf(records, who) };
  });
  if (!found) return;
  // The audit trail names users by their ids, also who becomes one.
  const { id } = found.user;
  await administer(services, { tenantId, subject: id, requestId: uuidv7() }, undefined, async (records) => {
    const invitation = await openFor(records, who, now);
    if (!invitation) return;
    const known = alive(await records.find('user', { issuer: who.issuer, subject: who.subject }));
    if (known && (await hasRole(records, known.id))) {
      await records.remove('invitation', invitation.id);
      await note(records, 'REMOVED', undefined, { ...invitation, userId: known.id });
      return;
    }
    const user = { ...(await userOf(records, who)), name: invitation.name ?? who.name, email: invitation.email };
    await records.put('user', user);
    await records.put('association', { id: user.id, role: invitation.role });
    await records.put('invitation', { ...imageOf(invitation), acceptedAt: now });
    await records.remove('invitation', invitation.id);
    await note(records, 'ACCEPTED', { ...invitation, userId: user.id });
  });
}

/** The invitation that a sign-in uses or ends. */
async function openFor(
  records: TenantRecords,
  { email }: VerifiedUser,
  now: Instant,
): Promise<StoredRecord<'invitation'> | undefined> {
  const invitation = alive(await records.find('invitation', { email: email.toLowerCase() }));
  return invitation && invitation.expiresAt > now ? invitation : undefined;
}

/** Also a removed one: a subject has one record. */
async function userOf(
  records: TenantRecords,
  { issuer, subject }: VerifiedUser,
): Promise<Pick<User, 'id' | 'issuer' | 'subject'>> {
  const known = await records.find('user', { issuer, subject });
  return { id: known?.id ?? uuidv7(), issuer, subject };
}

const hasRole = async (records: TenantRecords, id: string): Promise<boolean> =>
  alive(await records.find('association', { id })) !== undefined;

async function mustBeNew(records: TenantRecords, addresses: readonly string[]): Promise<void> {
  for (const email of new Set(addresses)) {
    const user = alive(await records.find('user', { email }));
    if (user && (await hasRole(records, user.id)))
      throw new DomainError('ALREADY_EXISTS', 'A user with this address has a role here; change that.', {
        extra: { userId: user.id },
      });
  }
}

async function mustLeaveRoom(records: TenantRecords): Promise<void> {
  const { items } = await records.list('invitation', {}, MAX_INVITATIONS);
  if (items.length < MAX_INVITATIONS) return;
  throw new DomainError('INVALID_STATE', `The tenant has ${MAX_INVITATIONS} invitations; revoke some first.`);
}

const listed = (invitation: StoredRecord<'invitation'>, now: Instant): ListedInvitation => ({
  ...invitation,
  status: invitation.expiresAt > now ? 'OPEN' : 'EXPIRED',
});

/** Names and addresses are left out, as those of users are. */
function note(
  records: TenantRecords,
  action: string,
  after: (Invitation & { userId?: string }) | undefined,
  before?: Invitation & { userId?: string },
): Promise<void> {
  const image = (one?: Invitation & { userId?: string }): object | undefined =>
    one && { role: one.role, ...(one.userId !== undefined && { userId: one.userId }) };
  const entityId = (after ?? before)!.id;
  return records.note({ entity: 'invitation', entityId, action, before: image(before), after: image(after) });
}
