import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import { type Instant, instantAt } from '../../../src/kernel/rules/property-time.ts';
import { isAwaited, underWay } from '../../../src/money/rules/charges.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { cancellationPenalty, freeUntil } from '../../../src/stay/rules/cancellation.ts';
import { guaranteeOf } from '../../../src/stay/rules/guarantee.ts';
import type { ReservationAction } from '../../../src/stay/rules/reservation-states.ts';
import type { Cancellation, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { collectPenalty, enterCharges, settledIn } from '../money/collect.ts';
import { orderRefunds } from '../money/refunds.ts';
import { moveNights } from '../nights.ts';
import { giveBackClaims } from './allotments.ts';
import { dropHold } from './booking.ts';
import { checkAction, transition } from './transition.ts';

/**
 * Cancels a reservation (docs/reference/reservations.md#cancel): rooms go back on sale, penalty and refund follow its
 * policy.
 * @param termsAt the time for which its terms are read
 */
export function decideCancel(
  draft: Draft,
  command: CommandOf<'CANCEL'>,
  context: DecisionContext,
  termsAt: Instant = context.now,
): Decision<'CANCEL'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'cancel');
  const { metadata } = draft.property!;
  const due = cancellationPenalty(before, metadata, termsAt);
  const { penalty, payments, owed, over, ofSharer } = collectPenalty(draft, before, due, context.now);
  // The request is that of who has booked: the sharer gets everything back without one.
  const refund = command.refundRequested ? over : ofSharer;
  const ending = {
    policyName: before.cancellationPolicy,
    deadline: freeUntil(bookingTermsOf(before, metadata.policies), before.stay.checkIn, metadata),
    penalty,
    ...(owed && { owed }),
    refundEligible: over > 0,
    refund,
    refundId: refund > 0 ? command.refundId : null,
  };
  const { message = before.source.message } = command;
  const said = message ? { ...before, source: { ...before.source, message } } : before;
  const next = end(draft, said, command, { action: 'cancel', ...ending }, context, payments);
  return { result: { reservation: next }, entity: next.id, facts: { bookings: [factOf('CANCELLED', next)] } };
}

/**
 * Ends a PENDING reservation whose time has run out (docs/reference/reservations.md#states); what was paid is
 * refunded, except the amount that a reinstated one retains of its former end.
 */
export function expireReservation(draft: Draft, before: Reservation, context: DecisionContext): Reservation {
  // A reinstated reservation may have expired before; this is a further end of its own.
  const { length: nth } = before.endsTakenBack ?? [];
  const again = nth > 0 ? [String(nth)] : [];
  const cancellationId = nth > 0 ? derivedId(before.id, ...again) : before.id;
  const command = { cancellationId, reason: 'HOLD_EXPIRED' as const, cancelledBy: 'system' };
  const { cancellationPolicy: policyName, retained = 0 } = before;
  const { penalty, payments, owed, over: refund } = collectPenalty(draft, before, retained, context.now);
  const refundId = refund > 0 ? derivedId(before.id, 'expired', ...again) : null;
  const due = { penalty, ...(owed && { owed }) };
  const ending = { policyName, ...due, refundEligible: refund > 0, refund, refundId, deadline: null };
  return end(draft, before, command, { action: 'expire', ...ending }, context, payments);
}

/**
 * The reservation of a change of its price: as requested, in a state that allows it, while nothing is being paid.
 * @throws DomainError RESERVATION_NOT_FOUND, STALE_VERSION, INVALID_STATE
 */
export function changeable(
  draft: Draft,
  { reservationId, ifVersion }: { reservationId: ReservationId; ifVersion?: number },
  action: ReservationAction,
): Reservation {
  const before = loaded(draft, reservationId);
  checkVersion(before, ifVersion);
  checkAction(before, action);
  if (before.leaving || underWay(before.payments) > 0)
    throw new DomainError('INVALID_STATE', 'A payment is under way; what it is for does not change meanwhile.');
  return before;
}

type Ending = Omit<Cancellation, keyof Asked | 'cancelledAt' | 'day' | 'originalTotal' | 'waived' | 'charges'> & {
  action: 'cancel' | 'expire' | 'release' | 'walk';
};
type Asked = Pick<Cancellation, 'reason' | 'description' | 'cancelledBy' | 'cancellationId'> & {
  /** For the timeline; reason and description where absent. */
  notes?: string;
} & Pick<CommandOf<'CANCEL'>, 'invoiceTo'>;

/** Ends a reservation: returns rooms and allotments, and cancels awaited payments. */
export function end(
  draft: Draft,
  before: Reservation,
  { reason, description, cancelledBy, cancellationId, invoiceTo, notes = notesOf(reason, description) }: Asked,
  { action, ...ending }: Ending,
  { now: at }: DecisionContext,
  collecting: readonly Payment[] = [],
): Reservation {
  const hold = draft.holds.get(before.id);
  if (hold) dropHold(draft, hold);
  else {
    moveNights(draft, before.stay, 'booked', -1);
    if (action !== 'expire') countCancelled(draft, before.stay);
  }
  giveBackClaims(draft, before);
  const closed = before.payments.map((payment) => {
    if (!isAwaited(payment)) return payment;
    const ended = { ...payment, status: 'CANCELLED' as const };
    draft.payments.set(payment.paymentId, { reservationId: before.id, payment: ended });
    return ended;
  });
  const { refund, refundId } = ending;
  const cancellation = {
    ...ending,
    cancellationId,
    reason,
    description,
    cancelledBy,
    cancelledAt: at,
    originalTotal: folioTotals(before).total,
    day: draft.today,
    ...(before.charges && { charges: before.charges }),
  };
  const priced = { ...before, charges: undefined, cancellation };
  const given = refundId === null ? [] : orderRefunds(draft, before, { refundId, amount: refund, priced }, at);
  enterCharges(draft, before, collecting);
  return transition(
    draft,
    before,
    action,
    { at, by: cancelledBy, notes, reason, invoiceTo },
    {
      paid: before.paid - refund + settledIn(collecting),
      payments: [...closed, ...given, ...collecting],
      // A guest who was walked owes it no more, also after a reinstatement.
      ...(action === 'walk' && { retained: undefined }),
      // Charges and credits besides the nights belong to a stay that does not take place.
      charges: undefined,
      cancellation,
      holdExpiresAt: undefined,
    },
  );
}

