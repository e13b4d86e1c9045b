import { v7 as uuidv7 } from 'uuid';

import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { InquiryId } from '../../kernel/rules/ids.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { InquiryBody, InquiryQuery } from '../contracts/inquiries.ts';
import type { ListedInquiry } from '../ports.ts';

/**
 * Promises the price of a stay to a guest, without a room (docs/reference/inquiries.md#inquiries).
 * @throws DomainError those of the decision
 */
export async function keepInquiry(
  services: Services,
  caller: Caller,
  { propertyId, guestInfo: guest, stayDetails: { promoCode, ...stay }, notes, expiresAt }: InquiryBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['KEEP_INQUIRY']>> {
  const to = { tenantId: caller.tenantId, propertyId };
  // Activation may take longer than a command may wait.
  await services.properties.view(to);
  const inquiry = { inquiryId: uuidv7() as InquiryId, stay, guest, ...definedMembers({ notes }) };
  const command = { type: 'KEEP_INQUIRY' as const, inquiry, ...definedMembers({ promoCode, expiresAt }) };
  return send(services, caller, to, command, claim(key, inquiry.inquiryId));
}

/** Lists inquiries of a property, also those that are over, newest first. */
export async function listInquiries(
  { properties, inquiries, signed }: Pick<Services, 'properties' | 'inquiries' | 'signed'>,
  { tenantId }: Caller,
  { propertyId, status, limit, cursor }: InquiryQuery,
): Promise<{ items: ListedInquiry[]; nextCursor?: string }> {
  const to = { tenantId, propertyId };
  // What is due by now is done, and a property that does not exist is refused.
  await properties.view(to);
  const { items, next } = await inquiries.list(to, status, limit, positionOf(signed, cursor));
  return { items, nextCursor: nextCursor(signed, next) };
}

/** Reads an inquiry, also one that is over. @throws DomainError INQUIRY_NOT_FOUND */
export async function readInquiry(
  { inquiries }: Pick<Services, 'inquiries'>,
  { tenantId }: Caller,
  id: InquiryId,
): Promise<ListedInquiry> {
  const one = await inquiries.get(tenantId, id);
  if (!one) throw new DomainError('INQUIRY_NOT_FOUND', 'The tenant has no such inquiry.');
  return one;
}

/** Ends an inquiry that leads to nothing. @throws DomainError INQUIRY_NOT_FOUND, also when it is over */
export async function closeInquiry(
  services: Services,
  caller: Caller,
  inquiryId: InquiryId,
  key?: ClientKey,
): Promise<Reply<CommandResults['CLOSE_INQUIRY']>> {
  const { propertyId } = await readInquiry(services, caller, inquiryId);
  const to = { tenantId: caller.tenantId, propertyId };
  return send(services, caller, to, { type: 'CLOSE_INQUIRY', inquiryId }, claim(key));
}
