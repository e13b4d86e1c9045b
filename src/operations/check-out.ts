import { v7 as uuidv7 } from 'uuid';

import type { CheckOutBody } from '../contracts/reservations.ts';
import type { Caller } from '../domain/caller.ts';
import type { Reply } from '../domain/commands.ts';
import type { Payment, Reservation } from '../domain/reservation.ts';
import { chargeAttempt } from './charge-attempt.ts';
import { priceCharges } from './price-charges.ts';
import { addressOf } from './reservation-address.ts';
import { sendRefundsOf } from './send-refunds.ts';
import { send } from './send.ts';
import type { Services } from './services.ts';

export type CheckedOut = { reservation: Reservation; payment?: Payment };

/**
 * The guest leaves (specification 4.2, `checkout`). What is due is charged to the card on file first; declined, he is
 * still there. A check-out whose answer was lost has ended when it is asked for again.
 * @throws Refusal PAYMENT_METHOD_REQUIRED, PAYMENT_DECLINED, INVALID_STATE, VALIDATION_FAILED for an unknown code
 */
export async function checkOut(
  services: Services,
  caller: Caller,
  id: string,
  body: CheckOutBody,
  { ifVersion, forced = false }: { ifVersion?: number; forced?: boolean } = {},
): Promise<Reply<CheckedOut>> {
  const to = await addressOf(services, caller, id);
  const { finalCharges, checkOutTime, ...record } = body;
  const charges = await priceCharges(services, to, finalCharges);
  const reply = await send(services, caller, to, {
    ...{ type: 'CHECK_OUT', reservationId: id, checkOutId: uuidv7(), paymentId: uuidv7(), refundId: uuidv7() },
    ...{ ...record, at: checkOutTime ?? services.clock.now(), charges, forced, ifVersion },
  });
  const { reservation, attempt } = reply.result;
  if (!attempt) {
    sendRefundsOf(services, to, reservation).catch((error: unknown) =>
      services.log.warn({ reservationId: id, error: String(error) }, 'refund will be sent again'),
    );
    return { ...reply, result: { reservation } };
  }
  const cardToken = services.sealed.open(reservation.billing!.card!, reservation.id);
  const paid = await chargeAttempt(services, caller, to, { reservation, attempt, cardToken });
  return { ...paid, result: paid.result };
}
