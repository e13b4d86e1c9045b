import { leftOf } from '../../src/domain/charges.ts';
import type { GiveRefund } from '../../src/domain/payment-commands.ts';
import { CREDIT, folioTotals } from '../../src/domain/folio.ts';
import type { Minor } from '../../src/domain/money.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Cancellation, Reservation } from '../../src/domain/reservation.ts';
import { isUnfinished } from '../../src/domain/reservation-states.ts';
import { checkVersion, loaded } from './cancel.ts';
import type { Decision, Turn } from './decide.ts';
import type { Draft } from './draft.ts';
import { factOf } from './facts.ts';
import { orderRefunds } from './refunds.ts';
import { checkAction, transition } from './transition.ts';

/**
 * Gives back what was paid, whole or in part, in any state and never more than was paid. Of a stay that is over, what is
 * given back beyond a credit becomes a credit line: it leaves no debt. Of one that is open it is owed again, unless it
 * is good will, which is a credit line too.
 * @throws Refusal INVALID_STATE while it is being checked out, PAYMENT_NOT_FOUND, REFUND_EXCEEDS_PAID
 */
export function giveRefund(draft: Draft, command: GiveRefund, turn: Turn): Decision<'GIVE_REFUND'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'giveRefund');
  if (before.leaving) throw new Refusal('INVALID_STATE', 'The stay is being checked out.');
  const { amount, refundId, reason, by } = command;
  checkPaid(before, command);
  const credit = creditOf(before, command);
  const { total } = folioTotals(before);
  if (credit > total) throw mayGiveBack(total, 'of good will, which is all that the stay costs');
  const refunds = orderRefunds(draft, before, refundId, amount, turn.now, command.paymentId);
  const line = { description: 'Goodwill', amount: -credit, day: draft.today, code: CREDIT };
  const next = transition(
    draft,
    before,
    'giveRefund',
    { at: turn.now, by, notes: reason },
    {
      paid: before.paid - amount,
      payments: [...before.payments, ...refunds],
      ...(credit > 0 && { charges: [...(before.charges ?? []), line] }),
      ...(before.cancellation && { cancellation: endedWith(before.cancellation, amount, refundId) }),
    },
  );
  return {
    result: { reservation: next, refunds, credit },
    entity: next.id,
    facts: { bookings: [factOf('REFUNDED', next)] },
  };
}

function checkPaid({ payments, paid }: Reservation, { amount, paymentId }: GiveRefund): void {
  if (amount > paid) throw mayGiveBack(paid, 'was paid and not given back yet');
  if (paymentId === undefined) return;
  const charge = payments.find((one) => one.paymentId === paymentId && one.type === 'CHARGE');
  if (!charge) throw new Refusal('PAYMENT_NOT_FOUND', 'The reservation has no such payment.');
  const left = leftOf(charge, payments);
  if (amount > left) throw mayGiveBack(left, 'of this payment is left');
}

const mayGiveBack = (most: Minor, of: string): Refusal =>
  new Refusal('REFUND_EXCEEDS_PAID', `At most ${(most / 100).toFixed(2)} ${of}.`);

/** What the stay costs less for it. */
function creditOf(before: Reservation, { amount, goodwill }: GiveRefund): Minor {
  if (isUnfinished(before.status)) return goodwill ? amount : 0;
  const tooMuch = Math.max(0, before.paid - folioTotals(before).total);
  return Math.max(0, amount - tooMuch);
}

function endedWith(ending: Cancellation, amount: Minor, refundId: string): Cancellation {
  return { ...ending, refund: ending.refund + amount, refundId: ending.refundId ?? refundId };
}
