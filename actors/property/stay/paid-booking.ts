import type { CommandOf, CommandResults } from '../../../src/kernel/rules/commands.ts';
import type { BookingRequest } from '../../../src/kernel/rules/commands/stay.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { sum } from '../../../src/kernel/rules/figures.ts';
import type { HoldId } from '../../../src/kernel/rules/ids.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import { totals } from '../../../src/money/rules/night.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { nightsAreOver } from '../../../src/stay/rules/arrival.ts';
import { isGuaranteed } from '../../../src/stay/rules/guarantee.ts';
import { type Hold, HOLD_GUARD_MS } from '../../../src/stay/rules/hold.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { holdOf, returnRoom } from '../holds/explicit-hold.ts';
import { inquiryBooked } from '../holds/inquiries.ts';
import { moveNights } from '../nights.ts';
import { giveBackClaims } from './allotments.ts';
import {
  chargedAtOnce,
  dropHold,
  entered,
  insert,
  nightsOf,
  notesOf,
  priceBooking,
  recordSale,
  securedBy,
  takeHold,
} from './booking.ts';
import { allOrNone, checkTotalOf, forRoom } from './several-rooms.ts';

/** Starting a payment extends the hold by this long, once (docs/concepts/money.md#payments). */
const PAYING_MS = 120_000;

/** Step one of a paid booking: holds the rooms and records the payment attempt. */
export function decideStartBooking(
  draft: Draft,
  { holdId, booking, attempt }: CommandOf<'START_BOOKING'>,
  context: DecisionContext,
): Decision<'START_BOOKING'> {
  const from = holdOf(draft, booking, context.now);
  const reservation = priceBooking(draft, booking, context, from);
  const amount = chargedAtOnce(draft, reservation, securedBy(draft, booking, from));
  const hold: Hold = {
    ...payingHold(holdId, { reservation, attempt: { ...attempt, amount }, booking }, context),
    ...keyOf(context),
    ...(from && { fromHold: from.id }),
  };
  const used = takeHold(draft, hold, from);
  recordSale(draft, booking, reservation);
  recordAttempt(draft, hold);
  return {
    result: startedBooking(draft, hold)!,
    entity: reservation.id,
    // The name is published with the booking; an abandoned hold need not store or publish one.
    facts: { bookings: [factOf('HELD', reservation)], ...used },
  };
}

/** Step one for several rooms: a hold for each of them, and one attempt with the first one. */
export function decideStartRooms(
  draft: Draft,
  command: CommandOf<'START_ROOMS'>,
  context: DecisionContext,
): Decision<'START_ROOMS'> {
  const [first, ...others] = allOrNone(draft, (on) => startRooms(on, command, context)) as [PaidRoom, ...PaidRoom[]];
  const amount = sum([first, ...others], ({ booking }) => booking.attempt.amount);
  const hold: Hold = {
    ...first,
    ...keyOf(context),
    booking: { ...first.booking, attempt: { ...command.attempt, amount }, others: others.map(({ id }) => id) },
  };
  draft.holds.set(hold.id, hold);
  recordAttempt(draft, hold);
  const { id } = first.booking.reservation;
  return {
    result: startedBooking(draft, hold)!,
    entity: id,
    facts: { bookings: [first, ...others].map(({ booking }) => factOf('HELD', booking.reservation, id)) },
  };
}

/** A hold with the part of the amount that its room pays. */
type PaidRoom = Hold & { booking: NonNullable<Hold['booking']> };

function startRooms(
  draft: Draft,
  { rooms, attempt, maxTotal }: CommandOf<'START_ROOMS'>,
  context: DecisionContext,
): PaidRoom[] {
  const first = rooms[0]!.holdId;
  const held = rooms.map(({ holdId, booking, paymentId }, index) =>
    forRoom(index, () => {
      const reservation = priceBooking(draft, booking, context);
      const amount = dueAtOnce(draft, reservation, booking);
      const part = { ...attempt, paymentId, amount, partOf: attempt.paymentId };
      const hold = payingHold(holdId, { reservation, attempt: part, booking }, context);
      const room = { ...hold, booking: { ...hold.booking, ...(index > 0 && { first }) } };
      takeHold(draft, room);
      recordSale(draft, booking, reservation);
      return room;
    }),
  );
  checkTotalOf(
    held.map(({ booking }) => booking.reservation),
    maxTotal,
  );
  return held;
}

/** Nothing where a card that the provider has taken is enough. */
function dueAtOnce(draft: Draft, reservation: Reservation, booking: BookingRequest): number {
  const { total } = totals(reservation.nights);
  if (isGuaranteed(reservation, total, draft.property!.metadata.policies, draft.today)) return 0;
  return chargedAtOnce(draft, reservation, securedBy(draft, booking, undefined));
}

type Held = { reservation: Reservation; attempt: Payment; booking: BookingRequest };

function payingHold(id: HoldId, { reservation, attempt, booking }: Held, { now }: DecisionContext): PaidRoom {
  return {
    id,
    kind: 'PAYING',
    ...nightsOf(reservation.stay),
    rooms: 1,
    expiresAt: now + PAYING_MS,
    createdAt: now,
    reservationId: reservation.id,
    booking: { reservation, attempt, personal: booking.personal, ...notesOf(booking) },
  };
}

function keyOf({ key, subject }: DecisionContext): Pick<Hold, 'key'> {
  return key ? { key: { ...key, subject } } : {};
}

function recordAttempt(draft: Draft, { booking }: Hold): void {
  const { reservation, attempt } = booking!;
  draft.payments.set(attempt.paymentId, { reservationId: reservation.id, payment: attempt });
  draft.created.add(attempt.paymentId);
}

