import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { mustBeInvoiceable } from '../../money/operations/find-companies.ts';
import type { GroupBody } from '../contracts/groups.ts';
import type { Group } from '../rules/group.ts';

/**
 * Blocks rooms for a group, all or none (docs/reference/reservations.md#groups).
 * @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED for an inactive one; those of the decision
 */
export async function createGroup(
  services: Services,
  caller: Caller,
  body: GroupBody,
  key?: ClientKey,
): Promise<Reply<Group>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  const { name, cutoffDate: cutoff, terms, guarantee, depositSchedule, releaseHour, companyId } = body;
  if (companyId !== undefined) await mustBeInvoiceable(services, caller.tenantId, companyId, '/companyId');
  const agreed = definedMembers({ terms, guarantee, depositSchedule, releaseHour, companyId });
  const blocks = body.blocks.map(({ date: day, ...block }) => ({ ...block, day }));
  const command = { type: 'CREATE_GROUP' as const, groupId: uuidv7(), name, cutoff, agreed, blocks };
  return send(services, caller, to, command, claim(key));
}
