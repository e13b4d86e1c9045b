import { pageOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import { onlyProperty } from '../../properties/operations/only-property.ts';
import type { GroupsQuery } from '../contracts/groups.ts';
import type { Group } from '../rules/group.ts';

/**
 * Lists groups of a property with nights to come, newest first; the property may be left out when the tenant has only
 * one.
 */
export async function listGroups(
  services: Services,
  caller: Caller,
  query: GroupsQuery,
): Promise<{ items: Group[]; nextCursor?: string; seq: number }> {
  const view = await services.properties.view(await onlyProperty(services, caller, query.propertyId));
  return { ...pageOf(services.signed, view.groups, ({ groupId }) => groupId, query), seq: view.seq };
}

/**
 * Reads a group, also one that is over.
 * @param orDeleted for a repeated request
 * @throws DomainError GROUP_NOT_FOUND, also for a deleted one
 */
export async function getGroup(
  services: Services,
  { tenantId }: Caller,
  id: GroupId,
  orDeleted = false,
): Promise<{ group: Group; to: Address; seq: number }> {
  const stored = await services.sales.group(tenantId, id);
  if (!stored || (stored.value.deletedAt !== undefined && !orDeleted)) throw notFound();
  const to = { tenantId, propertyId: stored.propertyId };
  const view = await services.properties.view(to);
  const living = view.groups.find(({ groupId }) => groupId === id);
  return { group: living ?? stored.value, to, seq: view.seq };
}

/**
 * The property of a group, also of a deleted one: it has the answer to a repeated request under its key.
 * @throws DomainError GROUP_NOT_FOUND
 */
export async function propertyOfGroup(services: Services, { tenantId }: Caller, id: GroupId): Promise<Address> {
  const stored = await services.sales.group(tenantId, id);
  if (!stored) throw notFound();
  return { tenantId, propertyId: stored.propertyId };
}

function notFound(): DomainError {
  return new DomainError('GROUP_NOT_FOUND', 'The tenant has no such group.');
}
