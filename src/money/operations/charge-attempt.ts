import { v7 as uuidv7 } from 'uuid';

import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, KeyClaim, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { type Charge, chargeSaid, type Payment } from '../rules/payment.ts';
import { sendRefundsSoon } from './send-refunds.ts';

type By = Pick<Caller, 'subject' | 'requestId'>;
type Ended = Reply<CommandResults['END_PAYMENT']>;

/** A recorded payment attempt; one without a card was paid at the front desk. */
type Attempted = { reservation: Reservation; attempt: Payment; cardToken?: string };

/**
 * Charges a recorded attempt and ends it with its idempotency key (docs/concepts/money.md#payments, steps two and
 * three). The attempt's id is the gateway's key, so the card is charged once however often this runs. An attempt that
 * the reconciler has ended meanwhile is not charged.
 * @throws DomainError PAYMENT_DECLINED; PARTNER_UNAVAILABLE when the gateway did not answer: the same key or the
 * reconciler ends it
 */
export async function chargeAttempt(
  services: Services,
  by: By,
  to: Address,
  { reservation, attempt, cardToken }: Attempted,
  key?: KeyClaim,
): Promise<Ended> {
  const { id } = reservation;
  const { paymentId: attemptId, amount, status } = attempt;
  if (status === 'COMPLETED') return endAttempt(services, by, to, id, attempt, { key });
  if (status !== 'PROCESSING') return givenUp(services, by, to, { reservation, attempt }, key);
  if (cardToken === undefined)
    return endAttempt(services, by, to, id, { ...attempt, ...atTheDesk(services) }, { key });
  const charge = await paymentGatewayOf(services, to).charge({
    attemptId,
    amount,
    currency: reservation.currency,
    cardToken,
  });
  if (charge.outcome === 'DECLINED') return declined(services, by, to, { reservation, attempt }, charge, key);
  const payment = chargeSaid(attempt, paymentGatewayOf(services, to).name, charge);
  return endAttempt(services, by, to, id, payment, { key, card: services.sealed.seal(cardToken, id) });
}

const atTheDesk = ({ clock }: Services) => ({ status: 'COMPLETED' as const, processedAt: clock.now() });

/** When a repeated request finds its attempt declined or never received by the provider, a new attempt may begin. */
async function givenUp(services: Services, by: By, to: Address, of: Attempted, key?: KeyClaim): Promise<never> {
  const charge = await paymentGatewayOf(services, to).find(of.attempt.paymentId);
  if (charge?.outcome === 'DECLINED') return declined(services, by, to, of, charge, key);
  await endAttempt(services, by, to, of.reservation.id, { ...of.attempt, status: 'FAILED' }, { key });
  throw new DomainError('NOT_EXECUTED', 'The payment did not reach the provider.', { retryAfterSeconds: 1 });
}

async function declined(
  services: Services,
  by: By,
  to: Address,
  { reservation, attempt }: Attempted,
  charge: Extract<Charge, { outcome: 'DECLINED' }>,
  key?: KeyClaim,
): Promise<never> {
  const detail = `The payment was declined: ${charge.reason}.`;
  const payment = chargeSaid(attempt, paymentGatewayOf(services, to).name, charge);
  const { seq } = await endAttempt(services, by, to, reservation.id, payment, { key, refusal: { detail } });
  throw new DomainError('PAYMENT_DECLINED', detail, { seq });
}

/** Records the result of an attempt with the property and sends a refund if one is needed. */
export async function endAttempt(
  services: Services,
  by: By,
  to: Address,
  reservationId: ReservationId,
  payment: Payment,
  { key, ...also }: { key?: KeyClaim } & Pick<CommandOf<'END_PAYMENT'>, 'card' | 'refusal'> = {},
): Promise<Ended> {
  const command = { type: 'END_PAYMENT' as const, reservationId, payment, refundId: uuidv7(), ...also };
  const reply = await sendAlways(services, by, to, command, key);
  sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}
