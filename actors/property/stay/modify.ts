import { guestAfter } from '../../../src/guests/rules/guest.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { SoldByChannel } from '../../../src/kernel/rules/commands/stay.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { sameValue } from '../../../src/kernel/rules/members.ts';
import { incrementOf, type Minor, roundTo } from '../../../src/kernel/rules/money.ts';
import { daysUntil } from '../../../src/kernel/rules/stay-days.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import { checkDayIsLeft, checkDayUse } from '../../../src/rates/rules/day-use.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { type Stay, sameStay, changedStay, PARTY_MEMBERS } from '../../../src/rates/rules/stay.ts';
import { bookingTermsOf, termsOfPlan } from '../../../src/stay/rules/booking-terms.ts';
import { guestChangesUntil, retainedByChange } from '../../../src/stay/rules/cancellation.ts';
import { compAfter } from '../../../src/stay/rules/comp.ts';
import { earlyDepartureCharges, nightsGivenBack } from '../../../src/stay/rules/early-departure.ts';
import { guaranteeUnder } from '../../../src/stay/rules/guarantee.ts';
import { changesOf } from '../../../src/stay/rules/reservation-leaves.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { pricedByChannel, SOLD_FIELDS, sourceOfSold, windowOfSold } from '../channels/sold-by-channel.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkSharer, sharerAfter } from '../guests/sharer.ts';
import { checkHeld } from '../holds/hold-bounds.ts';
import { checkExtrasLeft, withExtrasOfNights } from '../money/extra-stays.ts';
import { checkFolioTotal, checkPostings } from '../money/folio.ts';
import { refundsOf } from '../money/refunds.ts';
import { moveNights } from '../nights.ts';
import { offering } from '../rates/alternatives.ts';
import { takeAssignedRoom } from '../rooms/assign-rooms.ts';
import { inTheWay, isFreeFor } from '../rooms/pick-room.ts';
import { NO_ROOM } from '../rooms/room-stays.ts';
import { unmetIn } from '../rooms/room-wishes.ts';
import { saleWindow } from '../state.ts';
import { addedPrice } from './added-price.ts';
import { takeAllotment, giveBackClaims } from './allotments.ts';
import { PAID_AT_DESK, putGuest } from './booking.ts';
import { changeable } from './cancel.ts';
import { nightsUntil, pricedAfter, type PricedStay } from './changed-price.ts';
import { completePayment, settled } from './confirm.ts';
import { stayWithTonight } from './overdue-rooms.ts';
import { checkWindow, whatIsNew } from './stay-rules.ts';
import { checkRooms, checkStay, checkTotal, planOfStay, planOfTerms, checkMaxTotal, overridden } from './terms.ts';

const FIELDS = {
  checkIn: { pointer: '/modifications/stayDetails/checkIn' },
  checkOut: { pointer: '/modifications/stayDetails/checkOut' },
};

