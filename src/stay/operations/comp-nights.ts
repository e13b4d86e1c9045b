import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { sendRefundsSoon } from '../../money/operations/send-refunds.ts';
import type { CompBody, UndoCompBody } from '../contracts/comp.ts';

type Options = { key?: ClientKey; ifVersion?: number; dryRun?: boolean };

/**
 * Makes nights of a stay complimentary (docs/reference/agreed-prices.md#complimentary-nights).
 * @throws DomainError RESERVATION_NOT_FOUND, STALE_VERSION, INVALID_STATE, VALIDATION_FAILED
 */
export async function compNights(
  services: Services,
  caller: Caller,
  id: string,
  body: CompBody,
  { key, ifVersion, dryRun }: Options,
): Promise<Reply<CommandResults['COMP']>> {
  const to = await addressOf(services, caller, id);
  const ids = { reservationId: id, refundId: uuidv7() };
  const command = { type: 'COMP' as const, ...ids, ...body, by: caller.subject, ifVersion, dryRun };
  const reply = await send(services, caller, to, command, dryRun ? undefined : claim(key));
  if (!reply.replayed && !dryRun && reply.result.refund > 0) sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}

/**
 * Charges complimentary nights again as they were booked.
 * @throws DomainError RESERVATION_NOT_FOUND, STALE_VERSION, INVALID_STATE
 */
export async function undoComp(
  services: Services,
  caller: Caller,
  id: string,
  { reason }: UndoCompBody,
  { key, ifVersion, dryRun }: Options,
): Promise<Reply<CommandResults['UNDO_COMP']>> {
  const to = await addressOf(services, caller, id);
  const command = { type: 'UNDO_COMP' as const, reservationId: id, reason, by: caller.subject, ifVersion, dryRun };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
