import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import { decimalText, type Minor } from '../../../src/kernel/rules/money.ts';
import { isAwaited } from '../../../src/money/rules/charges.ts';
import { balanceIn, openIn } from '../../../src/money/rules/due.ts';
import { isPayable } from '../../../src/money/rules/exchange-rate.ts';
import { accountWindow, windowOfPayment } from '../../../src/money/rules/folio-window.ts';
import { billOf } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { nightsAreOver } from '../../../src/stay/rules/arrival.ts';
import { amountDue } from '../../../src/stay/rules/collecting.ts';
import { HOLD_GUARD_MS } from '../../../src/stay/rules/hold.ts';
import { allows } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, expireReservation, loaded } from '../stay/cancel.ts';
import { finishCheckOut } from '../stay/check-out.ts';
import { completePayment, settled } from '../stay/confirm.ts';
import { checkAction, transition } from '../stay/transition.ts';
import { endCollecting, isCollecting } from './collect.ts';
import { checkWindows } from './folio.ts';
import { putPayments } from './put-payments.ts';
import { refundOf } from './refunds.ts';

/**
 * Records a payment attempt (docs/concepts/money.md#payments) for the whole amount due, or the requested part. The
 * amount of other pending attempts is not charged twice.
 * @throws DomainError INVALID_STATE where nothing is due; VALIDATION_FAILED for more than is due, a window without a
 * payer, and method INVOICE without an account; PAYMENT_METHOD_REQUIRED for a card on file in the window SHARER
 */
export function decideStartPayment(
  draft: Draft,
  command: CommandOf<'START_PAYMENT'>,
  context: DecisionContext,
): Decision<'START_PAYMENT'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  if (!owesClaim(before)) checkAction(before, 'receivePayment');
  const { window } = command;
  if (window) checkWindows(before, [[window, '/window']]);
  checkAccount(before, command.attempt);
  const paying = window ?? windowOfPayment(before, command.attempt);
  if (paying === 'SHARER' && command.attempt.method === 'CARD_ON_FILE') throw noCard();
  const balance = balanceIn(before, paying, draft.today);
  const due = openIn(before, paying, draft.today);
  if (command.noRate !== undefined) throw new DomainError('CURRENCY_MISMATCH', command.noRate);
  const { amount, ...attempted } = amountOf(command.attempt, due);
  if (balance <= 0) throw new DomainError('INVALID_STATE', 'Nothing is due.');
  if (before.leaving || due <= 0) throw new DomainError('INVALID_STATE', 'What is due is being paid already.');
  if (amount > due) {
    const detail = `at most ${decimalText(due)} is due`;
    throw new DomainError('VALIDATION_FAILED', 'More than what is due.', {
      errors: [{ pointer: '/amount', code: 'MORE_THAN_DUE', detail }],
    });
  }
  const attempt: Payment = { ...command.attempt, ...attempted, amount, createdAt: context.now };
  const paymentWindows = { ...before.paymentWindows, [attempt.paymentId]: window! };
  const next = putPayments(draft, window === undefined ? before : { ...before, paymentWindows }, attempt);
  draft.created.add(attempt.paymentId);
  return { result: { reservation: next, attempt }, entity: next.id, facts: {} };
}

/**
 * What an attempt is to pay. Of cash in another currency more than what is due is given back at once, as change in the
 * currency of the property; a transfer has no till to give change from.
 * @throws DomainError VALIDATION_FAILED for an amount that comes to nothing, or to more than can be stored
 */
function amountOf({ amount, method, tendered }: Payment, due: Minor): Pick<Payment, 'amount' | 'tendered'> {
  if (!tendered) return { amount: amount || due };
  if (!isPayable(amount)) {
    const detail = `comes to ${decimalText(amount)} at the rate of ${tendered.rate}`;
    throw new DomainError('VALIDATION_FAILED', 'This cannot be paid.', {
      errors: [{ pointer: '/amount', code: 'OUT_OF_RANGE', detail }],
    });
  }
  const change = method === 'CASH' ? Math.max(0, amount - due) : 0;
  return change > 0 ? { amount: due, tendered: { ...tendered, change } } : { amount };
}

/** The card on file is that of who has booked (docs/reference/sharers.md#payment). */
const noCard = (): DomainError =>
  new DomainError('PAYMENT_METHOD_REQUIRED', 'The sharer has no card on file: take the payment in another way.');

/** Checks that a payment by invoice has an account to go to. @throws DomainError VALIDATION_FAILED */
function checkAccount(before: Reservation, { method }: Payment): void {
  if (method !== 'INVOICE' || accountWindow(before) !== undefined) return;
  const errors = [{ pointer: '/method', code: 'NO_ACCOUNT', detail: 'the stay names no company to invoice' }];
  throw new DomainError('VALIDATION_FAILED', 'The stay has no account.', { errors });
}

/**
 * Records the result of a payment attempt. A success confirms a PENDING reservation once its deposit is paid, and
 * completes a check-out that waited for it. Money for a reservation that is over, or whose payment was abandoned, is
 * refunded.
 */
