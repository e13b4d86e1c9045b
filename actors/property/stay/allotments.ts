import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { pickUp } from '../groups/groups.ts';
import { useUnit } from '../rates/promotions.ts';

type Claimant = Pick<Reservation, 'stay' | 'promoCode' | 'groupId'>;

/** What a booking takes beside its rooms: a unit of its promotion, and rooms out of the blocks of its group. */
export function takeAllotment(draft: Draft, { stay, promoCode, groupId }: Claimant): void {
  if (promoCode !== undefined) useUnit(draft, promoCode, stay, 1);
  if (groupId !== undefined) pickUp(draft, groupId, stay, 1);
}

/**
 * Gives it back: cancelled, expired, not paid, or moved to other nights (docs/concepts/actor.md#what-limits-a-sale).
 */
export function giveBackClaims(draft: Draft, { stay, promoCode, groupId }: Claimant): void {
  if (promoCode !== undefined) useUnit(draft, promoCode, stay, -1);
  if (groupId !== undefined) pickUp(draft, groupId, stay, -1);
}
