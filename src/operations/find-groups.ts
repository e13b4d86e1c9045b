import type { GroupsQuery } from '../contracts/groups.ts';
import type { Caller } from '../domain/caller.ts';
import type { Group } from '../domain/group.ts';
import { Refusal } from '../domain/refusal.ts';
import { pageOf } from './cursor.ts';
import { onlyProperty } from './only-property.ts';
import type { Services } from './services.ts';

/** Groups of a property that have nights to come, newest first; a tenant with one house need not name it. */
export async function listGroups(
  services: Services,
  caller: Caller,
  query: GroupsQuery,
): Promise<{ items: Group[]; nextCursor?: string; seq: number }> {
  const view = await services.properties.view(await onlyProperty(services, caller, query.propertyId));
  return { ...pageOf(services.signed, view.groups, ({ groupId }) => groupId, query), seq: view.seq };
}

/** @throws Refusal GROUP_NOT_FOUND */
export async function getGroup(
  services: Services,
  { tenantId }: Caller,
  id: string,
): Promise<{ group: Group; seq: number }> {
  const stored = await services.sales.group(tenantId, id);
  if (!stored) throw new Refusal('GROUP_NOT_FOUND', 'The tenant has no such group.');
  const view = await services.properties.view({ tenantId, propertyId: stored.propertyId });
  const living = view.groups.find(({ groupId }) => groupId === id);
  return { group: living ?? stored.value, seq: view.seq };
}
