import { pageOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
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

/** @throws DomainError GROUP_NOT_FOUND */
export async function getGroup(
  services: Services,
  { tenantId }: Caller,
  id: GroupId,
): Promise<{ group: Group; seq: number }> {
  const stored = await services.sales.group(tenantId, id);
  if (!stored) throw new DomainError('GROUP_NOT_FOUND', 'The tenant has no such group.');
  const view = await services.properties.view({ tenantId, propertyId: stored.propertyId });
  const living = view.groups.find(({ groupId }) => groupId === id);
  return { group: living ?? stored.value, seq: view.seq };
}
