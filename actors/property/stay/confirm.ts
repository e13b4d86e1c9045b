import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { isAwaited } from '../../../src/money/rules/charges.ts';
import { billOf, folioTotals } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { nightsAreOver } from '../../../src/stay/rules/arrival.ts';
import { isGuaranteed } from '../../../src/stay/rules/guarantee.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { moveNights } from '../nights.ts';
import { dropHold } from './booking.ts';
import { checkVersion, loaded } from './cancel.ts';
import { checkAction, record } from './transition.ts';

/**
 * Confirms a paid reservation by hand (docs/reference/reservations.md#states), where that is not automatic.
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
  if (nightsAreOver(before.stay, draft.today))
    throw new DomainError('INVALID_STATE', 'The nights of the stay are over.');
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
 * A PENDING reservation after its payments or price have changed; writes nothing. With its deposit paid it no longer
 * expires, and is CONFIRMED unless that is done by hand. Otherwise it waits for the amount that is due now.
 */
export function settled(draft: Draft, waiting: Reservation, { now: at, subject: by }: DecisionContext): Reservation {
  if (waiting.status !== 'PENDING') return waiting;
  if (!hasDeposit(draft, waiting)) return { ...waiting, payments: awaiting(waiting) };
  const without = withoutHold(waiting);
  return draft.property!.metadata.policies.autoConfirmation ? after(without, 'confirm', { at, by }) : without;
}

/** Stores the result of `settled`. */
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

/**
 * Settles a reservation whose payments or price have changed, and stores the result.
 * @param stored the reservation as it is stored: `changed` itself where a transition has stored it
 */
export function storeSettled(
  draft: Draft,
  stored: Reservation,
  changed: Reservation,
  context: DecisionContext,
): Reservation {
  const next = settled(draft, changed, context);
  if (next !== stored) completePayment(draft, stored, next, context);
  return next;
}

/** Whether the deposit that the guarantee requires is paid. */
export function hasDeposit({ property, today }: Draft, reservation: Reservation): boolean {
  return isGuaranteed(reservation, folioTotals(reservation).total, property!.metadata.policies, today);
}

/** The awaited payment covers everything that is due (`paymentDetails[0]` of an answer). */
function awaiting(waiting: Reservation): Payment[] {
  const { balance } = billOf(waiting);
  return waiting.payments.map((payment) => (isAwaited(payment) ? { ...payment, amount: balance } : payment));
}

/** A reservation that no longer depends on its hold. */
function withoutHold(waiting: Reservation): Reservation {
  const payments = waiting.payments.map((one) => (isAwaited(one) ? { ...one, status: 'CANCELLED' as const } : one));
  return { ...waiting, payments, holdExpiresAt: undefined };
}

/** Turns held rooms into booked ones. */
function keepRooms(draft: Draft, { id, stay }: Reservation): void {
  const hold = draft.holds.get(id);
  if (!hold) return;
  dropHold(draft, hold);
  moveNights(draft, stay, 'booked', 1);
}

/** Stores the payments that differ. */
function putPayments(draft: Draft, before: Reservation, next: Reservation): void {
  const known = new Set(before.payments);
  for (const payment of next.payments)
    if (!known.has(payment)) draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
}
