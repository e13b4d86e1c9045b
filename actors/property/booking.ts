import type { Book, BookingRequest, Command, CommandResults, StartBooking } from '../../src/domain/commands.ts';
import { formatDay } from '../../src/domain/dates.ts';
import { type Hold, HOLD_GUARD_MS } from '../../src/domain/hold.ts';
import { MAX_AMOUNT } from '../../src/domain/money.ts';
import { bookedNight } from '../../src/domain/pricing.ts';
import type { Property, RatePlan } from '../../src/domain/property.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { type Payment, type Reservation, type Stay, totals } from '../../src/domain/reservation.ts';
import { alternatives } from './alternatives.ts';
import type { Decision, Turn } from './decide.ts';
import type { Draft } from './draft.ts';
import { bookingFact } from './facts.ts';
import { nightUnder } from './quote.ts';
import { checkOccupancy, checkPlan, checkWindow, firstSoldOut } from './stay-rules.ts';

/** Starting to pay gives the hold this long, once (architecture.md 3). */
const PAYING_MS = 120_000;

/** Step one of a paid create: the rooms are held and the payment attempt is on record. */
export function startBooking(draft: Draft, command: StartBooking, turn: Turn): Decision<'START_BOOKING'> {
  const reservation = priceBooking(draft, command.booking, turn);
  const attempt: Payment = { ...command.attempt, amount: totals(reservation.nights).total };
  const hold: Hold = {
    id: command.holdId,
    kind: 'PAYING',
    ...nightsOf(reservation.stay),
    rooms: 1,
    expiresAt: turn.now + PAYING_MS,
    createdAt: turn.now,
    reservationId: reservation.id,
    booking: { reservation, attempt, personal: command.booking.personal },
    key: turn.key && { ...turn.key, subject: turn.subject },
  };
  takeHold(draft, hold);
  useQuote(draft, command.booking);
  // Here and not when it is confirmed: a guest who is known by another id must come up before the card is charged.
  draft.guests.set(reservation.guest.guestId, { guest: reservation.guest, wrappedKey: command.booking.wrappedKey });
  draft.payments.set(attempt.paymentId, { reservationId: reservation.id, payment: attempt });
  draft.created.add(attempt.paymentId);
  return {
    result: { holdId: hold.id, reservation, attempt, expiresAt: hold.expiresAt },
    entity: reservation.id,
    facts: { bookings: [bookingFact('HELD', reservation)], personal: command.booking.personal },
    guestName: guestName(reservation),
  };
}

/** Step three when the money is there: the held rooms become booked ones. */
export function confirmBooking(
  draft: Draft,
  command: Extract<Command, { type: 'CONFIRM_BOOKING' }>,
  turn: Turn,
): Decision<'CONFIRM_BOOKING'> {
  const hold = draft.holds.get(command.holdId);
  if (!hold?.booking) throw new Refusal('HOLD_EXPIRED', 'The hold of this booking has ended.');
  if (hold.kind === 'LATE' || turn.now > hold.expiresAt - HOLD_GUARD_MS)
    throw new Refusal('HOLD_EXPIRED', 'The payment came after the hold had expired; it is refunded.');
  const { reservation: pending, personal } = hold.booking;
  const auto = draft.property!.metadata.policies.autoConfirmation;
  const reservation = entered(
    { ...pending, paid: command.payment.amount, payments: [command.payment], status: auto ? 'CONFIRMED' : 'PENDING' },
    turn,
  );
  releaseHold(draft, hold);
  moveNights(draft, reservation.stay, 'booked', 1);
  insert(draft, reservation, turn);
  draft.payments.set(command.payment.paymentId, { reservationId: reservation.id, payment: command.payment });
  return {
    result: { reservation },
    entity: reservation.id,
    facts: { bookings: [bookingFact('CREATED', reservation)], personal },
    guestName: guestName(reservation),
  };
}

/** Step three when the money is not there: the rooms are free again at once. */
export function abandonBooking(
  draft: Draft,
  command: Extract<Command, { type: 'ABANDON_BOOKING' }>,
): Decision<'ABANDON_BOOKING'> {
  const hold = draft.holds.get(command.holdId);
  if (!hold?.booking) throw new Refusal('HOLD_NOT_FOUND', 'The hold of this booking has ended.');
  releaseHold(draft, hold);
  const { reservation } = hold.booking;
  draft.payments.set(command.payment.paymentId, { reservationId: reservation.id, payment: command.payment });
  if (reservation.quoteId) draft.usedQuotes.delete(reservation.quoteId);
  return {
    result: null,
    entity: reservation.id,
    facts: { bookings: [bookingFact('RELEASED', reservation)] },
  };
}