/** Changes a reservation (docs/reference/reservations.md#change), atomically over old and new nights. */
export function decideModify(
  draft: Draft,
  command: CommandOf<'MODIFY'>,
  context: DecisionContext,
): Decision<'MODIFY'> {
  const before = changeable(draft, command, 'modify');
  const stay = newStay(before.stay, command);
  const moved = !sameStay(before.stay, stay) || command.sold?.isAsBefore === false;
  if (before.status === 'CHECKED_IN') checkCheckedIn(draft, before.stay, stay);
  else if (!command.sold && (moved || PARTY_MEMBERS.some((member) => command.stay[member] !== undefined)))
    checkDeadline(draft, before, command, context);
  if (!command.sold) checkTerms(draft, before, stay);
  const priced = moved ? repriced(draft, before, stay, command, context) : undefined;
  const nights = priced?.nights ?? before.nights;
  const hold = moved ? draft.holds.get(before.id) : undefined;
  // A change must not extend an unpaid reservation from one night to ninety.
  const takesMore = hold !== undefined && nights.some(({ day }) => whatIsNew(stay, before.stay).night(day));
  if (takesMore)
    checkHeld(draft, { stay, rooms: 1, groupId: before.groupId, quota: command.quota, own: hold }, context);
  const changedStay = {
    ...afterCommand(draft, before, command, stay, nights, context),
    ...(moved && {
      ...priced,
      ...promotionLost(before, priced!),
      ...termsAfter(draft, before, stay, command.sold),
      ...leavesEarlier(draft, before, stay),
      ...(!command.sold && { ...feeAfter(draft, before), ...leastAfter(draft, before, context) }),
      ...(before.comp && compAfter(before, nights)),
      // What is booked now is the type that the guest has chosen.
      ...((stay.roomType !== before.stay.roomType || stay.rateCode !== before.stay.rateCode) && {
        bookedRoomType: undefined,
      }),
    }),
  };
  const wanted = extrasFollowing(draft, before, changedStay, command, context);
  checkSharer(wanted, '/modifications/sharer');
  const room = roomAfter(draft, before, wanted, moved);
  const others = moved ? displacedBy(draft, before, stay) : [];
  const { total } = folioTotals(wanted);
  checkMaxTotal(before.currency, command.maxTotal, total);
  const refund = Math.max(0, before.paid - total - creditOf(before));
  const order = { refundId: command.refundId, amount: refund, priced: wanted };
  const refunds = refundsOf(before, order, context.now);
  const changed = { ...wanted, ...room, paid: before.paid - refund, payments: [...before.payments, ...refunds] };
  const { additional, dueDate, deferred } = addedPrice(draft, before, changed, context);
  const refunded = { ...changed, ...deferred };
  const next = settled(draft, refunded, context);
  const result = {
    reservation: next,
    ...(moved && { previous: before.nights }),
    modificationId: command.modificationId,
    changes: changesOf(before, next),
    additional,
    dueDate,
    refund,
    modifiedAt: context.now,
  };
  if (command.dryRun) return { result, entity: before.id, facts: {}, dryRun: true };
  const without = others.map((other) => takeAssignedRoom(draft, other, context));
  if (moved) swapNights(draft, before, next, takesMore && command.quota ? context.subject : undefined);
  completePayment(draft, before, next, context);
  if (command.sharer) putGuest(draft, command.sharer, command.sharerKey);
  const bookings = [
    factOf('MODIFIED', refunded),
    ...(next.status === refunded.status ? [] : [factOf('CONFIRMED', next)]),
    ...without.map((other) => factOf('ROOM_ASSIGNED', other, before.id)),
  ];
  const facts = { bookings, personal: command.personal?.name };
  return { result, entity: before.id, facts };
}

function newStay(stay: Stay, { stay: wanted }: CommandOf<'MODIFY'>): Stay {
  const checkIn = wanted.checkIn ?? stay.checkIn;
  const departure = wanted.checkOut ?? departureAfter(stay, checkIn, wanted.nights);
  if (wanted.nights !== undefined && departure - checkIn !== wanted.nights)
    throw new DomainError('VALIDATION_FAILED', 'The nights disagree with the dates.', {
      errors: [
        {
          pointer: '/modifications/stayDetails/nights',
          code: 'NIGHTS_DISAGREE',
          detail: 'not check-out minus check-in',
        },
      ],
    });
  const { dayUse: _, ...others } = stay;
  return changedStay(others, { ...wanted, ...daysUntil(checkIn, departure) });
}

/** Departure where a change does not name one. Day use moves with its day. */
function departureAfter(stay: Stay, checkIn: Day, nights: number | undefined): Day {
  if (nights !== undefined) return checkIn + nights;
  return stay.dayUse ? checkIn : stay.checkOut;
}

