import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, KeyClaim, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { HoldId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { type Charge, chargeSaid, type Payment, type PaymentMethod } from '../rules/payment.ts';

export type PaidBy = { method: PaymentMethod; cardToken: string };
type By = Pick<Caller, 'subject' | 'requestId'>;

/**
 * Steps two and three of a paid create: charges outside the actor, then confirms or releases. The attempt's id is the
 * gateway's key, so the card is charged once however often this runs.
 * @throws DomainError PAYMENT_DECLINED with the rooms free again; PARTNER_UNAVAILABLE when the gateway did not answer:
 * the hold stays, and the same key or the reconciler ends it
 */
export async function pay(
  services: Services,
  by: By,
  to: Address,
  { holdId, reservation, attempt }: CommandResults['START_BOOKING'],
  { method, cardToken }: PaidBy,
  key?: KeyClaim,
): Promise<Reply<{ reservation: Reservation }>> {
  const { amount, paymentId: attemptId } = attempt;
  const { currency } = reservation;
  const charge =
    amount === 0
      ? { outcome: 'CHARGED' as const, transactionId: attemptId, processedAt: services.clock.now() }
      : await paymentGatewayOf(services, to).charge({ attemptId, amount, currency, cardToken });
  return finish(services, by, to, {
    holdId,
    reservationId: reservation.id,
    attempt: { ...attempt, method },
    currency,
    charge,
    key,
  });
}

type Finish = {
  holdId: HoldId;
  reservationId: ReservationId;
  attempt: Payment;
  currency: string;
  charge: Charge;
  key?: KeyClaim;
};

/** Step three, for an attempt result from any source. */
export async function finish(
  services: Services,
  by: By,
  to: Address,
  end: Finish,
): Promise<Reply<{ reservation: Reservation }>> {
  const { holdId, attempt, charge, key } = end;
  const payment = chargeSaid(attempt, paymentGatewayOf(services, to).name, charge);
  if (charge.outcome === 'DECLINED') {
    const detail = `The payment was declined: ${charge.reason}.`;
    const command = { type: 'ABANDON_BOOKING' as const, holdId, payment, refusal: { detail } };
    const reply = await sendAlways(services, by, to, command, key).catch(unlessEnded);
    throw new DomainError('PAYMENT_DECLINED', detail, { seq: reply?.seq });
  }
  try {
    return await sendAlways(services, by, to, { type: 'CONFIRM_BOOKING', holdId, payment }, key);
  } catch (error) {
    if (!(error instanceof DomainError) || !isTooLate(error)) throw error;
    // The reconciler or a repeated request may have been first: then the booking stands and the money is not refunded.
    const booked = await services.reservations.get(to.tenantId, end.reservationId);
    if (booked) return { seq: booked.seq, result: { reservation: booked.reservation }, replayed: true };
    await giveMoneyBack(services, by, to, { ...end, attempt: payment });
    throw error;
  }
}

/** The rooms are gone, or the channel has booked them by another request. */
const isTooLate = ({ code, details }: DomainError): boolean =>
  code === 'HOLD_EXPIRED' || details.extra?.reason === 'external-id-taken';

/** Refunds a charge whose rooms are gone; the hold stays LATE until the gateway confirms the refund. */
export async function giveMoneyBack(
  services: Services,
  by: By,
  to: Address,
  { holdId, attempt, currency, key }: Omit<Finish, 'charge' | 'reservationId'>,
): Promise<void> {
  const { paymentId, amount } = attempt;
  await paymentGatewayOf(services, to).refund({
    refundId: `refund-${paymentId}`,
    attemptId: paymentId,
    amount,
    currency,
  });
  const payment: Payment = { ...attempt, status: 'REFUNDED', processedAt: services.clock.now() };
  await sendAlways(services, by, to, { type: 'ABANDON_BOOKING', holdId, payment }, key).catch(unlessEnded);
}

function unlessEnded(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.code !== 'HOLD_NOT_FOUND') throw error;
}
