import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { WaiveBody } from '../contracts/payments.ts';
import { sendRefundsSoon } from './send-refunds.ts';

/**
 * Waives a retained penalty, or a part of it (docs/reference/reservations.md#cancel).
 * @throws DomainError INVALID_STATE, REFUND_EXCEEDS_PAID
 */
export async function waivePenalty(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { amount, reason }: WaiveBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['WAIVE_PENALTY']>> {
  const to = await addressOf(services, caller, id);
  const reply = await send(
    services,
    caller,
    to,
    {
      type: 'WAIVE_PENALTY',
      reservationId: id,
      refundId: uuidv7(),
      amount,
      reason,
      by: caller.subject,
      ifVersion: options.ifVersion,
      dryRun: options.dryRun,
    },
    options.dryRun ? undefined : claim(options.key),
  );
  if (!reply.replayed && !options.dryRun) sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}