/** A create without a card: PENDING with its rooms held, or CONFIRMED where no payment is asked for. */
export function book(draft: Draft, command: Book, turn: Turn): Decision<'BOOK'> {
  const priced = priceBooking(draft, command.booking, turn);
  const { policies } = draft.property!.metadata;
  const due = policies.paymentRequired;
  const pendingPayment: Payment = {
    paymentId: command.pendingPaymentId,
    type: 'CHARGE',
    amount: totals(priced.nights).total,
    method: null,
    status: 'PENDING',
    createdAt: turn.now,
  };
  const expiresAt = turn.now + policies.holdDurationSeconds * 1000;
  const reservation = entered(
    due
      ? { ...priced, status: 'PENDING', payments: [pendingPayment], holdExpiresAt: expiresAt }
      : { ...priced, status: 'CONFIRMED' },
    turn,
  );
  if (due) {
    const stay = nightsOf(reservation.stay);
    const hold = { id: reservation.id, kind: 'PENDING' as const, ...stay, rooms: 1, expiresAt, createdAt: turn.now };
    takeHold(draft, { ...hold, reservationId: reservation.id });
    draft.payments.set(pendingPayment.paymentId, { reservationId: reservation.id, payment: pendingPayment });
  } else moveNights(draft, reservation.stay, 'booked', 1);
  useQuote(draft, command.booking);
  draft.guests.set(reservation.guest.guestId, { guest: reservation.guest, wrappedKey: command.booking.wrappedKey });
  insert(draft, reservation, turn);
  return {
    result: { reservation },
    entity: reservation.id,
    facts: { bookings: [bookingFact('CREATED', reservation)], personal: command.booking.personal },
    guestName: guestName(reservation),
  };
}

/** Checks every rule of a new booking and prices it; writes nothing. */
function priceBooking(draft: Draft, booking: BookingRequest, turn: Turn): Reservation {
  const property = draft.property!;
  const { stay } = booking;
  const plan = planOf(draft, stay.rateCode);
  checkStay(draft, stay, plan);
  const nights = nightsAt(draft, stay, plan, booking.quote?.nightly);
  const total = checkTotal(nights);
  if (booking.quote) checkQuote(draft, booking.quote.quoteId, booking.quote.expiresAt, turn.now);
  else if (booking.maxTotal !== undefined && total > booking.maxTotal) {
    const extra = { newTotal: total / 100, currency: property.metadata.currency };
    throw new Refusal('PRICE_CHANGED', `The stay costs ${(total / 100).toFixed(2)} now.`, { extra });
  }
  checkRooms(draft, stay);
  return {
    id: booking.reservationId,
    propertyId: property.propertyId,
    confirmationNumber: booking.confirmationNumber,
    status: 'PENDING',
    guest: booking.guest,
    stay,
    nights,
    currency: property.metadata.currency,
    cancellationPolicy: plan.cancellationPolicy,
    paid: 0,
    payments: [],
    quoteId: booking.quote?.quoteId,
    source: booking.source,
    specialRequests: booking.specialRequests,
    billing: booking.billing,
    timeline: [],
    version: 1,
    createdAt: turn.now,
    updatedAt: turn.now,
  };
}

/** @throws Refusal UNKNOWN_RATE_CODE */
export function planOf(draft: Draft, rateCode: string): RatePlan {
  const plan = draft.plans.get(rateCode);
  if (!plan) throw new Refusal('UNKNOWN_RATE_CODE', `The property has no rate code ${rateCode}.`);
  return plan;
}

/** Room type, occupancy, window and the limits of the plan; not yet whether rooms are left. */
export function checkStay(draft: Draft, stay: Stay, plan: RatePlan): void {
  const type = draft.roomTypes.get(stay.roomType);
  const slab = draft.slab(stay.roomType);
  if (!type || !slab) throw new Refusal('UNKNOWN_ROOM_TYPE', `The property has no room type ${stay.roomType}.`);
  checkWindow(slab, draft.today, stay.checkIn, stay.checkOut);
  checkOccupancy(type, stay.adults, stay.children);
  checkPlan(plan, draft.today, stay.checkIn, stay.checkOut);
}

