import type { Guest } from '../../../src/guests/rules/guest.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { BookingRequest } from '../../../src/kernel/rules/commands/stay.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { SaleWindow } from '../../../src/kernel/rules/sale-window.ts';
import { compedNight } from '../../../src/money/rules/comp.ts';
import { type Night, totals } from '../../../src/money/rules/night.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import { checkDayIsLeft, checkDayUse } from '../../../src/rates/rules/day-use.ts';
import { chargesDuring, type QuotedCharges, taxesByDay } from '../../../src/rates/rules/night-charges.ts';
import { type BookingTerms, type PlanGuarantee } from '../../../src/rates/rules/plan-terms.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import { termsUnder, termsOfPlan } from '../../../src/stay/rules/booking-terms.ts';
import { withComp } from '../../../src/stay/rules/comp.ts';
import { depositOf, guaranteeUnder, isGuaranteed } from '../../../src/stay/rules/guarantee.ts';
import {
  type ExplicitHold,
  heldCharges,
  type Hold,
  pendingHoldId,
  promisedRates,
} from '../../../src/stay/rules/hold.ts';
import { usualReason } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { nightsSold, SOLD_FIELDS, sourceOfSold, windowOfSold } from '../channels/sold-by-channel.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkSharer } from '../guests/sharer.ts';
import { holdOf, nightsFrom, takeHeldRoom } from '../holds/explicit-hold.ts';
import { checkHeld } from '../holds/hold-bounds.ts';
import { checkInquiry, inquiryBooked } from '../holds/inquiries.ts';
import { moveNights } from '../nights.ts';
import { offering } from '../rates/alternatives.ts';
import { saleWindow } from '../state.ts';
import { takeAllotment } from './allotments.ts';
import { checkCardLimit } from './card-limit.ts';
import { basisAt } from './changed-price.ts';
import { checkWindow } from './stay-rules.ts';
import {
  chargesNow,
  checkGuests,
  checkMaxTotal,
  checkRooms,
  checkStay,
  checkTotal,
  overridden,
  nightsAt,
  nightsQuoted,
  planOfStay,
  planOfTerms,
} from './terms.ts';

const FIELDS = { checkIn: { pointer: '/stayDetails/checkIn' }, checkOut: { pointer: '/stayDetails/checkOut' } };

/** Books without a card: PENDING with held rooms, or CONFIRMED where no payment is needed. */
export function decideBook(draft: Draft, command: CommandOf<'BOOK'>, context: DecisionContext): Decision<'BOOK'> {
  const from = holdOf(draft, command.booking, context.now);
  const priced = priceBooking(draft, command.booking, context, from);
  const { policies } = draft.property!.metadata;
  const { total } = totals(priced.nights);
  // Without a deposit nothing is awaited, and a stay that a promotion makes free cannot be paid.
  const due = !command.booking.sold && !isGuaranteed(priced, total, policies, draft.today);
  const pendingPayment: Payment = {
    paymentId: command.pendingPaymentId,
    type: 'CHARGE',
    amount: total,
    method: null,
    status: 'PENDING',
    createdAt: context.now,
  };
  const expiresAt = context.now + policies.holdDurationSeconds * 1000;
  const reservation = entered(
    due
      ? { ...priced, status: 'PENDING', payments: [pendingPayment], holdExpiresAt: expiresAt }
      : { ...priced, status: waitsForDesk(command.booking, policies) ? 'PENDING' : 'CONFIRMED' },
    context,
    notesOf(command.booking).notes,
  );
  let used: Facts | undefined;
  if (due) {
    checkCardLimit(draft, command, context);
    const stay = nightsOf(reservation.stay);
    // A room out of a hold is held already.
    if (!from) checkHeld(draft, { stay, rooms: 1, groupId: priced.groupId, quota: command.quota }, context);
    const { guarantee, quota } = command;
    const hold: Hold = {
      id: pendingHoldId(reservation.id),
      kind: 'PENDING',
      ...stay,
      rooms: 1,
      expiresAt,
      createdAt: context.now,
      reservationId: reservation.id,
      ...(guarantee && { card: guarantee.card }),
      ...(quota && { subject: context.subject }),
    };
    used = takeHold(draft, hold, from);
    draft.payments.set(pendingPayment.paymentId, { reservationId: reservation.id, payment: pendingPayment });
  } else {
    used = from && takeHeldRoom(draft, from);
    if (from) moveNights(draft, from, 'held', -1);
    moveNights(draft, reservation.stay, 'booked', 1);
  }
  recordSale(draft, command.booking, reservation);
  insert(draft, reservation, context);
  return {
    result: { reservation },
    entity: reservation.id,
    facts: {
      bookings: [factOf('CREATED', reservation)],
      personal: command.booking.personal.name,
      ...used,
      ...inquiryBooked(draft, reservation, context.now),
    },
  };
}