const notesOf = (reason: string, description?: string): string =>
  description === undefined ? reason : `${reason}: ${description}`;

/**
 * Ends a paid reservation that nobody confirmed (docs/concepts/money.md#paid-and-not-confirmed) after its arrival
 * night: the failure is the property's, so everything paid is refunded but what a former end has retained.
 * @throws DomainError INVALID_STATE, TOO_EARLY
 */
export function decideLapse(draft: Draft, command: CommandOf<'LAPSE'>, context: DecisionContext): Decision<'LAPSE'> {
  const before = loaded(draft, command.reservationId);
  checkAction(before, 'expire');
  const date = formatDay(before.stay.checkIn);
  if (draft.today <= before.stay.checkIn) throw new DomainError('TOO_EARLY', `The arrival day is ${date}.`, { date });
  // An unpaid reservation ends with its hold instead.
  if (draft.holds.get(before.id)) throw new DomainError('TOO_EARLY', 'Its hold has not run out.');
  const next = expireReservation(draft, before, context);
  return { result: { reservation: next }, entity: next.id, facts: { bookings: [factOf('EXPIRED', next)] } };
}

/** Records the provider's answer to a refund: sent, or to be paid out by hand. */
export function decideSettleRefund(draft: Draft, command: CommandOf<'SETTLE_REFUND'>): Decision<'SETTLE_REFUND'> {
  const reservation = loaded(draft, command.reservationId);
  const known = reservation.payments.find(({ paymentId }) => paymentId === command.payment.paymentId);
  // Two senders may report the same refund.
  if (known?.status === 'COMPLETED' || known?.status === command.payment.status)
    return { result: null, entity: reservation.id, facts: {}, dryRun: true };
  const payments = reservation.payments.map((p) => (p.paymentId === command.payment.paymentId ? command.payment : p));
  draft.reservations.set(reservation.id, { ...reservation, payments, version: reservation.version + 1 });
  draft.payments.set(command.payment.paymentId, { reservationId: reservation.id, payment: command.payment });
  return { result: null, entity: reservation.id, facts: {} };
}

/** @throws DomainError RESERVATION_NOT_FOUND */
export function loaded(draft: Draft, reservationId: ReservationId): Reservation {
  const reservation = draft.reservations.get(reservationId);
  if (!reservation) throw new DomainError('RESERVATION_NOT_FOUND', 'The property has no such reservation.');
  return reservation;
}

/** @throws DomainError STALE_VERSION */
export function checkVersion(reservation: Reservation, ifVersion: number | undefined): void {
  if (ifVersion === undefined || ifVersion === reservation.version) return;
  throw new DomainError('STALE_VERSION', `The reservation is at version ${reservation.version}.`);
}

/**
 * Releases a stay that is paid at the property and whose guest has not arrived by its release hour
 * (docs/reference/rates.md#guarantee-and-terms): the room is sold again.
 * @throws DomainError INVALID_STATE, TOO_EARLY
 */
export function decideReleaseUnclaimed(
  draft: Draft,
  { reservationId }: CommandOf<'RELEASE_UNCLAIMED'>,
  context: DecisionContext,
): Decision<'RELEASE_UNCLAIMED'> {
  const before = loaded(draft, reservationId);
  checkAction(before, 'release');
  const { timezone, policies } = draft.property!.metadata;
  const guarantee = guaranteeOf(before, policies);
  const hour = guarantee.kind === 'NONE' ? guarantee.releaseHour : null;
  if (hour === null || before.paid > 0) throw new DomainError('INVALID_STATE', 'The room is not released.');
  const date = formatDay(before.stay.checkIn);
  if (context.now < instantAt(before.stay.checkIn, hour, timezone))
    throw new DomainError('TOO_EARLY', `The room is released at ${hour} on ${date}.`, { date });
  const command = { cancellationId: before.id, reason: 'RELEASED' as const, cancelledBy: 'system' };
  const { cancellationPolicy: policyName } = before;
  const ending = { policyName, penalty: 0, refundEligible: false, refund: 0, refundId: null, deadline: null };
  const next = end(draft, before, command, { action: 'release', ...ending }, context);
  return { result: { reservation: next }, entity: next.id, facts: { bookings: [factOf('CANCELLED', next)] } };
}

/** Counts cancelled nights in the on-the-books ledger. */
function countCancelled(draft: Draft, { checkIn, checkOut }: Reservation['stay']): void {
  for (let day = Math.max(checkIn, draft.today); day < checkOut; day++) draft.enter({ day, cancelled: 1 });
}
