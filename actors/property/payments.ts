import type { EndPayment, StartPayment } from '../../src/domain/commands.ts';
import { billOf, folioTotals } from '../../src/domain/folio.ts';
import { percentOf } from '../../src/domain/money.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Payment, Reservation } from '../../src/domain/reservation.ts';
import { guestName, releaseHold } from './booking.ts';
import { checkVersion, loaded, orderRefund } from './cancel.ts';
import { finishCheckOut } from './check-out.ts';
import type { Decision, Turn } from './decide.ts';
import type { Draft } from './draft.ts';
import { factOf } from './facts.ts';
import { moveNights } from './nights.ts';
import { checkAction, transition } from './transition.ts';

/**
 * Puts an attempt to pay on record (contracts.md 7, `POST /reservations/{id}/payments`): all that is due, or the part
 * that is asked for. It takes the place of the payment that a PENDING reservation waits for.
 */
export function startPayment(draft: Draft, command: StartPayment, turn: Turn): Decision<'START_PAYMENT'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'receivePayment');
  const { balance } = billOf(before);
  const amount = command.attempt.amount || balance;
  if (balance <= 0) throw new Refusal('INVALID_STATE', 'Nothing is due.');
  if (amount > balance) {
    const detail = `at most ${(balance / 100).toFixed(2)} is due`;
    throw new Refusal('VALIDATION_FAILED', 'More than what is due.', {
      errors: [{ pointer: '/amount', code: 'MORE_THAN_DUE', detail }],
    });
  }
  const attempt: Payment = { ...command.attempt, amount, createdAt: turn.now };
  const next = put(draft, before, attempt);
  draft.created.add(attempt.paymentId);
  return { result: { reservation: next, attempt }, entity: next.id, facts: {} };
}

/**
 * How an attempt ended. Money that comes confirms a PENDING reservation once its deposit is paid, and lets a guest go
 * who is checking out; money for what is over goes back.
 */
export function endPayment(draft: Draft, command: EndPayment, turn: Turn): Decision<'END_PAYMENT'> {
  const before = loaded(draft, command.reservationId);
  const { payment, refundId } = command;
  const known = before.payments.find(({ paymentId }) => paymentId === payment.paymentId);
  if (!known) throw new Refusal('HOLD_NOT_FOUND', 'The reservation has no such payment.');
  const answer = (next: Reservation, event?: 'PAID' | 'CONFIRMED' | 'CHECKED_OUT'): Decision<'END_PAYMENT'> => ({
    result: { reservation: next, payment: next.payments.find((one) => one.paymentId === payment.paymentId)! },
    entity: next.id,
    facts: event ? { bookings: [factOf(event, next)] } : {},
    guestName: guestName(next),
  });
  if (known.status !== 'PENDING' && known.status !== 'PROCESSING') return answer(before);
  const ended: Payment = { ...known, ...payment, amount: known.amount };
  if (ended.status !== 'COMPLETED') return answer(missed(draft, before, ended, turn));
  if (before.status === 'CANCELLED' || before.status === 'NO_SHOW' || before.status === 'CHECKED_OUT')
    return answer(
      put(
        draft,
        { ...before, payments: before.payments },
        ended,
        orderRefund(draft, before, refundId, ended.amount, turn.now),
      ),
    );
  const paid = transition(
    draft,
    put(draft, before, ended),
    'receivePayment',
    { at: turn.now, by: turn.subject },
    {
      paid: before.paid + ended.amount,
    },
  );
  if (paid.leaving?.paymentId === payment.paymentId) return answer(finishCheckOut(draft, paid, turn), 'CHECKED_OUT');
  return confirms(draft, paid) ? answer(confirmed(draft, paid, turn), 'CONFIRMED') : answer(paid, 'PAID');
}

function missed(draft: Draft, before: Reservation, payment: Payment, { now: at, subject: by }: Turn): Reservation {
  const next = put(draft, before, payment);
  const leaving = next.leaving?.paymentId === payment.paymentId ? undefined : next.leaving;
  return transition(draft, next, 'missPayment', { at, by }, { leaving });
}

/** Writes a payment into its reservation, in the place of the one with its id or behind the others. */
function put(draft: Draft, before: Reservation, ...payments: Payment[]): Reservation {
  const ids = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const kept = before.payments.map((one) => ids.get(one.paymentId) ?? one);
  const known = new Set(before.payments.map(({ paymentId }) => paymentId));
  const fresh = payments.filter(({ paymentId }) => !known.has(paymentId));
  const next = { ...before, payments: [...kept, ...fresh], version: before.version + 1 };
  draft.reservations.set(next.id, next);
  for (const payment of payments) draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
  return next;
}

function confirms({ property }: Draft, next: Reservation): boolean {
  if (next.status !== 'PENDING') return false;
  const { depositPercent, autoConfirmation } = property!.metadata.policies;
  return autoConfirmation && next.paid >= percentOf(folioTotals(next).total, depositPercent);
}

/** Held rooms become booked ones. */
function confirmed(draft: Draft, before: Reservation, { now: at, subject: by }: Turn): Reservation {
  const hold = draft.holds.get(before.id);
  if (hold) {
    releaseHold(draft, hold);
    moveNights(draft, before.stay, 'booked', 1);
  }
  // What was waited for has come, by whatever way.
  const waited = before.payments.filter(({ status }) => status === 'PENDING');
  const closed = put(draft, before, ...waited.map((payment) => ({ ...payment, status: 'CANCELLED' as const })));
  return transition(draft, closed, 'confirm', { at, by }, { holdExpiresAt: undefined });
}
