import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText, type Minor } from '../../../src/kernel/rules/money.ts';
import { leftOf } from '../../../src/money/rules/charges.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { creditLines } from '../../../src/stay/rules/credit.ts';
import { isUnfinished } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { storeSettled } from '../stay/confirm.ts';
import { checkAction, transition } from '../stay/transition.ts';
import { endedAfter, orderRefunds } from './refunds.ts';

/**
 * Refunds what was paid, in full or in part, in any state, and never more than was paid. A refund leaves no debt of a
 * stay that is over: beyond an overpayment, a stay that took place is credited, and the penalty of one that did not is
 * waived. For an open stay the amount is owed again, unless the refund is goodwill, which is credited too.
 * @throws DomainError INVALID_STATE during check-out, PAYMENT_NOT_FOUND, REFUND_EXCEEDS_PAID
 */
export function decideGiveRefund(
  draft: Draft,
  command: CommandOf<'GIVE_REFUND'>,
  context: DecisionContext,
): Decision<'GIVE_REFUND'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'giveRefund');
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out.');
  const { amount, refundId, reason, by } = command;
  checkPaid(before, command);
  const { total } = folioTotals(before);
  const credit = creditOf(before, total, command);
  if (credit > total) throw mayGiveBack(total, 'of good will, which is all that the stay costs');
  const refunds = orderRefunds(draft, before, { refundId, amount, chargeId: command.paymentId }, context.now);
  const refunded = transition(
    draft,
    before,
    'giveRefund',
    { at: context.now, by, notes: reason },
    {
      paid: before.paid - amount,
      payments: [...before.payments, ...refunds],
      ...(before.cancellation
        ? endedAfter(before, { refund: amount, waived: credit, refundId }, draft.today)
        : credited(draft, before, refunds, credit)),
    },
  );
  const next = storeSettled(draft, refunded, refunded, context);
  return {
    result: { reservation: next, refunds, credit },
    entity: next.id,
    facts: { bookings: [factOf('REFUNDED', next)] },
  };
}

function checkPaid({ payments, paid }: Reservation, { amount, paymentId }: CommandOf<'GIVE_REFUND'>): void {
  if (amount > paid) throw mayGiveBack(paid, 'was paid and not given back yet');
  if (paymentId === undefined) return;
  const charge = payments.find((one) => one.paymentId === paymentId && one.type === 'CHARGE');
  if (!charge) throw new DomainError('PAYMENT_NOT_FOUND', 'The reservation has no such payment.');
  const left = leftOf(charge, payments);
  if (amount > left) throw mayGiveBack(left, 'of this payment is left');
}

const mayGiveBack = (most: Minor, of: string): DomainError =>
  new DomainError('REFUND_EXCEEDS_PAID', `At most ${decimalText(most)} ${of}.`);

/** The credit that reduces the cost of the stay by the refund. */
function creditOf(
  { status, paid }: Reservation,
  total: Minor,
  { amount, goodwill }: CommandOf<'GIVE_REFUND'>,
): Minor {
  if (isUnfinished(status)) return goodwill ? amount : 0;
  const tooMuch = Math.max(0, paid - total);
  return Math.max(0, amount - tooMuch);
}

/**
 * The lines by which a stay that took place, or is to, costs less.
 * @param refunds rows whose windows are credited
 */
export function credited(
  { today }: Draft,
  before: Reservation,
  refunds: readonly Payment[],
  credit: Minor,
  description?: string,
): Partial<Reservation> {
  if (credit === 0) return {};
  const lines = creditLines(before, refunds, credit, today, description);
  return { charges: [...(before.charges ?? []), ...lines] };
}
