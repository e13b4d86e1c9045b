import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { negated } from '../../../src/kernel/rules/money.ts';
import { isAwaited, underWay } from '../../../src/money/rules/charges.ts';
import { billOf } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { allows } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { loaded } from '../stay/cancel.ts';
import { decideEndPayment } from './payments.ts';
import { putPayments } from './put-payments.ts';
import { orderRefunds } from './refunds.ts';

type Decided = Decision<'TAKE_PAYMENT_RESULT'>;

/**
 * Records the external result of an awaited payment (docs/concepts/events.md#payments-from-events). The full amount
 * completes that payment. A part of it, or a late payment, is recorded as a separate charge, and what is not due is
 * refunded. A final payment never changes again. Attempts that this service charges itself are completed by their
 * provider's answer.
 * @throws DomainError RESERVATION_NOT_FOUND, HOLD_NOT_FOUND without such a payment, CURRENCY_MISMATCH
 */
export function decideTakePaymentResult(
  draft: Draft,
  command: CommandOf<'TAKE_PAYMENT_RESULT'>,
  context: DecisionContext,
): Decided {
  const before = loaded(draft, command.reservationId);
  const known = before.payments.find(({ paymentId, type }) => paymentId === command.paymentId && type === 'CHARGE');
  if (!known) throw new DomainError('HOLD_NOT_FOUND', 'The reservation has no such payment.');
  if (command.currency !== before.currency)
    throw new DomainError('CURRENCY_MISMATCH', `The reservation is paid in ${before.currency}.`);
  if (command.status === 'FAILED') return isAwaited(known) ? failed(draft, command, known, context) : nothing(before);
  const charge = chargeFor(before, known, command, context);
  if (!charge) return nothing(before);
  if (charge.paymentId !== known.paymentId) draft.created.add(charge.paymentId);
  putPayments(draft, before, charge);
  const payment = { ...charge, status: 'COMPLETED' as const, processedAt: command.at };
  const { facts, entity } = decideEndPayment(draft, endOf(command, payment), context);
  giveBackExcess(draft, command, context);
  return { ...answerOf(loaded(draft, before.id), true), entity, facts };
}

const answerOf = ({ id, status }: Reservation, taken: boolean): Decided => ({
  result: { taken, status },
  entity: id,
  facts: {},
});

const nothing = (reservation: Reservation): Decided => ({ ...answerOf(reservation, false), dryRun: true });

function endOf({ reservationId, refundId }: CommandOf<'TAKE_PAYMENT_RESULT'>, payment: Payment) {
  return { type: 'END_PAYMENT' as const, reservationId, payment, refundId };
}

/** Records a failed payment; a later one may still succeed. */
function failed(
  draft: Draft,
  command: CommandOf<'TAKE_PAYMENT_RESULT'>,
  known: Payment,
  context: DecisionContext,
): Decided {
  const { result, ...decision } = decideEndPayment(draft, endOf(command, { ...known, status: 'FAILED' }), context);
  return { ...decision, result: { taken: true, status: result.reservation.status } };
}

/**
 * The charge for a result: the awaited payment itself when the amount covers it, otherwise a separate charge; none for
 * a result that is known already.
 */
function chargeFor(
  { status, payments }: Reservation,
  known: Payment,
  { paymentId, eventId, amount }: CommandOf<'TAKE_PAYMENT_RESULT'>,
  { now: createdAt }: DecisionContext,
): Payment | undefined {
  const ended = known.status === 'CANCELLED' || known.status === 'FAILED';
  if (!isAwaited(known) && !ended) return undefined;
  const own = derivedId(paymentId, eventId);
  if (payments.some((one) => one.paymentId === own)) return undefined;
  // For a stay that is over no other payment is expected, so its payment records both the money and its return.
  if (isAwaited(known) ? amount >= known.amount : !allows(status, 'receivePayment')) return { ...known, amount };
  return { ...known, paymentId: own, amount, status: 'PROCESSING', createdAt };
}

/** Refunds what exceeds the amount due. Pending attempts do not count before they are paid. */
function giveBackExcess(
  draft: Draft,
  { reservationId, refundId }: CommandOf<'TAKE_PAYMENT_RESULT'>,
  { now }: DecisionContext,
): void {
  const paid = loaded(draft, reservationId);
  const excess = negated(billOf(paid).balance);
  if (excess <= 0 || !allows(paid.status, 'receivePayment') || underWay(paid.payments) > 0) return;
  const refunds = orderRefunds(draft, paid, { refundId: derivedId(refundId, 'excess'), amount: excess }, now);
  const payments = [...paid.payments, ...refunds];
  draft.reservations.set(paid.id, { ...paid, paid: paid.paid - excess, payments, version: paid.version + 1 });
}
