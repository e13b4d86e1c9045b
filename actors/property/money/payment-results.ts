import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { negated } from '../../../src/kernel/rules/money.ts';
import { isAwaited, underWay } from '../../../src/money/rules/charges.ts';
import { billOf } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { allows } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { loaded } from '../stay/cancel.ts';
import { endPayment } from './payments.ts';
import { putPayments } from './put-payments.ts';
import { derivedId, orderRefunds } from './refunds.ts';

type Decided = Decision<'TAKE_PAYMENT_RESULT'>;

/**
 * Takes an external result of a payment that is waited for (docs/concepts/events.md#payments-from-events). All
 * of it ends that payment; a part, or what comes when it is waited for no more, is a charge of its own, and what is not
 * due goes back. What has ended does not change again, and attempts that we charge ourselves are ended by the answer of
 * their provider.
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
  const { facts, entity } = endPayment(draft, endOf(command, payment), context);
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

/** It may still be paid: once it was not. */
function failed(
  draft: Draft,
  command: CommandOf<'TAKE_PAYMENT_RESULT'>,
  known: Payment,
  context: DecisionContext,
): Decided {
  const { result, ...decision } = endPayment(draft, endOf(command, { ...known, status: 'FAILED' }), context);
  return { ...decision, result: { taken: true, status: result.reservation.status } };
}

/**
 * The payment itself where this is all that it stands for, else a charge of its own; none for what was taken before.
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
  // Of what is over nothing else will come: its payment says that the money came, and went back.
  if (isAwaited(known) ? amount >= known.amount : !allows(status, 'receivePayment')) return { ...known, amount };
  return { ...known, paymentId: own, amount, status: 'PROCESSING', createdAt };
}

/** More than what was due goes back at once; what attempts under way may bring is not counted before it is there. */
function giveBackExcess(
  draft: Draft,
  { reservationId, refundId }: CommandOf<'TAKE_PAYMENT_RESULT'>,
  { now }: DecisionContext,
): void {
  const paid = loaded(draft, reservationId);
  const excess = negated(billOf(paid).balance);
  if (excess <= 0 || !allows(paid.status, 'receivePayment') || underWay(paid.payments) > 0) return;
  const refunds = orderRefunds(draft, paid, derivedId(refundId, 'excess'), excess, now);
  const payments = [...paid.payments, ...refunds];
  draft.reservations.set(paid.id, { ...paid, paid: paid.paid - excess, payments, version: paid.version + 1 });
}
