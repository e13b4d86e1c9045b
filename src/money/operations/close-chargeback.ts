import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { CloseChargebackBody } from '../contracts/payments.ts';
import type { PaymentAddress } from './charge-back.ts';

/**
 * Closes a chargeback: its unpaid amount is written off, or stays owed
 * (`POST /reservations/{id}/payments/{paymentId}/chargeback/close`, docs/concepts/money.md#chargebacks).
 * @throws DomainError RESERVATION_NOT_FOUND, PAYMENT_NOT_FOUND, INVALID_STATE where nothing is open
 */
export async function closeChargeback(
  services: Services,
  caller: Caller,
  { id: reservationId, paymentId }: PaymentAddress,
  body: CloseChargebackBody,
  { key, ifVersion, dryRun }: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['CLOSE_CHARGEBACK']>> {
  const to = await addressOf(services, caller, reservationId);
  const said = { ...body, by: caller.subject, ifVersion, dryRun };
  const command = { type: 'CLOSE_CHARGEBACK' as const, reservationId, paymentId, ...said };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
