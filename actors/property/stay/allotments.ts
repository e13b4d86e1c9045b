import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { unitFault } from '../../../src/rates/rules/promotion.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import type { ClaimedBy, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { hasGroupNights, pickUp } from '../groups/group-nights.ts';
import { useUnit } from '../rates/promotions.ts';

type Claimant = Pick<Reservation, 'stay' | 'promoCode' | 'groupId' | 'basis'>;

/** Takes what a booking needs besides its rooms: a unit of its promotion, and rooms of its group's blocks. */
export function takeAllotment(draft: Draft, claimant: Claimant): void {
  const { stay, promoCode, groupId } = claimant;
  if (promoCode !== undefined) useUnit(draft, promoCode, reducedNights(claimant), 1);
  if (groupId !== undefined) pickUp(draft, groupId, stay, 1);
}

/**
 * Returns these allotments: on cancellation, expiry, non-payment, or a move to other nights
 * (docs/concepts/actor.md#what-limits-a-sale).
 */
export function giveBackClaims(draft: Draft, claimant: Claimant): void {
  const { stay, promoCode, groupId } = claimant;
  if (promoCode !== undefined) useUnit(draft, promoCode, reducedNights(claimant), -1);
  if (groupId !== undefined) pickUp(draft, groupId, stay, -1);
}

/** Nights that count for the promotion: those that were booked with it, but not nights added later without it. */
export function reducedNights({ stay, basis }: Claimant): Day[] {
  if (!basis?.promotion) return daysOf(stay);
  return basis.nights.filter(({ isDiscounted }) => isDiscounted).map(({ day }) => day);
}

/** Which returned allotments cannot be taken again: the promotion has no unit left, or the group's blocks no room. */
export function claimsGone(draft: Draft, claimant: Claimant, left: Stay, now: Instant): ClaimedBy[] {
  const { promoCode, groupId } = claimant;
  const promotion = promoCode === undefined ? undefined : draft.promotions.get(promoCode);
  const nights = reducedNights(claimant).filter((day) => day >= draft.today);
  const hasNoUnit = promotion && unitFault(draft.promisedUnits.taken(promotion, now), nights) !== undefined;
  const hasNoBlock = groupId !== undefined && !hasGroupNights(draft, groupId, left);
  return [...(hasNoUnit ? (['promoCode'] as const) : []), ...(hasNoBlock ? (['groupId'] as const) : [])];
}
