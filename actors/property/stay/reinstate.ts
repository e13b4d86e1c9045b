import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { PaymentId } from '../../../src/kernel/rules/ids.ts';
import { billOf } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { clockOf } from '../../../src/properties/rules/property.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { type Hold, pendingHoldId } from '../../../src/stay/rules/hold.ts';
import { endTakenBack, reinstateFault, retainedByEnd } from '../../../src/stay/rules/reinstatement.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { ClaimedBy, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkExtrasLeft } from '../money/extra-stays.ts';
import { moveNights } from '../nights.ts';
import { isFreeFor } from '../rooms/pick-room.ts';
import { NO_ROOM } from '../rooms/room-stays.ts';
import { claimsGone, takeAllotment } from './allotments.ts';
import { checkVersion, loaded } from './cancel.ts';
import { hasDeposit } from './confirm.ts';
import { checkRooms } from './terms.ts';
import { checkAction, record } from './transition.ts';

/**
 * Reinstates a cancelled reservation or a no-show (docs/reference/reservations.md#reinstate): takes the remaining
 * nights again at the booked price. Restrictions are not checked; availability is. Refunded money is owed again, and what the
 * end has retained is the minimum price of the stay.
 * @throws DomainError INVALID_STATE, also when it ended too long ago; ROOM_NOT_AVAILABLE, UNKNOWN_ROOM_TYPE,
 * EXTRA_NOT_AVAILABLE
 */
export function decideReinstate(
  draft: Draft,
  command: CommandOf<'REINSTATE'>,
  context: DecisionContext,
): Decision<'REINSTATE'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'reinstate');
  checkPossible(draft, before);
  const left = { ...before.stay, checkIn: Math.max(before.stay.checkIn, draft.today) };
  const gone = claimsGone(draft, before, left, context.now);
  checkRooms(draft, { stay: left, groupId: gone.includes('groupId') ? undefined : before.groupId });
  const why = { at: context.now, by: command.by, notes: command.reason };
  const back = after(before, 'reinstate', why, reinstated(before, gone, draft.today));
  checkExtrasLeft(draft, before, back, command.extraStock);
  const next = hasDeposit(draft, back)
    ? after(back, 'confirm', { at: context.now, by: command.by })
    : waiting(draft, back, command.pendingPaymentId, context);
  takeRooms(draft, next, left, context);
  const placed = record(draft, before, { ...next, ...roomOf(draft, next) }, { ...why, reason: command.reason });
  return { result: { reservation: placed }, entity: placed.id, facts: { bookings: [factOf('REINSTATED', placed)] } };
}

function checkPossible(draft: Draft, before: Reservation): void {
  const property = draft.property!;
  const fault = reinstateFault(before, draft.today, clockOf(property));
  if (fault !== undefined) throw new DomainError('INVALID_STATE', fault);
  const { roomType } = before.stay;
  if (!draft.slab(roomType)) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
}

/**
 * The reservation without its end. Allotments that others have taken meanwhile (`gone`) are given up; the price stays.
 */
function reinstated(before: Reservation, gone: readonly ClaimedBy[], today: Day): Partial<Reservation> {
  const { cancellation, endsTakenBack = [], unclaimed = [] } = before;
  return {
    cancellation: undefined,
    charges: cancellation!.charges,
    ...retainedByEnd(before),
    endsTakenBack: [...endsTakenBack, endTakenBack(before, today)],
    ...(gone.length > 0 && { unclaimed: [...unclaimed, ...gone] }),
    ...Object.fromEntries(gone.map((by) => [by, undefined])),
  };
}

/** The reinstated reservation while it waits for payment: it holds its rooms as an unpaid booking does. */
function waiting(
  draft: Draft,
  back: Reservation,
  paymentId: PaymentId,
  { now: createdAt }: DecisionContext,
): Reservation {
  const { balance: amount } = billOf(back);
  const awaited: Payment = { paymentId, type: 'CHARGE', amount, method: null, status: 'PENDING', createdAt };
  draft.payments.set(paymentId, { reservationId: back.id, payment: awaited });
  draft.created.add(paymentId);
  const { holdDurationSeconds } = draft.property!.metadata.policies;
  return { ...back, payments: [...back.payments, awaited], holdExpiresAt: createdAt + holdDurationSeconds * 1000 };
}

function takeRooms(draft: Draft, next: Reservation, left: Stay, { now: createdAt }: DecisionContext): void {
  const { id, stay, holdExpiresAt: expiresAt } = next;
  takeAllotment(draft, next);
  if (expiresAt === undefined) {
    moveNights(draft, left, 'booked', 1);
    return;
  }
  const { roomType, checkIn, checkOut } = stay;
  const holdId = pendingHoldId(id);
  const hold: Hold = { id: holdId, kind: 'PENDING', roomType, checkIn, checkOut, rooms: 1, expiresAt, createdAt };
  moveNights(draft, hold, 'held', 1);
  // Its row may have gone in the same batch: it is none of those that are new.
  draft.holds.set(holdId, { ...hold, reservationId: id });
}

/** The room it had, if it is free; a reservation that waits for payment has none. */
function roomOf(draft: Draft, next: Reservation): Partial<Reservation> {
  const room = next.roomNumber === undefined ? undefined : draft.rooms.get(next.roomNumber);
  const has = next.status === 'CONFIRMED' && room?.roomType === next.stay.roomType && isFreeFor(draft, room, next);
  return has ? {} : NO_ROOM;
}
