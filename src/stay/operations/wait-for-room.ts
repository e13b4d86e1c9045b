import { v7 as uuidv7 } from 'uuid';

import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { WaitlistId } from '../../kernel/rules/ids.ts';
import type { WaitlistBody, WaitlistQuery } from '../contracts/waitlist.ts';
import type { ListedWaiting } from '../ports.ts';

/**
 * Puts a request that was refused on the waitlist (docs/reference/waitlist.md#waitlist).
 * @throws DomainError INVALID_STATE when the stay can be booked now; those of the decision
 */
export async function joinWaitlist(
  services: Services,
  caller: Caller,
  { propertyId, guestInfo: guest, stayDetails: { maxTotal, ...stay }, expiresAt }: WaitlistBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['JOIN_WAITLIST']>> {
  const to = { tenantId: caller.tenantId, propertyId };
  // Activation may take longer than a command may wait.
  await services.properties.view(to);
  const more = { ...(maxTotal !== undefined && { maxTotal }), ...(expiresAt !== undefined && { expiresAt }) };
  const entry = { waitlistId: uuidv7() as WaitlistId, guest, stay, ...more };
  return send(services, caller, to, { type: 'JOIN_WAITLIST', entry }, claim(key));
}

/** Lists requests of a property, also those that are over, in order of their arrival. */
export async function listWaitlist(
  { properties, waitlist, signed }: Pick<Services, 'properties' | 'waitlist' | 'signed'>,
  { tenantId }: Caller,
  { propertyId, status, limit, cursor }: WaitlistQuery,
): Promise<{ items: ListedWaiting[]; nextCursor?: string }> {
  const to = { tenantId, propertyId };
  // What is due by now is done, and a property that does not exist is refused.
  await properties.view(to);
  const { items, next } = await waitlist.list(to, status, limit, positionOf(signed, cursor));
  return { items, nextCursor: nextCursor(signed, next) };
}

/** Reads a request, also one that is over. @throws DomainError WAITLIST_NOT_FOUND */
export async function readWaiting(
  { properties, waitlist }: Pick<Services, 'properties' | 'waitlist'>,
  { tenantId }: Caller,
  id: WaitlistId,
): Promise<ListedWaiting> {
  const { propertyId } = await found(waitlist, tenantId, id);
  await properties.view({ tenantId, propertyId });
  return found(waitlist, tenantId, id);
}

/** Takes a request off the list. @throws DomainError WAITLIST_NOT_FOUND, also when it is over */
export async function leaveWaitlist(
  services: Services,
  caller: Caller,
  id: WaitlistId,
  key?: ClientKey,
): Promise<Reply<CommandResults['LEAVE_WAITLIST']>> {
  const { tenantId } = caller;
  const { propertyId } = await found(services.waitlist, tenantId, id);
  return send(services, caller, { tenantId, propertyId }, { type: 'LEAVE_WAITLIST', waitlistId: id }, claim(key));
}

async function found(reader: Services['waitlist'], tenantId: string, id: WaitlistId): Promise<ListedWaiting> {
  const one = await reader.get(tenantId, id);
  if (!one) throw new DomainError('WAITLIST_NOT_FOUND', 'The tenant has no such request.');
  return one;
}
