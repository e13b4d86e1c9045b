import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, Reply } from '../../kernel/rules/commands.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { mustBeInvoiceable } from '../../money/operations/find-companies.ts';
import type { GroupBody, GroupChangeBody } from '../contracts/groups.ts';
import type { Group } from '../rules/group.ts';

/**
 * Blocks rooms for a group, all or none (docs/reference/groups.md#groups).
 * @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED for an inactive one; those of the decision
 */
export async function createGroup(
  services: Services,
  caller: Caller,
  body: GroupBody,
  key?: ClientKey,
): Promise<Reply<Group>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  await checkCompany(services, caller, body);
  return send(services, caller, to, { type: 'CREATE_GROUP', ...wishOf(uuidv7(), body) }, claim(key));
}

/** @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED for an inactive one */
export async function checkCompany(
  services: Services,
  { tenantId }: Caller,
  { companyId }: GroupChangeBody,
): Promise<void> {
  if (companyId !== undefined) await mustBeInvoiceable(services, tenantId, companyId, '/companyId');
}

/** A body as the actor takes it. */
export function wishOf(groupId: GroupId, body: GroupChangeBody): Omit<CommandOf<'CREATE_GROUP'>, 'type'> {
  const { name, cutoffDate: cutoff, shoulderNights, contact } = body;
  const { terms, guarantee, depositSchedule, releaseHour, companyId } = body;
  const agreed = definedMembers({ terms, guarantee, depositSchedule, releaseHour, companyId });
  const blocks = body.blocks.map(({ date: day, ...block }) => ({ ...block, day }));
  return { groupId, name, cutoff, agreed, blocks, ...definedMembers({ shoulderNights, contact }) };
}