/** The answer of step one, as long as the payment is under way. */
export function startedBooking(
  { holds }: { holds: { get(id: HoldId): Hold | undefined } },
  hold: Hold | undefined,
): CommandResults['START_BOOKING'] | undefined {
  if (!hold?.booking || hold.kind !== 'PAYING') return undefined;
  const { reservation, attempt, others } = hold.booking;
  const rooms = others?.map((id) => holds.get(id)?.booking?.reservation);
  if (rooms && !rooms.every((room) => room !== undefined)) return undefined;
  return { holdId: hold.id, reservation, attempt, expiresAt: hold.expiresAt, ...(rooms && { others: rooms }) };
}

/** Step three after a successful payment: held rooms become booked ones. */
export function decideConfirmBooking(
  draft: Draft,
  { holdId, payment }: CommandOf<'CONFIRM_BOOKING'>,
  context: DecisionContext,
): Decision<'CONFIRM_BOOKING'> {
  const hold = draft.holds.get(holdId);
  if (!hold?.booking || hold.booking.first !== undefined)
    throw new DomainError('HOLD_EXPIRED', 'The hold of this booking has ended.');
  const rooms = roomsOf(draft, hold);
  const isLate = ({ kind, expiresAt }: Hold): boolean => kind === 'LATE' || context.now > expiresAt - HOLD_GUARD_MS;
  if (rooms.length <= (hold.booking.others?.length ?? 0) || rooms.some(isLate))
    throw new DomainError('HOLD_EXPIRED', 'The payment came after the hold had expired; it is refunded.');
  if (rooms.some((room) => nightsAreOver(room, draft.today)))
    throw new DomainError('HOLD_EXPIRED', 'The payment came after the nights were over; it is refunded.');
  const [reservation, ...others] = rooms.map((room) =>
    confirmRoom(draft, room, partOf(room, rooms, payment), context),
  ) as [Reservation, ...Reservation[]];
  const { id } = reservation;
  return {
    result: { reservation, ...(others.length > 0 && { others }) },
    entity: id,
    facts: {
      bookings: [reservation, ...others].map((one) => factOf('CREATED', one, id)),
      personal: hold.booking.personal.name,
      ...inquiryBooked(draft, reservation, context.now),
    },
  };
}

/** The hold and those of the other rooms that are paid with it, as far as they are there. */
function roomsOf(draft: Draft, hold: Hold): PaidRoom[] {
  const others = hold.booking?.others?.map((id) => draft.holds.get(id)) ?? [];
  return [hold, ...others].filter((one): one is PaidRoom => one?.booking !== undefined);
}

/** What a payment for all rooms pays for one of them. */
function partOf({ booking }: PaidRoom, [first, ...others]: readonly PaidRoom[], payment: Payment): Payment {
  if (booking === first!.booking)
    return { ...payment, amount: payment.amount - sum(others, (other) => other.booking.attempt.amount) };
  // The transaction is that of the first part: each has one payment.
  const { transactionId: _ofFirst, ...paid } = payment;
  const { paymentId, amount, partOf: whole } = booking.attempt;
  return { ...paid, paymentId, amount, ...(whole !== undefined && { partOf: whole }) };
}

function confirmRoom(draft: Draft, hold: PaidRoom, payment: Payment, context: DecisionContext): Reservation {
  const { reservation: pending, notes, first } = hold.booking;
  const auto = draft.property!.metadata.policies.autoConfirmation;
  const isPaid = first === undefined || payment.amount > 0;
  const payments = isPaid ? [payment] : [];
  const reservation = entered(
    { ...pending, paid: payment.amount, payments, status: auto ? 'CONFIRMED' : 'PENDING' },
    context,
    notes,
  );
  dropHold(draft, hold);
  moveNights(draft, reservation.stay, 'booked', 1);
  insert(draft, reservation, context);
  if (!isPaid) return reservation;
  draft.payments.set(payment.paymentId, { reservationId: reservation.id, payment });
  if (first !== undefined) draft.created.add(payment.paymentId);
  return reservation;
}

/** Step three after a failed payment: the rooms are free again at once, or return to the hold they came from. */
export function decideAbandonBooking(
  draft: Draft,
  command: CommandOf<'ABANDON_BOOKING'>,
  context: DecisionContext,
): Decision<'ABANDON_BOOKING'> {
  const hold = draft.holds.get(command.holdId);
  if (!hold?.booking || hold.booking.first !== undefined)
    throw new DomainError('HOLD_NOT_FOUND', 'The hold of this booking has ended.');
  const { reservation } = hold.booking;
  const rooms = roomsOf(draft, hold);
  const returned = rooms.map((room) => releaseRoom(draft, room, context))[0];
  draft.payments.set(command.payment.paymentId, { reservationId: reservation.id, payment: command.payment });
  if (reservation.quoteId) draft.usedQuotes.delete(reservation.quoteId);
  return {
    result: null,
    entity: reservation.id,
    facts: {
      bookings: rooms.map(({ booking }) => factOf('RELEASED', booking.reservation, reservation.id)),
      ...returned,
    },
  };
}

function releaseRoom(draft: Draft, hold: PaidRoom, { now }: DecisionContext): Facts | undefined {
  // An expired hold has returned its allotments already.
  if (hold.kind !== 'LATE') giveBackClaims(draft, hold.booking.reservation);
  const returned = returnRoom(draft, hold, now);
  if (returned) draft.holds.delete(hold.id);
  else dropHold(draft, hold);
  return returned;
}
