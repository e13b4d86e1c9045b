import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { RefundBody } from '../contracts/payments.ts';
import { sendRefundsSoon } from './send-refunds.ts';

/**
 * Refunds payments (`POST /reservations/{id}/refunds`): to cards through the provider, everything else by hand.
 * @throws DomainError RESERVATION_NOT_FOUND, PAYMENT_NOT_FOUND, REFUND_EXCEEDS_PAID, INVALID_STATE
 */
export async function giveRefund(
  services: Services,
  caller: Caller,
  id: ReservationId,
  body: RefundBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['GIVE_REFUND']>> {
  const to = await addressOf(services, caller, id);
  const command = {
    type: 'GIVE_REFUND' as const,
    reservationId: id,
    refundId: uuidv7(),
    ...body,
    by: caller.subject,
    ifVersion: options.ifVersion,
    dryRun: options.dryRun,
  };
  const reply = await send(services, caller, to, command, options.dryRun ? undefined : claim(options.key));
  if (!reply.replayed && !options.dryRun) sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}
