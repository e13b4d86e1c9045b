import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import type { GroupBody } from '../contracts/groups.ts';
import type { Group } from '../rules/group.ts';

/** Blocks rooms for a group, all or none (docs/reference/reservations.md#groups). */
export async function createGroup(
  services: Services,
  caller: Caller,
  body: GroupBody,
  key?: ClientKey,
): Promise<Reply<Group>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  const { name, cutoffDate: cutoff } = body;
  const blocks = body.blocks.map(({ date: day, ...block }) => ({ ...block, day }));
  const command = { type: 'CREATE_GROUP' as const, groupId: uuidv7(), name, cutoff, blocks };
  return send(services, caller, to, command, claim(key));
}