/** Guests may change until the deadline; the property may, with a reason, until check-in. */
function checkDeadline(
  draft: Draft,
  before: Reservation,
  command: CommandOf<'MODIFY'>,
  context: DecisionContext,
): void {
  const byGuest = command.modifiedBy === undefined || command.modifiedBy === 'guest' || !command.reason;
  if (!byGuest) return;
  const { metadata } = draft.property!;
  if (context.now <= guestChangesUntil(before.stay.checkIn, metadata)) return;
  const hours = metadata.policies.modificationDeadlineHours;
  throw new DomainError('MODIFICATION_DEADLINE', `Changes end ${hours} hours before check-in.`);
}

/**
 * For a guest in house only the departure may move, and not into the past.
 * @throws DomainError INVALID_STATE, VALIDATION_FAILED
 */
function checkCheckedIn({ today }: Draft, before: Stay, stay: Stay): void {
  const { checkOut, dayUse } = stay;
  if (!sameStay({ ...before, checkOut, dayUse }, stay))
    throw new DomainError(
      'INVALID_STATE',
      'After check-in only the departure, requests and contact data can be changed.',
    );
  const earliest = Math.max(today, stay.checkIn + 1);
  const becomesDayUse = dayUse && !before.dayUse;
  if (!becomesDayUse && (checkOut === before.checkOut || checkOut >= earliest)) return;
  const detail = `${formatDay(earliest)} or later: the guest is in house`;
  throw new DomainError('VALIDATION_FAILED', 'The departure would be in the past.', {
    errors: [{ ...FIELDS.checkOut, code: 'IN_THE_PAST', detail }],
  });
}

function pricedStay({ nights, basis, taxedBy, promoCode }: Reservation): PricedStay {
  return { nights, basis, taxedBy, promoCode };
}

/** Checks the new parts of a changed stay, and prices it. */
function repriced(
  draft: Draft,
  before: Reservation,
  stay: Stay,
  { override, sold }: CommandOf<'MODIFY'>,
  { now }: DecisionContext,
): PricedStay {
  if (sold) checkWindow(windowOfSold(draft, stay), stay, SOLD_FIELDS, before.stay);
  if (sold) return pricedByChannel(draft, stay, sold, planOfStay(draft, stay.rateCode));
  // An earlier departure gives back future nights, and need not meet the limits for the stay in progress.
  if (before.status === 'CHECKED_IN' && stay.checkOut < before.stay.checkOut)
    return { ...pricedStay(before), nights: nightsUntil(draft, before, stay.checkOut) };
  const isOtherPlan = stay.rateCode !== before.stay.rateCode;
  const plan = isOtherPlan ? planToTake(draft, before, stay.rateCode) : planOfStay(draft, stay.rateCode);
  if (!before.stay.dayUse) checkDayUse([plan], stay, FIELDS);
  if (stay.checkIn !== before.stay.checkIn || !before.stay.dayUse)
    checkDayIsLeft(stay, draft.property!.metadata, FIELDS, now);
  // A guest in house who stays on has arrived.
  const current = before.status === 'CHECKED_IN' ? { ...before.stay, dayUse: stay.dayUse } : before.stay;
  const wanted = { ...before, stay, ...(override && { override }) };
  const window = saleWindow(draft);
  const businessDate = before.status === 'CHECKED_IN' ? stay.checkIn : window.businessDate;
  checkWindow({ ...window, businessDate }, stay, FIELDS, before.stay);
  return offering(draft, wanted, plan, () => {
    // The limits of another plan hold for the whole stay; its nights are those of the guest.
    checkStay(draft, wanted, plan, isOtherPlan ? undefined : current);
    const priced = pricedAfter(draft, before, wanted, plan);
    checkTotal(priced.nights);
    checkRooms(draft, wanted, stayWithTonight(draft, before));
    return priced;
  });
}

/** @throws DomainError UNKNOWN_RATE_CODE; INVALID_STATE for a booking of a group, which has prices of its own */
function planToTake(draft: Draft, { groupId }: Reservation, rateCode: string): RatePlan {
  if (groupId !== undefined)
    throw new DomainError('INVALID_STATE', 'A booking of a group has the rates of the group.');
  return planOfTerms(draft, rateCode);
}