/** Refuses with the first sold-out night and what could be had instead (I1). */
function checkRooms(draft: Draft, stay: Stay): void {
  const { policies } = draft.property!.metadata;
  const day = firstSoldOut(draft.slab(stay.roomType)!, policies, stay.checkIn, stay.checkOut, 1);
  if (day === undefined) return;
  const date = formatDay(day);
  throw new Refusal('ROOM_NOT_AVAILABLE', `No ${stay.roomType} room is left for the night of ${date}.`, {
    date,
    alternatives: alternatives(draft, stay),
  });
}

/** Prices every night, at the quoted rates where there is a quote. @throws Refusal NO_RATE */
export function nightsAt(draft: Draft, stay: Stay, plan: RatePlan, quoted?: number[]): Reservation['nights'] {
  const { policies } = (draft.property as Property).metadata;
  const slab = draft.slab(stay.roomType)!;
  const guests = stay.adults + stay.children;
  const nights: Reservation['nights'] = [];
  for (let day = stay.checkIn; day < stay.checkOut; day++) {
    const promised = quoted?.[day - stay.checkIn];
    if (promised === undefined && slab.base(day) < 0) {
      const date = formatDay(day);
      throw new Refusal('NO_RATE', `No rate is set for the night of ${date}.`, { date });
    }
    nights.push(bookedNight(day, promised ?? nightUnder(slab, day, plan, policies).rate, guests, policies));
  }
  return nights;
}

/** The sum of the nights. @throws Refusal VALIDATION_FAILED when it is more than an amount can hold */
export function checkTotal(nights: Reservation['nights']): number {
  const { total } = totals(nights);
  if (total <= MAX_AMOUNT) return total;
  throw new Refusal('VALIDATION_FAILED', 'The stay costs more than an amount can hold; split it.');
}

function checkQuote(draft: Draft, quoteId: string, expiresAt: number, now: number): void {
  if (now >= expiresAt) throw new Refusal('QUOTE_EXPIRED', 'The quote has expired.');
  if (draft.usedQuotes.get(quoteId) !== undefined) throw new Refusal('QUOTE_EXPIRED', 'The quote was used before.');
}

function useQuote(draft: Draft, { quote }: BookingRequest): void {
  if (quote) draft.usedQuotes.set(quote.quoteId, quote.expiresAt);
}

/** A reservation as it enters the books: its CREATED entry in the timeline. */
function entered(reservation: Reservation, turn: Turn): Reservation {
  const created = { event: 'CREATED', timestamp: turn.now, status: reservation.status, by: turn.subject };
  return { ...reservation, timeline: [created], createdAt: turn.now, updatedAt: turn.now };
}

function insert(draft: Draft, reservation: Reservation, turn: Turn): void {
  draft.reservations.set(reservation.id, reservation);
  draft.created.add(reservation.id);
  draft.unfinished += 1;
  const { id, status } = reservation;
  draft.history.push({ reservationId: id, from: null, to: status, at: turn.now, by: turn.subject });
}

function nightsOf(stay: Stay): Pick<Hold, 'roomType' | 'checkIn' | 'checkOut'> {
  return { roomType: stay.roomType, checkIn: stay.checkIn, checkOut: stay.checkOut };
}

/** Moves every night of a stay by `rooms` in one counter, as far as it lies in the window. */
export function moveNights(
  draft: Draft,
  stay: Pick<Stay, 'roomType' | 'checkIn' | 'checkOut'>,
  counter: 'booked' | 'held',
  rooms: number,
): void {
  const slab = draft.slab(stay.roomType);
  if (!slab) return;
  for (let day = Math.max(stay.checkIn, slab.first); day < stay.checkOut; day++)
    if (slab.has(day)) draft.add(stay.roomType, day, counter, rooms);
}

function takeHold(draft: Draft, hold: Hold): void {
  moveNights(draft, hold, 'held', hold.rooms);
  draft.holds.set(hold.id, hold);
  draft.created.add(hold.id);
}

/** Gives the rooms of a hold back and forgets it; a LATE hold has none any more. */
export function releaseHold(draft: Draft, hold: Hold): void {
  if (hold.kind !== 'LATE') moveNights(draft, hold, 'held', -hold.rooms);
  draft.holds.delete(hold.id);
}

/** As a feed shows it to those who may see it. */
export function guestName(reservation: Reservation): string {
  return `${reservation.guest.firstName} ${reservation.guest.lastName}`;
}

export type BookingResult = CommandResults['BOOK'];
