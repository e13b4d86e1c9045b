import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { PayOutBody } from '../contracts/refunds.ts';

/**
 * Records that staff have paid a refund out by hand (`POST /reservations/{id}/refunds/{refundId}/pay-out`).
 * @throws DomainError REFUND_NOT_FOUND, INVALID_STATE
 */
export async function payOutRefund(
  services: Services,
  caller: Caller,
  { id, refundId }: { id: string; refundId: string },
  { method, reference, paidBy: by = caller.subject }: PayOutBody,
  options: { key?: ClientKey; ifVersion?: number },
): Promise<Reply<CommandResults['PAY_OUT_REFUND']>> {
  const to = await addressOf(services, caller, id);
  const command = {
    type: 'PAY_OUT_REFUND' as const,
    reservationId: id,
    refundId,
    method,
    reference,
    by,
    ifVersion: options.ifVersion,
  };
  return send(services, caller, to, command, claim(options.key));
}