/** Another plan brings its own guarantee and terms; what a cancellation would have cost is retained all the same. */
function termsAfter(
  draft: Draft,
  { stay, source, companyId }: Reservation,
  { rateCode }: Stay,
  sold: SoldByChannel | undefined,
): Partial<Reservation> {
  if (rateCode === stay.rateCode) return {};
  const plan = sold ? planOfStay(draft, rateCode) : planOfTerms(draft, rateCode);
  const { policies } = draft.property!.metadata;
  // A company that the former plan has named goes with it.
  const own = companyId === draft.plans.get(stay.rateCode)?.companyId ? undefined : companyId;
  return {
    cancellationPolicy: plan.cancellationPolicy,
    terms: termsOfPlan(plan, policies),
    guarantee: guaranteeUnder(sold ? PAID_AT_DESK : plan, policies, source),
    companyId: own ?? plan.companyId,
  };
}

/**
 * For a guest in house, nights given back now cost what they would at check-out
 * (docs/reference/reservations.md#check-in-and-check-out).
 */
function leavesEarlier(draft: Draft, before: Reservation, { checkOut }: Stay): Partial<Reservation> {
  if (before.status !== 'CHECKED_IN') return {};
  const { earlyDeparture } = bookingTermsOf(before, draft.property!.metadata.policies);
  const givenBack = nightsGivenBack(before, checkOut);
  return {
    givenBack,
    charges: earlyDepartureCharges(
      before,
      nightsUntil(draft, before, checkOut),
      checkOut,
      earlyDeparture,
      draft.today,
    ),
  };
}

/**
 * The changed stay with its extras by night (docs/reference/folio.md#extras-by-night).
 * @throws DomainError EXTRA_NOT_AVAILABLE, FOLIO_FULL, VALIDATION_FAILED
 */
function extrasFollowing(
  draft: Draft,
  before: Reservation,
  changed: Reservation,
  { extraStock }: CommandOf<'MODIFY'>,
  context: DecisionContext,
): Reservation {
  const next = withExtrasOfNights(draft, before, changed, context);
  if (next === changed) return changed;
  checkExtrasLeft(draft, before, next, extraStock);
  checkPostings(next, 0);
  checkFolioTotal(next, FIELDS.checkOut.pointer);
  return next;
}

/** @throws DomainError TERMS_FORBID_CHANGE where booked nights would be exchanged for others */
function checkTerms(draft: Draft, before: Reservation, { checkIn, checkOut }: Stay): void {
  const { stay, status } = before;
  if (status !== 'CONFIRMED' || (checkIn <= stay.checkIn && checkOut >= stay.checkOut)) return;
  if (bookingTermsOf(before, draft.property!.metadata.policies).change !== 'NOT_ALLOWED') return;
  throw new DomainError('TERMS_FORBID_CHANGE', 'The nights of this booking cannot be given up for others.');
}

/** Fee for the change itself, where the terms have one. */
function feeAfter({ property, today }: Draft, before: Reservation): Pick<Reservation, 'charges'> {
  const { change, changeFee = 0 } = bookingTermsOf(before, property!.metadata.policies);
  if (change !== 'FEE' || before.status !== 'CONFIRMED') return {};
  // The plan may be older than the property's currency.
  const amount = roundTo(changeFee, incrementOf(before.currency));
  const fee = { description: 'Change fee', amount, day: today, code: 'CHANGE_FEE' };
  return { charges: [...(before.charges ?? []), fee] };
}

/** A changed stay costs at least what its cancellation would have cost at this moment. */
function leastAfter(draft: Draft, before: Reservation, { now }: DecisionContext): Pick<Reservation, 'retained'> {
  const retained = retainedByChange(before, draft.property!.metadata, now);
  return retained > 0 ? { retained } : {};
}

/** A promotion that a change has lost is not returned again when the stay ends. */
function promotionLost({ promoCode, unclaimed = [] }: Reservation, priced: PricedStay): Partial<Reservation> {
  if (promoCode === undefined || priced.promoCode !== undefined) return {};
  return { unclaimed: [...unclaimed, 'promoCode'] };
}

