import { v7 as uuidv7 } from 'uuid';

import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId, ReservationId } from '../../kernel/rules/ids.ts';
import type { PaymentBody } from '../contracts/payments.ts';
import type { Payment } from '../rules/payment.ts';
import { chargeAttempt } from './charge-attempt.ts';

type Paid = CommandResults['END_PAYMENT'];

/**
 * Takes a payment for a reservation (docs/concepts/money.md#payments): a card is charged, other methods are recorded as
 * received. After a 503, a request with the same key continues the same attempt.
 * @throws DomainError INVALID_STATE when nothing is due, PAYMENT_DECLINED, PAYMENT_METHOD_REQUIRED
 */
export async function takePayment(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { method, cardToken, amount = 0, window }: PaymentBody,
  options: { key?: ClientKey; ifVersion?: number } = {},
): Promise<Reply<Paid>> {
  const { key, ifVersion } = options;
  return oneAtATime(caller, key, async () => {
    const to = await addressOf(services, caller, id);
    const card = method === 'CARD_ON_FILE' ? await cardOnFile(services, to.tenantId, id) : cardToken;
    const planned: Payment = {
      paymentId: uuidv7(),
      type: 'CHARGE',
      amount,
      method,
      status: 'PROCESSING',
      createdAt: services.clock.now(),
    };
    const command = { type: 'START_PAYMENT' as const, reservationId: id, attempt: planned, window, ifVersion };
    // A repeated request gets the answer of the first one, or the payment attempt that the first one left open.
    const reply: Reply<CommandResults['START_PAYMENT'] | Paid> = await send(
      services,
      caller,
      to,
      command,
      claim(key, planned.paymentId),
    );
    const { result } = reply;
    if ('payment' in result) return { ...reply, result };
    return chargeAttempt(services, caller, to, { ...result, cardToken: card }, claim(key, result.attempt.paymentId));
  });
}

/** @throws DomainError PAYMENT_METHOD_REQUIRED */
async function cardOnFile(
  { sealed, reservations }: Services,
  tenantId: TenantId,
  reservationId: ReservationId,
): Promise<string> {
  const card = (await reservations.get(tenantId, reservationId))?.reservation.billing?.card;
  if (card === undefined) throw new DomainError('PAYMENT_METHOD_REQUIRED', 'There is no card on file.');
  return sealed.open(card, reservationId);
}
