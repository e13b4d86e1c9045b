import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import type { Role } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { TenantRecords } from '../ports.ts';
import type { StoredRecord } from '../rules/tenant.ts';
import { administer, type Administering, alive, imageOf, mustBeRemoved, mustLeaveAnOwner } from './administer.ts';
import { endInvitationOf } from './invite-users.ts';

/** Lists users' roles in the tenant, newest first. */
export async function listAssociations(
  { administration, signed }: Pick<Services, 'administration' | 'signed'>,
  tenantId: TenantId,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: StoredRecord<'association'>[]; nextCursor?: string }> {
  const after = positionOf(signed, cursor);
  const page = await administration.read(tenantId, (records) => records.list('association', {}, limit, after));
  return { items: page.items, nextCursor: nextCursor(signed, page.next) };
}

/** @throws DomainError ASSOCIATION_NOT_FOUND */
export function getAssociation(
  { administration }: Pick<Services, 'administration'>,
  tenantId: TenantId,
  id: string,
): Promise<StoredRecord<'association'>> {
  return administration.read(tenantId, (records) => theAssociation(records, id));
}

/**
 * Gives a user of the tenant a role, also when the user's association was deleted.
 * @throws DomainError UNKNOWN_USER, ALREADY_EXISTS
 */
export function associate(
  services: Administering,
  by: By,
  { userId, role }: { userId: string; role: Role },
  key?: RequestKey,
): Promise<Done<StoredRecord<'association'>>> {
  return administer(services, by, key, async (records) => {
    await mustHaveUser(records, userId);
    if (alive(await records.find('association', { id: userId })))
      throw new DomainError('ALREADY_EXISTS', 'The user has a role here; change that.');
    return put(records, 'CREATED', { id: userId, role });
  });
}

/** @throws DomainError ASSOCIATION_NOT_FOUND, INVALID_STATE when it would take the role of the last owner */
export function changeRole(
  services: Administering,
  by: By,
  id: string,
  role: Role,
  key?: RequestKey,
): Promise<Done<StoredRecord<'association'>>> {
  return administer(services, by, key, async (records) => {
    const before = await theAssociation(records, id);
    if (role !== 'OWNER') await mustLeaveAnOwner(records, before.id);
    return put(records, 'CHANGED', { id: before.id, role }, before);
  });
}

/** Soft-deletes an association. @throws DomainError ASSOCIATION_NOT_FOUND, INVALID_STATE for the last owner */
export function dissociate(services: Administering, by: By, id: string, key?: RequestKey): Promise<Done<null>> {
  return administer(services, by, key, async (records) => {
    const before = await theAssociation(records, id);
    await mustLeaveAnOwner(records, before.id);
    await records.remove('association', before.id);
    const user = await records.find('user', { id: before.id });
    const image = { ...imageOf(before), ...(user && (await endInvitationOf(records, user))) };
    await records.note({ entity: 'association', entityId: before.id, action: 'REMOVED', before: image });
    return null;
  });
}

/** @throws DomainError ASSOCIATION_NOT_FOUND, INVALID_STATE when it was not deleted, UNKNOWN_USER when the user was */
export function restoreAssociation(
  services: Administering,
  by: By,
  id: string,
  key?: RequestKey,
): Promise<Done<StoredRecord<'association'>>> {
  return administer(services, by, key, async (records) => {
    const before = await records.find('association', { id });
    if (!before) throw noSuch();
    mustBeRemoved(before);
    await mustHaveUser(records, before.id);
    return put(records, 'RESTORED', { id: before.id, role: before.role });
  });
}

async function put(
  records: TenantRecords,
  action: string,
  wish: { id: string; role: Role },
  before?: StoredRecord<'association'>,
): Promise<StoredRecord<'association'>> {
  const after = await records.put('association', wish);
  const images = { before: before && imageOf(before), after: imageOf(after) };
  await records.note({ entity: 'association', entityId: after.id, action, ...images });
  return after;
}

/** The association of a deleted user is hidden until the user is restored. */
async function theAssociation(records: TenantRecords, id: string): Promise<StoredRecord<'association'>> {
  const association = alive(await records.find('association', { id }));
  if (!association || !alive(await records.find('user', { id }))) throw noSuch();
  return association;
}

/** @throws DomainError UNKNOWN_USER */
async function mustHaveUser(records: TenantRecords, id: string): Promise<void> {
  if (!alive(await records.find('user', { id })))
    throw new DomainError('UNKNOWN_USER', 'The tenant has no such user.');
}

const noSuch = (): DomainError => new DomainError('ASSOCIATION_NOT_FOUND', 'The tenant has no such association.');