/**
 * A room that does not fit the new nights or type, or does not meet what is required now, is given up; a guest in the
 * room keeps it.
 */
function roomAfter(draft: Draft, before: Reservation, wanted: Reservation, moved: boolean): Partial<Reservation> {
  const room = before.roomNumber === undefined ? undefined : draft.rooms.get(before.roomNumber);
  const wishesMore = !sameValue(before.roomWishes, wanted.roomWishes);
  if (!moved && (!wishesMore || !room)) return {};
  const { roomType } = wanted.stay;
  if (before.status !== 'CHECKED_IN' && !(room?.roomType === roomType && isFreeFor(draft, room, wanted)))
    return NO_ROOM;
  return room && wishesMore ? unmetIn(draft, wanted, room) : {};
}

/**
 * Future stays that lose their room to a guest who stays on; they get another one.
 * @throws DomainError ROOM_TAKEN where the room was assigned to one of them by hand, or its guest is in it already
 */
function displacedBy(draft: Draft, before: Reservation, stay: Stay): Reservation[] {
  const room = before.roomNumber === undefined ? undefined : draft.rooms.get(before.roomNumber);
  if (!room || before.status !== 'CHECKED_IN') return [];
  const others = inTheWay(draft, room, { ...before, stay });
  const stuck = others.find(({ status, fixed }) => status !== 'CONFIRMED' || fixed);
  if (!stuck) return others.map(({ reservationId }) => draft.needed(reservationId));
  const date = formatDay(stuck.checkIn);
  const extra = { reservationId: stuck.reservationId };
  throw new DomainError('ROOM_TAKEN', `Another reservation has the room from ${date} on.`, { date, extra });
}

/** Moves the counts from old to new nights. @param holder subject whose held rooms increase, where that is counted */
function swapNights(draft: Draft, before: Reservation, next: Reservation, holder?: string): void {
  const { stay } = next;
  const hold = draft.holds.get(before.id);
  const counter = hold ? 'held' : 'booked';
  moveNights(draft, before.stay, counter, -1);
  giveBackClaims(draft, before);
  moveNights(draft, stay, counter, 1);
  takeAllotment(draft, next);
  const { roomType, checkIn, checkOut } = stay;
  if (!hold) return;
  const subject = holder ?? hold.subject;
  draft.holds.set(hold.id, { ...hold, roomType, checkIn, checkOut, ...(subject !== undefined && { subject }) });
}

/** The reservation after the change; not stored in a dry run. */
function afterCommand(
  draft: Draft,
  before: Reservation,
  command: CommandOf<'MODIFY'>,
  stay: Stay,
  nights: Night[],
  context: DecisionContext,
): Reservation {
  const why = {
    at: context.now,
    by: command.modifiedBy ?? context.subject,
    notes: command.override ? overridden(command.override) : command.reason,
  };
  return after(before, 'modify', why, {
    stay,
    nights,
    guest: guestAfter(before.guest, command.guest),
    specialRequests: command.specialRequests ?? before.specialRequests,
    ...(command.companions && { companions: command.companions }),
    ...sharerAfter(draft, before, command),
    ...(command.sold && soldAfter(draft, before, stay, command.sold)),
    ...(command.roomWishes && { roomWishes: command.roomWishes.length > 0 ? command.roomWishes : undefined }),
  });
}

/** Who takes the money of a stay, as its channel says now. */
function soldAfter(draft: Draft, before: Reservation, stay: Stay, sold: SoldByChannel): Partial<Reservation> {
  const source = sourceOfSold(draft, stay, sold, before.source, before);
  return { source, guarantee: guaranteeUnder(PAID_AT_DESK, draft.property!.metadata.policies, source) };
}

/** Payments beyond the total of a stay with complimentary nights: refunded on request only. */
function creditOf(before: Reservation): Minor {
  return before.comp ? Math.max(0, before.paid - folioTotals(before).total) : 0;
}
