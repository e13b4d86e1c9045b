import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { WonChargebackBody } from '../contracts/payments.ts';
import type { PaymentAddress } from './charge-back.ts';

/**
 * Records that the card issuer has returned money after a won dispute
 * (`POST /reservations/{id}/payments/{paymentId}/chargeback/win`, docs/concepts/money.md#chargebacks).
 * @throws DomainError RESERVATION_NOT_FOUND, PAYMENT_NOT_FOUND, INVALID_STATE where nothing can come back,
 * VALIDATION_FAILED beyond what was taken
 */
export async function winChargeback(
  services: Services,
  caller: Caller,
  { id, paymentId }: PaymentAddress,
  body: WonChargebackBody,
  { key, ifVersion, dryRun }: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['WIN_CHARGEBACK']>> {
  const to = await addressOf(services, caller, id);
  const which = { reservationId: id, paymentId, returnId: uuidv7() };
  const command = { type: 'WIN_CHARGEBACK' as const, ...which, ...body, by: caller.subject, ifVersion, dryRun };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
