import type { OutboxQuery } from '../contracts/development.ts';
import type { Caller } from '../domain/caller.ts';
import type { Outbox, OutboxMessage } from '../ports/outbox.ts';
import { pageOf } from './cursor.ts';
import type { Services } from './services.ts';

/**
 * Messages to guests of the caller's tenant that development did not send, newest first
 * (docs/reference/set-up.md#development-only).
 */
export function readOutbox(
  outbox: Outbox,
  { signed }: Pick<Services, 'signed'>,
  caller: Caller,
  { reservationId, ...page }: OutboxQuery,
): { items: OutboxMessage[]; nextCursor?: string } {
  const all = outbox
    .of(caller.tenantId)
    .filter((message) => reservationId === undefined || message.reservationId === reservationId)
    .map((message) => ({ ...message, createdAt: message.sentAt }));
  return pageOf(signed, all, ({ id }) => id, page);
}
