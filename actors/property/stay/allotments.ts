import type { Day } from '../../../src/kernel/rules/dates.ts';
import { daysOf } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { pickUp } from '../groups/groups.ts';
import { useUnit } from '../rates/promotions.ts';

type Claimant = Pick<Reservation, 'stay' | 'promoCode' | 'groupId' | 'basis'>;

/** What a booking takes beside its rooms: a unit of its promotion, and rooms out of the blocks of its group. */
export function takeAllotment(draft: Draft, claimant: Claimant): void {
  const { stay, promoCode, groupId } = claimant;
  if (promoCode !== undefined) useUnit(draft, promoCode, reducedNights(claimant), 1);
  if (groupId !== undefined) pickUp(draft, groupId, stay, 1);
}

/**
 * Gives it back: cancelled, expired, not paid, or moved to other nights (docs/concepts/actor.md#what-limits-a-sale).
 */
export function giveBackClaims(draft: Draft, claimant: Claimant): void {
  const { stay, promoCode, groupId } = claimant;
  if (promoCode !== undefined) useUnit(draft, promoCode, reducedNights(claimant), -1);
  if (groupId !== undefined) pickUp(draft, groupId, stay, -1);
}

/** Nights that the promotion counts on: all of a stay that was booked with it, but not those that came later without. */
export function reducedNights({ stay, basis }: Claimant): Day[] {
  if (!basis?.promotion) return daysOf(stay);
  return basis.nights.filter(({ isDiscounted }) => isDiscounted).map(({ day }) => day);
}
