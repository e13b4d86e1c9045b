import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { PropertyMessagesQuery } from '../contracts/stay-messages.ts';
import type { ListedMessage, SentMessage } from '../ports.ts';

/** Messages about a stay, oldest first. @throws DomainError RESERVATION_NOT_FOUND */
export async function messagesOfStay(services: Services, caller: Caller, id: ReservationId): Promise<SentMessage[]> {
  await addressOf(services, caller, id);
  return services.sentMessages.ofStay(caller.tenantId, id);
}

/** Messages of a property, newest first. @throws DomainError PROPERTY_NOT_FOUND */
export async function messagesOfProperty(
  { properties, sentMessages, signed }: Pick<Services, 'properties' | 'sentMessages' | 'signed'>,
  to: Address,
  { kind, status, q, limit, cursor }: PropertyMessagesQuery,
): Promise<{ items: ListedMessage[]; nextCursor?: string }> {
  await properties.view(to);
  const filter = { kind, status, reservation: q };
  const { items, next } = await sentMessages.ofProperty(to, filter, limit, positionOf(signed, cursor));
  return { items, nextCursor: nextCursor(signed, next) };
}

/** Id of a message, within its stay. */
export function messageIdOf({ kind, channel, occasion }: Pick<SentMessage, 'kind' | 'channel' | 'occasion'>): string {
  return `${kind}-${channel}-${occasion}`;
}

/**
 * Sends a message once more that FAILED, or is UNKNOWN. It has the id that it had, so who got it before sees it once. One
 * that waits to be sent is answered as it is.
 * @throws DomainError RESERVATION_NOT_FOUND; MESSAGE_NOT_FOUND; INVALID_STATE when it has arrived
 */
export async function sendMessageAgain(
  services: Services,
  caller: Caller,
  id: ReservationId,
  messageId: string,
): Promise<SentMessage> {
  const { tenantId } = caller;
  const before = await messageOf(services, caller, id, messageId);
  if (before.status === 'WAITING' || before.status === 'SENDING') return before;
  if (!(await services.sentMessages.sendAgain(tenantId, id, before)))
    throw new DomainError('INVALID_STATE', `A message that is ${before.status} is not sent again.`);
  return messageOf(services, caller, id, messageId);
}

async function messageOf(
  services: Services,
  caller: Caller,
  id: ReservationId,
  messageId: string,
): Promise<SentMessage> {
  const found = (await messagesOfStay(services, caller, id)).find((one) => messageIdOf(one) === messageId);
  if (!found) throw new DomainError('MESSAGE_NOT_FOUND', 'The stay has no such message.');
  return found;
}
