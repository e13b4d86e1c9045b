import type { Minor } from './money.ts';
import { LOYALTY_TIERS, type LoyaltyTier } from './reservation.ts';

/** Days back in which nights count. */
export const LOYALTY_DAYS = 365;

/** Nights from which a tier begins (contracts.md 7). */
const NIGHTS: Record<LoyaltyTier, number> = { NONE: 0, SILVER: 5, GOLD: 20, PLATINUM: 50 };

/** The tier of a guest who stayed so many nights. */
export function tierOf(nights: number): LoyaltyTier {
  return LOYALTY_TIERS.findLast((tier) => nights >= NIGHTS[tier]) ?? 'NONE';
}

/** Points for a stay: ten for each unit of the currency of room revenue (contracts.md 7). */
export function loyaltyPoints(roomRevenue: Minor): number {
  return Math.floor(roomRevenue / 10);
}

/** How many types better a room may be for a guest of a tier, when none of the booked type is to be had. */
const STEPS_UP: Record<LoyaltyTier, number> = { NONE: 0, SILVER: 1, GOLD: 2, PLATINUM: Infinity };

export function stepsUp(tier: LoyaltyTier): number {
  return STEPS_UP[tier];
}
