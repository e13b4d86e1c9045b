import { v7 as uuidv7 } from 'uuid';

import type { Address, Caller } from '../domain/caller.ts';
import type { CommandResults, KeyClaim, Reply } from '../domain/commands.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Payment, Reservation } from '../domain/reservation.ts';
import { sendRefundsOf } from './send-refunds.ts';
import { sendAlways } from './send.ts';
import type { Services } from './services.ts';

/**
 * Charges an attempt that is on record, and ends it (architecture.md 3, steps two and three). The attempt's id is the
 * gateway's key, so that however often this runs, the card is charged once.
 * @throws Refusal PAYMENT_DECLINED; PARTNER_UNAVAILABLE when the gateway did not answer: the reconciler ends it
 */
export async function chargeAttempt(
  services: Services,
  by: Pick<Caller, 'subject' | 'requestId'>,
  to: Address,
  { reservation, attempt, cardToken }: { reservation: Reservation; attempt: Payment; cardToken: string },
  key?: KeyClaim,
): Promise<Reply<CommandResults['END_PAYMENT']>> {
  const { paymentId: attemptId, amount } = attempt;
  const { currency, id: reservationId } = reservation;
  const charge = await services.payments.charge({ attemptId, amount, currency, cardToken });
  if (charge.outcome === 'CHARGED') {
    const { transactionId, processedAt } = charge;
    return endAttempt(
      services,
      by,
      to,
      reservationId,
      { ...attempt, status: 'COMPLETED', transactionId, processedAt },
      key,
    );
  }
  const failed = await endAttempt(services, by, to, reservationId, { ...attempt, status: 'FAILED' });
  throw new Refusal('PAYMENT_DECLINED', `The payment was declined: ${charge.reason}.`, { seq: failed.seq });
}

/** Tells the property how an attempt ended, and sends what has to go back. */
export async function endAttempt(
  services: Services,
  by: Pick<Caller, 'subject' | 'requestId'>,
  to: Address,
  reservationId: string,
  payment: Payment,
  key?: KeyClaim,
): Promise<Reply<CommandResults['END_PAYMENT']>> {
  const command = { type: 'END_PAYMENT' as const, reservationId, payment, refundId: uuidv7() };
  const reply = await sendAlways(services, by, to, command, key);
  sendRefundsOf(services, to, reply.result.reservation).catch((error: unknown) =>
    services.log.warn({ reservationId, error: String(error) }, 'refund will be sent again'),
  );
  return reply;
}
