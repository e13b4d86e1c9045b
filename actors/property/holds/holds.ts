import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { priceOf } from '../../../src/money/rules/taxes.ts';
import { chargesDuring } from '../../../src/rates/rules/night-charges.ts';
import { type Stay, partyOf, partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { heldPlanOf } from '../../../src/stay/rules/booking-terms.ts';
import type { ExplicitHold, Hold } from '../../../src/stay/rules/hold.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { offering } from '../rates/alternatives.ts';
import { pricingOf } from '../rates/plans.ts';
import { dropHold, takeHold } from '../stay/booking.ts';
import { promisedBasis } from '../stay/promised-basis.ts';
import {
  chargesNow,
  checkMaxTotal,
  checkRooms,
  checkStay,
  checkTotal,
  nightsAt,
  planOfTerms,
  planOnSale,
} from '../stay/terms.ts';
import { isExplicit, openHold, quotedHold } from './explicit-hold.ts';
import { checkHeld, tooMuch } from './hold-bounds.ts';

/** Open holds of one property, over all clients. */
const MAX_OPEN = 1_000;

/** Holds in memory of one property, including those without rooms: a bound. */
export const MAX_REMEMBERED = 5_000;

/** How long a late booking gets HOLD_EXPIRED, at least until the next roll. */
const REMEMBERED_MS = 3_600_000;

const FIELDS = { checkIn: { pointer: '/checkIn' }, checkOut: { pointer: '/checkOut' } };

/**
 * Holds rooms for a client at the current price, all of them or none (docs/reference/reservations.md#holds). Every
 * rule of a booking is checked here, and not again when the hold is booked.
 * @throws DomainError as a booking, and QUOTA_EXCEEDED
 */
export function decidePlaceHold(
  draft: Draft,
  command: CommandOf<'PLACE_HOLD'>,
  context: DecisionContext,
): Decision<'PLACE_HOLD'> {
  const { rooms, stay, holdId: id, maxTotal, quota } = command;
  const plan = planOnSale(draft, stay, FIELDS, context.now);
  const expiresAt = context.now + draft.property!.metadata.policies.holdDurationSeconds * 1000;
  const as = { id, expiresAt, subject: context.subject };
  const hold = offering(draft, { stay, rooms }, plan, () =>
    freshHold(draft, { stay, rooms, maxTotal, quota }, as, context),
  );
  takeHold(draft, hold);
  return { result: hold, entity: id, facts: quotedHold('PLACED', hold) };
}

type Wanted = Pick<CommandOf<'PLACE_HOLD'>, 'stay' | 'rooms' | 'maxTotal' | 'quota'>;

/**
 * A hold at the current price, checked as a booking is and not placed yet: nothing is written.
 * @throws DomainError of `checkStay` and `checkRooms`, PRICE_CHANGED, QUOTA_EXCEEDED
 */
export function freshHold(
  draft: Draft,
  { stay, rooms, maxTotal, quota }: Wanted,
  { id, subject, expiresAt }: Pick<ExplicitHold, 'id' | 'expiresAt'> & { subject: string },
  context: DecisionContext,
): ExplicitHold {
  const plan = planOfTerms(draft, stay.rateCode);
  const wanted = { stay, rooms };
  const { policies, currency } = draft.property!.metadata;
  checkStay(draft, wanted, plan);
  checkMaxTotal(currency, maxTotal, checkTotal(nightsAt(draft, wanted, plan)));
  checkRooms(draft, wanted);
  checkLimits(draft, context);
  checkHeld(draft, { stay, rooms, quota }, context);
  const { rateCode, roomType, checkIn, checkOut } = stay;
  return {
    id,
    kind: 'EXPLICIT',
    roomType,
    checkIn,
    checkOut,
    rooms,
    createdAt: context.now,
    expiresAt,
    terms: {
      rooms,
      rateCode,
      cancellationPolicy: plan.cancellationPolicy,
      plan: heldPlanOf(plan, policies),
      ...partyOf(stay),
      ...(stay.dayUse && { dayUse: stay.dayUse }),
      currency,
      ...promiseOf(draft, stay),
      charges: chargesDuring(chargesNow(draft), stay),
      extended: false,
      subject,
    },
  };
}

/**
 * Current prices of the nights for any guests: for one person, two, and so on, where they depend on it alone; with what
 * they follow from, where they depend on the stay.
 */
function promiseOf(draft: Draft, stay: Stay): Pick<ExplicitHold['terms'], 'rates' | 'basis'> {
  const plan = planOfTerms(draft, stay.rateCode);
  const pricing = pricingOf(draft.plans, plan);
  const { occupancyRules } = pricing.lineage.at(-1)!;
  const ratesFor = (one: Stay): Minor[] => nightsAt(draft, { stay: one }, plan).map(priceOf);
  const rates = ratesFor(stay);
  const basis = promisedBasis(draft, draft.slab(stay.roomType)!, stay, pricing, rates);
  const promise = { rates: [rates], ...(basis && { basis }) };
  if (stay.dayUse || !occupancyRules) return promise;
  const { maxGuests: length } = draft.roomTypes.get(stay.roomType)!;
  const byPersons = Array.from({ length }, (_, index) => ratesFor({ ...stay, ...partyOfPersons(index + 1) }));
  return { ...promise, rates: byPersons };
}

/** Limits open holds per property. @throws DomainError QUOTA_EXCEEDED until the first of them has run out */
function checkLimits(draft: Draft, { now }: DecisionContext): void {
  const known = [...draft.holds].map(([, hold]) => hold).filter(isExplicit);
  if (known.length >= MAX_REMEMBERED) for (const { id } of endedHolds(draft)) draft.holds.delete(id);
  const open = known.filter(({ rooms }) => rooms > 0);
  if (open.length < MAX_OPEN) return;
  const retryAt = open.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Infinity);
  const words = 'Too many holds of the property are open; come back when the first of them has ended.';
  throw tooMuch('property-holds', words, { now, retryAt, extra: { limit: MAX_OPEN } });
}

