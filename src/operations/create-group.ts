import { v7 as uuidv7 } from 'uuid';

import type { GroupBody } from '../contracts/groups.ts';
import type { Caller } from '../domain/caller.ts';
import type { Reply } from '../domain/commands.ts';
import { formatDay } from '../domain/dates.ts';
import type { Group } from '../domain/group.ts';
import { type FieldError, Refusal } from '../domain/refusal.ts';
import type { PropertyView } from '../ports/properties.ts';
import { claim, type ClientKey, send } from './send.ts';
import type { Services } from './services.ts';

/** Keeps rooms for a group, all of them or none (contracts.md 7, `POST /reservations/groups`). */
export async function createGroup(
  services: Services,
  caller: Caller,
  body: GroupBody,
  key?: ClientKey,
): Promise<Reply<Group>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  checkDays(await services.properties.view(to), body);
  const { name, cutoffDate: cutoff } = body;
  const blocks = body.blocks.map(({ date: day, ...block }) => ({ ...block, day }));
  const command = { type: 'CREATE_GROUP' as const, groupId: uuidv7(), name, cutoff, blocks };
  return send(services, caller, to, command, claim(key));
}

function checkDays({ businessDate, lastNight }: PropertyView, { cutoffDate, blocks }: GroupBody): void {
  const errors: FieldError[] = [];
  const past = `today is ${formatDay(businessDate)} at the property`;
  if (cutoffDate < businessDate) errors.push({ pointer: '/cutoffDate', code: 'IN_THE_PAST', detail: past });
  blocks.forEach(({ date }, index) => {
    const pointer = `/blocks/${index}/date`;
    if (date < businessDate) errors.push({ pointer, code: 'IN_THE_PAST', detail: past });
    if (date > lastNight)
      errors.push({ pointer, code: 'BEYOND_HORIZON', detail: `the last night on sale is ${formatDay(lastNight)}` });
  });
  if (errors.length > 0)
    throw new Refusal('VALIDATION_FAILED', 'The blocks are outside of what can be sold.', { errors });
}