/** Whether a booking without a payment waits until somebody confirms it. */
function waitsForDesk({ sold }: BookingRequest, { paymentRequired, autoConfirmation }: Policies): boolean {
  return !sold && paymentRequired && !autoConfirmation;
}

/** Checks every rule of a new booking and prices it; writes nothing. */
export function priceBooking(
  draft: Draft,
  booking: BookingRequest,
  context: DecisionContext,
  from?: ExplicitHold,
): Reservation {
  const property = draft.property!;
  const { stay, promoCode, groupId, sold } = booking;
  checkExternalId(draft, booking.source);
  checkInquiry(draft, booking, context.now);
  // A hold can be booked after its arrival night has ended: the guest arrives late.
  if (sold) checkWindow(windowOfSold(draft, stay), stay, SOLD_FIELDS);
  else checkWindow(from ? windowOf(draft, from) : saleWindow(draft), stay, FIELDS, from);
  const plan = (from ?? sold) ? planOfStay(draft, stay.rateCode) : planOfTerms(draft, stay.rateCode);
  // A hold and a quote promise it, and a channel has.
  if (!from && !booking.quote && !sold) {
    checkDayUse([plan], stay, FIELDS);
    checkDayIsLeft(stay, draft.property!.metadata, FIELDS, context.now);
  }
  const charges = chargesOfBooking(draft, booking, from);
  const { currency } = charges;
  const nights = offering(draft, booking, plan, () => {
    if (sold) return nightsSold(draft, stay, sold, plan);
    if (from) checkGuests(draft, stay);
    else checkStay(draft, booking, plan);
    const priced = pricedNights(draft, booking, plan, context, from);
    const { taxOnComp } = property.metadata.policies;
    const charged = booking.comp ? priced.map((night) => compedNight(night, taxOnComp)) : priced;
    checkPrice(draft, booking, { total: checkTotal(charged), currency }, context);
    if (!from) checkRooms(draft, booking);
    return priced;
  });
  const promised = from ? { lists: promisedRates(from, stay), basis: from.terms.basis } : booking.quote;
  const { metadata } = property;
  const secured = securedBy(draft, booking, from);
  const companyId = booking.companyId ?? (secured?.guarantee === 'COMPANY' ? secured.companyId : undefined);
  const priced: Reservation = {
    id: booking.reservationId,
    ...(booking.bookingId !== undefined && { bookingId: booking.bookingId }),
    propertyId: property.propertyId,
    confirmationNumber: booking.confirmationNumber,
    status: 'PENDING',
    guest: booking.guest,
    stay,
    nights,
    taxedBy: taxesByDay(stay, () => charges),
    basis: basisAt(draft, booking, plan, { nights, currency }, promised),
    currency,
    ...bookedTerms(draft, booking, plan, from),
    guarantee: guaranteeUnder(sold ? PAID_AT_DESK : secured, metadata.policies, booking.source),
    ...(companyId !== undefined && { companyId }),
    paid: 0,
    payments: [],
    promoCode,
    groupId,
    quoteId: booking.quote?.quoteId,
    source: sold ? sourceOfSold(draft, stay, sold, booking.source) : booking.source,
    specialRequests: booking.specialRequests,
    ...(booking.companions && { companions: booking.companions }),
    ...(booking.sharer && { sharer: booking.sharer }),
    ...(booking.roomWishes && booking.roomWishes.length > 0 && { roomWishes: booking.roomWishes }),
    billing: booking.billing,
    timeline: [],
    version: 1,
    createdAt: context.now,
    updatedAt: context.now,
  };
  checkSharer(priced, '/sharer');
  if (!booking.comp) return priced;
  const by = { reason: booking.comp.reason, by: context.subject, at: context.now };
  return withComp(priced, new Set(daysOf(stay)), by, metadata.policies.taxOnComp);
}

