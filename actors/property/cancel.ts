import { cancellationPenalty, freeUntil } from '../../src/domain/cancellation.ts';
import type { Cancel, Command } from '../../src/domain/commands.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { allows, type Action, type Payment, type Reservation } from '../../src/domain/reservation.ts';
import { releaseHold } from './booking.ts';
import { giveBackClaims } from './claims.ts';
import type { Decision, Turn } from './decide.ts';
import type { Draft } from './draft.ts';
import { factOf } from './facts.ts';
import { moveNights } from './nights.ts';

/** Cancels a reservation (specification 4.2, DELETE): rooms back on sale, penalty and refund by its policy. */
export function cancel(draft: Draft, command: Cancel, turn: Turn): Decision<'CANCEL'> {
  const reservation = loaded(draft, command.reservationId);
  checkVersion(reservation, command.ifVersion);
  checkAction(reservation, 'cancel');
  const { metadata } = draft.property!;
  const penalty = Math.min(reservation.paid, cancellationPenalty(reservation, metadata, turn.now));
  const refund = command.refundRequested ? reservation.paid - penalty : 0;
  const next = ended(reservation, command, turn, {
    policyName: reservation.cancellationPolicy,
    deadline: freeUntil(reservation.cancellationPolicy, reservation.stay.checkIn, metadata),
    penalty,
    refundEligible: reservation.paid - penalty > 0,
    refund,
    refundId: refund > 0 ? command.refundId : null,
  });
  closePending(draft, next);
  if (refund > 0) next.payments = [...next.payments, refundPayment(command.refundId, refund, reservation, turn)];
  giveBack(draft, reservation);
  return write(draft, next, reservation, turn, command.reason, 'CANCELLED');
}

/** Ends a PENDING reservation whose hold has run out (contracts.md 7, HOLD_EXPIRED). */
export function expireReservation(draft: Draft, reservation: Reservation, turn: Turn): Reservation {
  const command = { cancellationId: reservation.id, reason: 'HOLD_EXPIRED' as const, cancelledBy: 'system' };
  const next = ended(reservation, command, turn, {
    policyName: reservation.cancellationPolicy,
    deadline: null,
    penalty: 0,
    refundEligible: false,
    refund: 0,
    refundId: null,
  });
  closePending(draft, next);
  write(draft, next, reservation, turn, 'HOLD_EXPIRED', 'EXPIRED');
  return next;
}

/** Payments that were waited for may not come any more. */
function closePending(draft: Draft, next: Reservation): void {
  next.payments = next.payments.map((p) => (p.status === 'PENDING' ? { ...p, status: 'CANCELLED' as const } : p));
  for (const payment of next.payments)
    if (payment.status === 'CANCELLED') draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
}

/** The refund of a payment has reached the provider. */
export function settleRefund(
  draft: Draft,
  command: Extract<Command, { type: 'SETTLE_REFUND' }>,
): Decision<'SETTLE_REFUND'> {
  const reservation = loaded(draft, command.reservationId);
  const payments = reservation.payments.map((p) => (p.paymentId === command.payment.paymentId ? command.payment : p));
  draft.reservations.set(reservation.id, { ...reservation, payments, version: reservation.version + 1 });
  draft.payments.set(command.payment.paymentId, { reservationId: reservation.id, payment: command.payment });
  return { result: null, entity: reservation.id, facts: {} };
}

/** @throws Refusal RESERVATION_NOT_FOUND */
export function loaded(draft: Draft, reservationId: string): Reservation {
  const reservation = draft.reservations.get(reservationId);
  if (!reservation) throw new Refusal('RESERVATION_NOT_FOUND', 'The property has no such reservation.');
  return reservation;
}

/** @throws Refusal STALE_VERSION */
export function checkVersion(reservation: Reservation, ifVersion: number | undefined): void {
  if (ifVersion === undefined || ifVersion === reservation.version) return;
  throw new Refusal('STALE_VERSION', `The reservation is at version ${reservation.version}.`);
}

/** @throws Refusal INVALID_STATE */
export function checkAction(reservation: Reservation, action: Action): void {
  if (allows(reservation.status, action)) return;
  throw new Refusal('INVALID_STATE', `A reservation that is ${reservation.status} does not allow this: ${action}.`);
}

/** A refund as it is ordered; the provider is told after the commit, and told again until it has answered. */
export function refundPayment(refundId: string, amount: number, reservation: Reservation, turn: Turn): Payment {
  const method = reservation.payments.find((p) => p.type === 'CHARGE')?.method ?? null;
  return { paymentId: refundId, type: 'REFUND', amount, method, status: 'PROCESSING', createdAt: turn.now };
}

type Ending = Omit<
  NonNullable<Reservation['cancellation']>,
  'reason' | 'description' | 'cancelledBy' | 'cancellationId' | 'cancelledAt'
>;

function ended(
  reservation: Reservation,
  command: Pick<Cancel, 'cancellationId' | 'cancelledBy' | 'description'> & {
    reason: NonNullable<Reservation['cancellation']>['reason'];
  },
  turn: Turn,
  ending: Ending,
): Reservation {
  const { cancellationId, reason, description, cancelledBy } = command;
  const notes = reason + (description ? `: ${description}` : '');
  const entry = { event: 'CANCELLED', timestamp: turn.now, status: 'CANCELLED' as const, notes, by: cancelledBy };
  return {
    ...reservation,
    status: 'CANCELLED',
    paid: reservation.paid - ending.refund,
    cancellation: { ...ending, cancellationId, reason, description, cancelledBy, cancelledAt: turn.now },
    timeline: [...reservation.timeline, entry],
    holdExpiresAt: undefined,
    version: reservation.version + 1,
    updatedAt: turn.now,
  };
}

function giveBack(draft: Draft, reservation: Reservation): void {
  const hold = draft.holds.get(reservation.id);
  if (hold) releaseHold(draft, hold);
  else moveNights(draft, reservation.stay, 'booked', -1);
}

function write(
  draft: Draft,
  next: Reservation,
  before: Reservation,
  turn: Turn,
  reason: string,
  event: 'CANCELLED' | 'EXPIRED',
): Decision<'CANCEL'> {
  giveBackClaims(draft, before);
  draft.reservations.set(next.id, next);
  draft.unfinished -= 1;
  const refund = next.payments.at(-1);
  if (refund?.type === 'REFUND') draft.payments.set(refund.paymentId, { reservationId: next.id, payment: refund });
  const change = { reservationId: next.id, from: before.status, to: next.status, at: turn.now };
  draft.history.push({ ...change, by: next.cancellation!.cancelledBy, reason });
  return { result: { reservation: next }, entity: next.id, facts: { bookings: [factOf(event, next)] } };
}
