import { v7 as uuidv7 } from 'uuid';

import type { PaymentBody } from '../contracts/reservations.ts';
import type { Caller } from '../domain/caller.ts';
import type { CommandResults, Reply } from '../domain/commands.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Payment } from '../domain/reservation.ts';
import { chargeAttempt, endAttempt } from './charge-attempt.ts';
import { addressOf } from './reservation-address.ts';
import { send } from './send.ts';
import type { Services } from './services.ts';

/**
 * Takes money for a reservation (contracts.md 7, `POST /reservations/{id}/payments`): a card is charged, what comes in
 * another way is taken as received.
 * @throws Refusal INVALID_STATE when nothing is due, PAYMENT_DECLINED, PAYMENT_METHOD_REQUIRED
 */
export async function takePayment(
  services: Services,
  caller: Caller,
  id: string,
  { method, cardToken, amount = 0 }: PaymentBody,
  ifVersion?: number,
): Promise<Reply<CommandResults['END_PAYMENT']>> {
  const to = await addressOf(services, caller, id);
  const card = method === 'CARD_ON_FILE' ? await cardOnFile(services, to.tenantId, id) : cardToken;
  const createdAt = services.clock.now();
  const planned: Payment = {
    ...{ paymentId: uuidv7(), type: 'CHARGE', amount, method, status: 'PROCESSING', createdAt },
  };
  const { result } = await send(services, caller, to, {
    ...{ type: 'START_PAYMENT', reservationId: id, attempt: planned, ifVersion },
  });
  const { reservation, attempt } = result;
  if (card !== undefined) return chargeAttempt(services, caller, to, { reservation, attempt, cardToken: card });
  return endAttempt(services, caller, to, id, { ...attempt, status: 'COMPLETED', processedAt: createdAt });
}

/** @throws Refusal PAYMENT_METHOD_REQUIRED */
async function cardOnFile(
  { sealed, reservations }: Services,
  tenantId: string,
  reservationId: string,
): Promise<string> {
  const card = (await reservations.get(tenantId, reservationId))?.reservation.billing?.card;
  if (card === undefined) throw new Refusal('PAYMENT_METHOD_REQUIRED', 'There is no card on file.');
  return sealed.open(card, reservationId);
}
