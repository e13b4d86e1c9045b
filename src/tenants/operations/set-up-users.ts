import { v7 as uuidv7 } from 'uuid';

import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import type { Role } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { TenantRecords } from '../ports.ts';
import type { StoredRecord, User } from '../rules/tenant.ts';
import { administer, type Administering, alive, mustBeRemoved, mustLeaveAnOwner } from './administer.ts';
import { endInvitationOf } from './invite-users.ts';

type Listed = { limit: number; cursor?: string };
export type UserWish = Pick<User, 'subject' | 'name' | 'email'> & { issuer?: string; role?: Role };

/** Lists users of the tenant, newest first. Other tenants of a user stay unknown: each tenant has rows of its own. */
export async function listUsers(
  { administration, signed }: Pick<Services, 'administration' | 'signed'>,
  tenantId: TenantId,
  { limit, cursor }: Listed,
): Promise<{ items: StoredRecord<'user'>[]; nextCursor?: string }> {
  const after = positionOf(signed, cursor);
  const { items, next } = await administration.read(tenantId, (records) => records.list('user', {}, limit, after));
  return { items, nextCursor: nextCursor(signed, next) };
}

/** @throws DomainError USER_NOT_FOUND */
export function getUser(
  { administration }: Pick<Services, 'administration'>,
  tenantId: TenantId,
  id: string,
): Promise<StoredRecord<'user'>> {
  return administration.read(tenantId, (records) => theUser(records, id));
}

/**
 * Creates a user of the tenant for a subject of the token issuer, with a role or without one, which an association
 * gives.
 * @throws DomainError ALREADY_EXISTS, also for a deleted user, who can be restored
 */
export function createUser(
  services: Administering & Pick<Services, 'issuer'>,
  by: By,
  { issuer = services.issuer, subject, name, email, role }: UserWish,
  key?: RequestKey,
): Promise<Done<StoredRecord<'user'>>> {
  return administer(services, by, key, async (records) => {
    const known = await records.find('user', { issuer, subject });
    if (known) {
      const detail =
        known.removedAt === undefined ? 'The tenant has this user.' : 'The user was deleted; restore him.';
      throw new DomainError('ALREADY_EXISTS', detail, { extra: { userId: known.id } });
    }
    const after = await records.put('user', { id: uuidv7(), issuer, subject, name, email });
    if (role !== undefined) await records.put('association', { id: after.id, role });
    await note(records, 'CREATED', undefined, after, role);
    return after;
  });
}

/** Replaces name and e-mail; the subject of the token stays. @throws DomainError USER_NOT_FOUND */
export function changeUser(
  services: Administering,
  by: By,
  id: string,
  { name, email }: Pick<User, 'name' | 'email'>,
  key?: RequestKey,
): Promise<Done<StoredRecord<'user'>>> {
  return administer(services, by, key, async (records) => {
    const before = await theUser(records, id);
    const after = await records.put('user', { ...plain(before), name, email });
    await note(records, 'CHANGED', before, after);
    return after;
  });
}

/**
 * Soft-deletes a user; the association is hidden until the user is restored. @throws DomainError USER_NOT_FOUND,
 * INVALID_STATE for the last owner
 */
export function removeUser(services: Administering, by: By, id: string, key?: RequestKey): Promise<Done<null>> {
  return administer(services, by, key, async (records) => {
    const before = await theUser(records, id);
    await mustLeaveAnOwner(records, before.id);
    await records.remove('user', before.id);
    const ended = await endInvitationOf(records, before);
    const image = { ...named(before), ...ended };
    await records.note({ entity: 'user', entityId: before.id, action: 'REMOVED', before: image });
    return null;
  });
}

/** @throws DomainError USER_NOT_FOUND, INVALID_STATE when the user was not deleted */
export function restoreUser(
  services: Administering,
  by: By,
  id: string,
  key?: RequestKey,
): Promise<Done<StoredRecord<'user'>>> {
  return administer(services, by, key, async (records) => {
    const before = await records.find('user', { id });
    if (!before) throw noSuch();
    mustBeRemoved(before);
    const after = await records.put('user', plain(before));
    await note(records, 'RESTORED', undefined, after);
    return after;
  });
}

async function theUser(records: TenantRecords, id: string): Promise<StoredRecord<'user'>> {
  const user = alive(await records.find('user', { id }));
  if (!user) throw noSuch();
  return user;
}

const plain = ({ id, issuer, subject, name, email }: User): User => ({ id, issuer, subject, name, email });
const noSuch = (): DomainError => new DomainError('USER_NOT_FOUND', 'The tenant has no such user.');

/** Names and e-mails of staff are left out: the administration journal is retained for years. */
function note(records: TenantRecords, action: string, before?: User, after?: User, role?: Role): Promise<void> {
  const entityId = (after ?? before)!.id;
  const changed =
    before && after && (['name', 'email'] as const).filter((member) => before[member] !== after[member]);
  const images = { before: named(before), after: after && { ...named(after), changed, role } };
  return records.note({ entity: 'user', entityId, action, ...images });
}

const named = (user?: User): object | undefined =>
  user && {
    issuer: user.issuer,
    subject: user.subject,
    hasName: user.name !== undefined,
    hasEmail: user.email !== undefined,
  };
