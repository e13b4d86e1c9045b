import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import type { GroupChangeBody } from '../contracts/groups.ts';
import type { Group } from '../rules/group.ts';
import { checkCompany, wishOf } from './create-group.ts';
import { propertyOfGroup } from './find-groups.ts';

/**
 * Replaces a group, its blocks all or none (docs/reference/groups.md#change).
 * @throws DomainError GROUP_NOT_FOUND, COMPANY_NOT_FOUND; those of the decision
 */
export async function changeGroup(
  services: Services,
  caller: Caller,
  { id, body }: { id: GroupId; body: GroupChangeBody },
  key?: ClientKey,
): Promise<Reply<Group>> {
  const to = await propertyOfGroup(services, caller, id);
  await checkCompany(services, caller, body);
  return send(services, caller, to, { type: 'CHANGE_GROUP', ...wishOf(id, body) }, claim(key));
}
