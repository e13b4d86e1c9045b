import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import { propertyOfGroup } from './find-groups.ts';

/**
 * Returns the rooms of a group that are not picked up; its reservations stay (docs/reference/groups.md#delete).
 * @throws DomainError GROUP_NOT_FOUND
 */
export async function deleteGroup(
  services: Services,
  caller: Caller,
  groupId: GroupId,
  key?: ClientKey,
): Promise<Reply<null>> {
  const to = await propertyOfGroup(services, caller, groupId);
  return send(services, caller, to, { type: 'DELETE_GROUP', groupId }, claim(key));
}
