import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf, percentOf } from '../../../src/kernel/rules/money.ts';
import { isAwaited } from '../../../src/money/rules/charges.ts';
import { billOf, folioTotals } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { moveNights } from '../nights.ts';
import { decideReleaseHold } from './booking.ts';
import { checkVersion, loaded } from './cancel.ts';
import { checkAction, record } from './transition.ts';

/**
 * Somebody confirms what is paid (docs/reference/reservations.md#states), where that is not done by itself.
 * @throws DomainError INVALID_STATE, also while the deposit is not paid
 */
export function decideConfirmReservation(
  draft: Draft,
  command: CommandOf<'CONFIRM_RESERVATION'>,
  context: DecisionContext,
): Decision<'CONFIRM_RESERVATION'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'confirm');
  if (!hasDeposit(draft, before)) throw new DomainError('INVALID_STATE', 'The deposit is not paid yet.');
  const { reason } = command;
  const why = { at: context.now, by: context.subject };
  const next = after(withoutHold(before), 'confirm', { ...why, notes: reason });
  keepRooms(draft, before);
  putPayments(draft, before, next);
  record(draft, before, next, { ...why, reason });
  const facts = { bookings: [factOf('CONFIRMED', next)] };
  return { result: { reservation: next }, entity: next.id, facts };
}

/**
 * What becomes of a PENDING reservation whose money or price has moved; nothing is written. Once its deposit is paid it
 * expires no more, and is CONFIRMED where somebody need not do that. Otherwise it waits for what is due now.
 */
export function settled(draft: Draft, waiting: Reservation, { now: at, subject: by }: DecisionContext): Reservation {
  if (waiting.status !== 'PENDING') return waiting;
  if (!hasDeposit(draft, waiting)) return { ...waiting, payments: awaiting(waiting) };
  const without = withoutHold(waiting);
  return draft.property!.metadata.policies.autoConfirmation ? after(without, 'confirm', { at, by }) : without;
}

/** Writes what `settled` says of it. */
export function completePayment(
  draft: Draft,
  before: Reservation,
  next: Reservation,
  { now: at, subject: by }: DecisionContext,
): void {
  if (before.holdExpiresAt !== undefined && next.holdExpiresAt === undefined) keepRooms(draft, next);
  putPayments(draft, before, next);
  record(draft, before, next, { at, by });
}

function hasDeposit({ property }: Draft, reservation: Reservation): boolean {
  const { depositPercent } = property!.metadata.policies;
  return (
    reservation.paid >= percentOf(folioTotals(reservation).total, depositPercent, incrementOf(reservation.currency))
  );
}

/** The payment that is waited for is all that is due (`paymentDetails[0]` of an answer). */
function awaiting(waiting: Reservation): Payment[] {
  const { balance } = billOf(waiting);
  return waiting.payments.map((payment) => (isAwaited(payment) ? { ...payment, amount: balance } : payment));
}

/** What was waited for has come, by whatever way: the rooms are its own. */
function withoutHold(waiting: Reservation): Reservation {
  const payments = waiting.payments.map((one) => (isAwaited(one) ? { ...one, status: 'CANCELLED' as const } : one));
  return { ...waiting, payments, holdExpiresAt: undefined };
}

/** Held rooms become booked ones. */
function keepRooms(draft: Draft, { id, stay }: Reservation): void {
  const hold = draft.holds.get(id);
  if (!hold) return;
  decideReleaseHold(draft, hold);
  moveNights(draft, stay, 'booked', 1);
}

/** Writes the payments that differ. */
function putPayments(draft: Draft, before: Reservation, next: Reservation): void {
  const known = new Set(before.payments);
  for (const payment of next.payments)
    if (!known.has(payment)) draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
}