/** Nobody has the card of a guest who pays here: no room is released, whatever the plan says. */
export const PAID_AT_DESK: PlanGuarantee = { guarantee: 'NONE' };

/** @throws DomainError IDEMPOTENCY_IN_PROGRESS while the same booking of a channel is being paid */
function checkExternalId(draft: Draft, { channel, externalId }: BookingRequest['source']): void {
  if (externalId === undefined) return;
  for (const [, { booking }] of draft.holds) {
    const { source } = booking?.reservation ?? {};
    if (source?.externalId === externalId && source.channel === channel)
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The channel is booking it at this moment.', {
        retryAfterSeconds: 1,
      });
  }
}

/**
 * Terms of a booking: those promised by its hold, those of its group, or those of its plan. A group without terms of
 * its own has the property's usual ones.
 */
function bookedTerms(
  { property, groups }: Draft,
  { groupId }: BookingRequest,
  plan: RatePlan,
  from: ExplicitHold | undefined,
): { cancellationPolicy: string; terms: BookingTerms } {
  const { policies } = property!.metadata;
  const { plan: promised, cancellationPolicy: heldPolicy } = from?.terms ?? {};
  if (groupId !== undefined || heldPolicy !== undefined) {
    const cancellationPolicy = heldPolicy ?? policies.cancellationPolicy;
    const agreed = groupId === undefined ? undefined : groups.get(groupId)?.agreed?.terms;
    const own = agreed && { ofPlan: OF_GROUP, ...agreed };
    return { cancellationPolicy, terms: own ?? promised?.terms ?? termsUnder(cancellationPolicy, policies) };
  }
  return { cancellationPolicy: plan.cancellationPolicy, terms: termsOfPlan(plan, policies) };
}

/** Name of terms that a group has agreed on, in the place of a plan's code. */
const OF_GROUP = 'GROUP';

/**
 * What determines the guarantee of a booking: its group, the plan, or the plan as it was when the hold was placed.
 */
export function securedBy(
  draft: Draft,
  { groupId, stay }: BookingRequest,
  from: ExplicitHold | undefined,
): PlanGuarantee | undefined {
  if (groupId !== undefined) return draft.groups.get(groupId)?.agreed;
  return from?.terms.plan ?? planOfStay(draft, stay.rateCode);
}

/** Amount that a card pays at booking: what is due by the plan's deposit schedule, or the whole total without one. */
export function chargedAtOnce(
  { today, property }: Draft,
  reservation: Reservation,
  plan: PlanGuarantee | undefined,
): Minor {
  const { total } = totals(reservation.nights);
  if (plan?.guarantee === undefined) return total;
  return depositOf(reservation, total, property!.metadata.policies, today);
}

/** Taxes and fees for the nights of a booking: as promised, or as of now. */
function chargesOfBooking(draft: Draft, { stay, quote }: BookingRequest, from?: ExplicitHold): QuotedCharges {
  return quote?.charges ?? (from ? heldCharges(from) : chargesDuring(chargesNow(draft), stay));
}

/** The sale window of a booking out of a hold. */
function windowOf(draft: Draft, { checkIn }: ExplicitHold): SaleWindow {
  const { businessDate, lastNight } = saleWindow(draft);
  return { businessDate: Math.min(businessDate, checkIn), lastNight };
}

function pricedNights(
  draft: Draft,
  booking: BookingRequest,
  plan: RatePlan,
  { now }: DecisionContext,
  from?: ExplicitHold,
): Night[] {
  if (from) return nightsFrom(draft, from, booking, now);
  return booking.quote ? nightsQuoted(draft, booking.stay, booking.quote) : nightsAt(draft, booking, plan, now);
}