/** Extends a hold by its duration, counted from now; once. @throws DomainError INVALID_STATE */
export function decideExtendHold(
  draft: Draft,
  { holdId }: CommandOf<'EXTEND_HOLD'>,
  context: DecisionContext,
): Decision<'EXTEND_HOLD'> {
  const hold = openHold(draft, holdId, context.now);
  mustHaveRooms(hold);
  if (hold.terms.extended) throw new DomainError('INVALID_STATE', 'A hold is extended once, and this one has been.');
  const { holdDurationSeconds } = draft.property!.metadata.policies;
  const expiresAt = Math.max(hold.expiresAt, context.now + holdDurationSeconds * 1000);
  const next = { ...hold, expiresAt, terms: { ...hold.terms, extended: true } };
  draft.holds.set(next.id, next);
  return { result: next, entity: holdId, facts: quotedHold('EXTENDED', next, hold) };
}

/** @throws DomainError INVALID_STATE where no rooms are left to extend or release */
function mustHaveRooms({ rooms }: Hold): void {
  if (rooms === 0) throw new DomainError('INVALID_STATE', 'All rooms of this hold are booked: it is used.');
}

/** Releases the unbooked rooms of a hold at once. @throws DomainError HOLD_NOT_FOUND, INVALID_STATE */
export function decideReleaseHold(draft: Draft, { holdId }: CommandOf<'RELEASE_HOLD'>): Decision<'RELEASE_HOLD'> {
  const hold = draft.holds.get(holdId);
  if (!hold || !isExplicit(hold) || hold.kind === 'LATE')
    throw new DomainError('HOLD_NOT_FOUND', 'The property has no such hold.');
  mustHaveRooms(hold);
  dropHold(draft, hold);
  return { result: { ...hold, rooms: 0 }, entity: holdId, facts: quotedHold('RELEASED', hold, hold) };
}

/** Drops remembered holds at the roll: from then on late bookings get HOLD_NOT_FOUND. */
export function forgetHolds(draft: Draft, now: Instant): void {
  for (const hold of endedHolds(draft))
    if (hold.kind === 'LATE' && hold.expiresAt + REMEMBERED_MS < now) draft.holds.delete(hold.id);
}

/** Holds of clients without rooms that get none back from an unpaid booking, and remembered expired reservations. */
export function endedHolds(draft: Draft): Hold[] {
  const all = [...draft.holds].map(([, hold]) => hold);
  const awaited = new Set(all.map(({ fromHold }) => fromHold));
  return all.filter(
    (hold) =>
      isRememberedLapse(hold) ||
      (isExplicit(hold) && hold.rooms === 0 && (hold.kind === 'LATE' || !awaited.has(hold.id))),
  );
}

/** Whether a hold only records an expired unpaid reservation, which counts against its creator. */
export function isRememberedLapse({ kind, lapsed, terms }: Hold): boolean {
  return kind === 'LATE' && lapsed !== undefined && terms === undefined;
}
