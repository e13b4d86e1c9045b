import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { underWay } from '../../../src/money/rules/charges.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { amountDue, lastFailedAt } from '../../../src/stay/rules/collecting.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { decideCancel, loaded } from '../stay/cancel.ts';
import { transition } from '../stay/transition.ts';
import { putPayments } from './put-payments.ts';

type Charging = Decision<'CHARGE_DUE'>;

/**
 * Starts a charge of the card on file: a due instalment, or the penalty of a stay that is over; once a day, three
 * times at most (docs/concepts/money.md#charged-later). A stay whose instalment stays unpaid is cancelled by its
 * terms. Changes nothing when nothing is due.
 */
export function decideChargeDue(draft: Draft, command: CommandOf<'CHARGE_DUE'>, context: DecisionContext): Charging {
  const before = loaded(draft, command.reservationId);
  const nothing: Charging = { result: { reservation: before }, entity: before.id, facts: {}, dryRun: true };
  if (underWay(before.payments) > 0) return nothing;
  const due = amountDue(before, draft.property!.metadata, { today: draft.today, now: context.now });
  if (!due) return nothing;
  if (due.triesLeft === 0) return due.of === 'INSTALMENT' ? unpaid(draft, before, command, context) : nothing;
  if (due.hasFailedToday) return nothing;
  const wanted = { ...command, amount: due.amount };
  return due.of === 'PENALTY'
    ? chargePenalty(draft, before, wanted, context)
    : chargeInstalment(draft, before, wanted, context);
}

type Due = CommandOf<'CHARGE_DUE'> & { amount: Minor };

function attemptOf({ paymentId, amount }: Due, { now: createdAt }: DecisionContext): Payment {
  return { paymentId, type: 'CHARGE', amount, method: 'CARD_ON_FILE', status: 'PROCESSING', createdAt };
}

function chargePenalty(draft: Draft, before: Reservation, due: Due, context: DecisionContext): Charging {
  const attempt = attemptOf(due, context);
  const owed = { amount: due.amount, paymentId: due.paymentId };
  return started(draft, { ...before, cancellation: { ...before.cancellation!, owed } }, attempt);
}

/** Without a card the instalment has failed already. The guest may still pay in another way. */
function chargeInstalment(draft: Draft, before: Reservation, due: Due, context: DecisionContext): Charging {
  const attempt: Payment = { ...attemptOf(due, context), isInstalment: true };
  if (before.billing?.card !== undefined) return started(draft, before, attempt);
  const failed: Payment = { ...attempt, method: null, status: 'FAILED' };
  draft.created.add(failed.paymentId);
  const { now: at, subject: by } = context;
  const next = transition(draft, putPayments(draft, before, failed), 'missPayment', { at, by });
  return {
    result: { reservation: next },
    entity: next.id,
    facts: { bookings: [factOf('PAYMENT_FAILED', next)] },
  };
}

function started(draft: Draft, before: Reservation, attempt: Payment): Charging {
  const next = putPayments(draft, before, attempt);
  draft.created.add(attempt.paymentId);
  return { result: { reservation: next, attempt }, entity: next.id, facts: {} };
}

/**
 * Cancels a stay whose instalment was not paid for days. Its terms at the time of the last failure say which penalty
 * applies, however late it is cancelled.
 */
function unpaid(
  draft: Draft,
  before: Reservation,
  { cancellationId, refundId }: CommandOf<'CHARGE_DUE'>,
  context: DecisionContext,
): Charging {
  const ending = { reason: 'NO_PAYMENT' as const, cancelledBy: 'system', refundRequested: true };
  const ids = { reservationId: before.id, cancellationId, refundId };
  return decideCancel(draft, { type: 'CANCEL', ...ids, ...ending }, context, lastFailedAt(before));
}