export function decideEndPayment(
  draft: Draft,
  command: CommandOf<'END_PAYMENT'>,
  context: DecisionContext,
): Decision<'END_PAYMENT'> {
  const before = loaded(draft, command.reservationId);
  const { payment, refundId, card } = command;
  const known = before.payments.find(({ paymentId, type }) => paymentId === payment.paymentId && type === 'CHARGE');
  if (!known) throw new DomainError('HOLD_NOT_FOUND', 'The reservation has no such payment.');
  const answer = (next: Reservation, event?: Ended, more?: Facts): Decision<'END_PAYMENT'> => ({
    result: { reservation: next, payment: next.payments.find((one) => one.paymentId === payment.paymentId)! },
    entity: next.id,
    facts: event ? { bookings: [factOf(event, next)], ...more } : {},
  });
  const isOpen = isAwaited(known) || known.status === 'PROCESSING';
  const came = payment.status === 'COMPLETED';
  if (known.status === 'COMPLETED' || (!isOpen && !came))
    return { ...answer(before), ...(context.key === undefined && { dryRun: true as const }) };
  const ended: Payment = { ...known, ...payment, type: 'CHARGE', amount: known.amount };
  if (isCollecting(before, known))
    return answer(endCollecting(draft, before, ended, context), came ? 'PAID' : undefined);
  // The awaited payment may still succeed later; this attempt failed.
  if (!came) {
    const failed = isInstalment(draft, before, ended, context) ? 'PAYMENT_FAILED' : undefined;
    return answer(missed(draft, before, isAwaited(known) ? known : ended, context), failed);
  }
  const action = allows(before.status, 'receivePayment') ? 'receivePayment' : paysClaim(before, ended);
  if (!isOpen || !action) return answer(tooLate(draft, before, ended, refundId, context));
  if (before.status === 'PENDING' && cameTooLate(draft, before, context))
    return answer(tooLate(draft, expireReservation(draft, before, context), ended, refundId, context), 'EXPIRED');
  const why = { at: context.now, by: context.subject };
  const paid = transition(draft, putPayments(draft, before, ended), action, why, {
    paid: before.paid + ended.amount,
    ...(card && { billing: { ...before.billing, card } }),
  });
  if (paid.leaving?.paymentId === payment.paymentId) {
    const { next, room } = finishCheckOut(draft, paid, context);
    return answer(next, 'CHECKED_OUT', room);
  }
  const next = settled(draft, paid, context);
  completePayment(draft, paid, next, context);
  return answer(next, next.status === paid.status ? 'PAID' : 'CONFIRMED');
}

/** Whether an unpaid reservation has lost its rooms, or all of its nights have passed. */
export function cameTooLate(draft: Draft, { id, stay }: Reservation, { now }: DecisionContext): boolean {
  const hold = draft.holds.get(id);
  return nightsAreOver(stay, draft.today) || (hold !== undefined && now > hold.expiresAt - HOLD_GUARD_MS);
}

/** Whether a stay that did not take place owes what was charged back of its penalty. */
function owesClaim(before: Reservation): boolean {
  return allows(before.status, 'payClaim') && billOf(before).balance > 0;
}

/** Whether a payment pays the claim: one that began before the cancellation was for the stay, not for the penalty. */
function paysClaim(before: Reservation, { amount, createdAt }: Payment): 'payClaim' | undefined {
  const isFor = owesClaim(before) && createdAt >= before.cancellation!.cancelledAt;
  return isFor && amount <= billOf(before).balance ? 'payClaim' : undefined;
}

/** Effect of a completed payment on its reservation. */
type Ended = 'PAID' | 'CONFIRMED' | 'CHECKED_OUT' | 'EXPIRED' | 'PAYMENT_FAILED';

/** Whether a declined charge is an instalment that was collected without the guest, who does not know of it yet. */
function isInstalment(
  { property, today }: Draft,
  before: Reservation,
  { method, status }: Payment,
  { now, subject }: DecisionContext,
): boolean {
  if (subject !== 'system' || method !== 'CARD_ON_FILE' || status !== 'FAILED') return false;
  return amountDue(before, property!.metadata, { today, now })?.of === 'INSTALMENT';
}

/** Refunds a payment that came too late, in full. */
function tooLate(
  draft: Draft,
  before: Reservation,
  charge: Payment,
  refundId: string,
  { now }: DecisionContext,
): Reservation {
  return putPayments(draft, before, charge, refundOf(refundId, { charge, amount: charge.amount }, now));
}

function missed(
  draft: Draft,
  before: Reservation,
  payment: Payment,
  { now: at, subject: by }: DecisionContext,
): Reservation {
  const next = putPayments(draft, before, payment);
  if (!allows(before.status, 'missPayment')) return next;
  const isLeaving = next.leaving?.paymentId === payment.paymentId;
  // An attempt that never reached the provider is no try: nobody has failed to pay.
  if (payment.status === 'CANCELLED' && !isLeaving) return next;
  const leaving = isLeaving ? undefined : next.leaving;
  return transition(draft, next, 'missPayment', { at, by }, { leaving });
}