/** What the buyer was promised, and at most wants to pay. @throws DomainError QUOTE_EXPIRED, PRICE_CHANGED */
function checkPrice(
  draft: Draft,
  { quote, maxTotal }: BookingRequest,
  { total, currency }: { total: Minor; currency: string },
  { now }: DecisionContext,
): void {
  if (quote) {
    if (now >= quote.expiresAt) throw new DomainError('QUOTE_EXPIRED', 'The quote has expired.');
    if (draft.usedQuotes.get(quote.quoteId) !== undefined)
      throw new DomainError('QUOTE_EXPIRED', 'The quote was used before.');
  }
  checkMaxTotal(currency, maxTotal, total);
}

/**
 * What a sale takes besides its nights: its allotments, its quote, and its guest. With a card that is charged this is
 * done before the charge, so that a guest who is known under another id is detected in time.
 */
export function recordSale(draft: Draft, booking: BookingRequest, reservation: Reservation): void {
  takeAllotment(draft, reservation);
  useQuote(draft, booking);
  const { guest, wrappedKey, sharer, sharerKey } = booking;
  putGuest(draft, guest, wrappedKey);
  if (sharer) putGuest(draft, sharer, sharerKey);
}

/** A guest who becomes a profile with the commit, or whose profile must still be there. */
export function putGuest(draft: Draft, guest: Guest, wrappedKey: string | undefined): void {
  draft.guests.set(guest.guestId, { guest, ...(wrappedKey !== undefined && { wrappedKey }) });
}

function useQuote(draft: Draft, { quote, promoCode }: BookingRequest): void {
  if (!quote) return;
  draft.usedQuotes.set(quote.quoteId, quote.expiresAt);
  if (promoCode !== undefined) draft.promisedUnits.spend(promoCode, quote.quoteId);
}

/** A new reservation with its CREATED entry in the timeline. */
export function entered(reservation: Reservation, context: DecisionContext, notes?: string): Reservation {
  const { status } = reservation;
  const entry = { event: 'CREATED', timestamp: context.now, status, by: context.subject };
  const created = notes === undefined ? entry : { ...entry, notes };
  return { ...reservation, timeline: [created], createdAt: context.now, updatedAt: context.now };
}

export function notesOf({ override, comp }: BookingRequest): { notes?: string } {
  const notes = [override && overridden(override), comp && `Complimentary: ${comp.reason}`].filter(Boolean);
  return notes.length > 0 ? { notes: notes.join('. ') } : {};
}

export function insert(draft: Draft, reservation: Reservation, context: DecisionContext): void {
  draft.reservations.set(reservation.id, reservation);
  draft.created.add(reservation.id);
  draft.unfinished += 1;
  const { id, status } = reservation;
  const reason = usualReason(null, status);
  const { notes } = reservation.timeline.at(-1) ?? {};
  const said = { reason, ...(notes !== undefined && { notes }) };
  draft.history.push({ reservationId: id, from: null, to: status, at: context.now, by: context.subject, ...said });
}

export function nightsOf(stay: Stay): Pick<Hold, 'roomType' | 'checkIn' | 'checkOut'> {
  return { roomType: stay.roomType, checkIn: stay.checkIn, checkOut: stay.checkOut };
}

/** Holds free rooms, or the one that comes out of another hold and stays held throughout. */
export function takeHold(draft: Draft, hold: Hold, from?: ExplicitHold): Facts | undefined {
  const used = from && takeHeldRoom(draft, from);
  if (!used) moveNights(draft, hold, 'held', hold.rooms);
  draft.holds.set(hold.id, hold);
  draft.created.add(hold.id);
  return used;
}

/** Returns the rooms of a hold and removes it; a LATE hold has none. */
export function dropHold(draft: Draft, hold: Hold): void {
  if (hold.kind !== 'LATE') moveNights(draft, hold, 'held', -hold.rooms);
  draft.holds.delete(hold.id);
}
