import type { DevMailboxQuery } from '../../kernel/contracts/development.ts';
import { pageOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { DevMailbox, DevMessage } from '../ports.ts';

/**
 * Reads messages to guests of the caller's tenant that development did not send, newest first
 * (docs/reference/set-up.md#development-only).
 */
export function readDevMailbox(
  outbox: DevMailbox,
  { signed }: Pick<Services, 'signed'>,
  caller: Caller,
  { reservationId, ...page }: DevMailboxQuery,
): { items: DevMessage[]; nextCursor?: string } {
  const all = outbox
    .of(caller.tenantId)
    .filter((message) => reservationId === undefined || message.reservationId === reservationId)
    .map((message) => ({ ...message, createdAt: message.sentAt }));
  return pageOf(signed, all, ({ id }) => id, page);
}
