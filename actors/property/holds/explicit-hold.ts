import type { BookingRequest } from '../../../src/kernel/rules/commands/stay.ts';
import { type FieldError, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { HoldId } from '../../../src/kernel/rules/ids.ts';
import type { Facts, HoldEvent, HoldFact } from '../../../src/kernel/rules/journal.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import { discounted } from '../../../src/rates/rules/promotion.ts';
import { nightsAreOver } from '../../../src/stay/rules/arrival.ts';
import { type ExplicitHold, heldNights, type Hold, holdStatus, promisedRates } from '../../../src/stay/rules/hold.ts';
import type { Draft } from '../draft.ts';
import { promotionFor } from '../rates/promotions.ts';
import { checkPriced, type WantedTerms } from '../stay/terms.ts';

/** @throws DomainError HOLD_NOT_FOUND, HOLD_EXPIRED */
export function openHold(draft: Draft, holdId: HoldId, now: Instant): ExplicitHold {
  const hold = draft.holds.get(holdId);
  if (!hold || !isExplicit(hold)) throw new DomainError('HOLD_NOT_FOUND', 'The property has no such hold.');
  if (holdStatus(hold, now) === 'EXPIRED')
    throw new DomainError('HOLD_EXPIRED', 'The time of this hold has run out.');
  if (nightsAreOver(hold, draft.today)) throw new DomainError('HOLD_EXPIRED', 'The nights of this hold are over.');
  return hold;
}

export function isExplicit(hold: Hold): hold is ExplicitHold {
  return hold.terms !== undefined;
}

/**
 * The hold that a booking takes its room out of; `undefined` when it names none. Rules were checked when the hold was
 * placed and are not checked again.
 * @throws DomainError HOLD_NOT_FOUND, HOLD_EXPIRED, VALIDATION_FAILED when the stay differs, ROOM_NOT_AVAILABLE when
 * all of its rooms are booked
 */
export function holdOf(draft: Draft, { fromHold, stay }: BookingRequest, now: Instant): ExplicitHold | undefined {
  if (fromHold === undefined) return undefined;
  const hold = openHold(draft, fromHold, now);
  const { rateCode, dayUse } = hold.terms;
  const held = { ...hold, rateCode, dayUse };
  const errors = (['checkIn', 'checkOut', 'dayUse', 'roomType', 'rateCode'] as const)
    .filter((field) => held[field] !== stay[field])
    .map((field): FieldError => {
      const detail = 'is not what the hold was placed for';
      return { pointer: `/stayDetails/${field}`, code: 'DIFFERS_FROM_HOLD', detail };
    });
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'The hold is for another stay.', { errors });
  if (hold.rooms === 0) throw new DomainError('ROOM_NOT_AVAILABLE', 'All rooms of this hold are booked.');
  return hold;
}

/** Nights of a booking out of a hold: at the held price, less the discount of a promotion. */
export function nightsFrom(
  draft: Draft,
  hold: ExplicitHold,
  { stay, promoCode }: WantedTerms,
  now: Instant,
): Night[] {
  const rates = promisedRates(hold, stay);
  rates.forEach((rate, index) => checkPriced(rate, hold.checkIn + index));
  if (promoCode === undefined) return heldNights(hold, rates, stay);
  const { discount } = promotionFor(draft, promoCode, stay, now);
  return heldNights(hold, discounted(rates, discount, hold.terms.currency), stay);
}

/** Transfers one room of the hold to a booking, under whose id it is held from now on. */
export function takeHeldRoom(draft: Draft, hold: ExplicitHold): Facts {
  return putRooms(draft, hold, hold.rooms - 1, 'USED');
}

/**
 * Returns the room of an unpaid booking to the hold that it came from, while that is still valid; `undefined` when it
 * must be released in another way. The room stays held throughout.
 */
export function returnRoom(draft: Draft, { kind, fromHold }: Hold, now: Instant): Facts | undefined {
  const hold = kind === 'PAYING' && fromHold !== undefined ? draft.holds.get(fromHold) : undefined;
  if (!hold || !isExplicit(hold) || holdStatus(hold, now) === 'EXPIRED') return undefined;
  return putRooms(draft, hold, hold.rooms + 1, 'RETURNED');
}

function putRooms(draft: Draft, hold: ExplicitHold, rooms: number, event: HoldEvent): Facts {
  const next = { ...hold, rooms };
  draft.holds.set(hold.id, next);
  return quotedHold(event, next, hold);
}

/** Journal facts about a hold. */
export function quotedHold(event: HoldEvent, hold: Hold, before?: Hold): { holds: HoldFact[] } {
  const { id, roomType, checkIn, checkOut, rooms, expiresAt } = hold;
  const fact: HoldFact = [event, id, roomType, checkIn, checkOut, rooms, expiresAt];
  if (before) fact.push([before.rooms, before.expiresAt]);
  return { holds: [fact] };
}
