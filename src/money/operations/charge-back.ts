import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { PaymentId, ReservationId } from '../../kernel/rules/ids.ts';
import type { ChargebackBody } from '../contracts/payments.ts';

/** A payment of a reservation. */
export type PaymentAddress = { id: ReservationId; paymentId: PaymentId };

/**
 * Records that the card issuer has taken a payment back (`POST /reservations/{id}/payments/{paymentId}/chargeback`,
 * docs/concepts/money.md#chargebacks). Nothing is sent to the payment provider.
 * @throws DomainError RESERVATION_NOT_FOUND, PAYMENT_NOT_FOUND, REFUND_EXCEEDS_PAID, INVALID_STATE
 */
export async function chargeBack(
  services: Services,
  caller: Caller,
  { id, paymentId }: PaymentAddress,
  body: ChargebackBody,
  { key, ifVersion, dryRun }: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['CHARGE_BACK']>> {
  const to = await addressOf(services, caller, id);
  const which = { reservationId: id, paymentId, chargebackId: uuidv7() };
  const command = { type: 'CHARGE_BACK' as const, ...which, ...body, by: caller.subject, ifVersion, dryRun };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
