import type { Minor } from '../../kernel/rules/money.ts';
import { LOYALTY_TIERS, type LoyaltyTier } from './guest.ts';

/** Period in days in which nights count. */
export const LOYALTY_DAYS = 365;

/** Minimum nights of a tier (docs/reference/guests.md#loyalty). */
const NIGHTS: Record<LoyaltyTier, number> = { NONE: 0, SILVER: 5, GOLD: 20, PLATINUM: 50 };

export function tierOf(nights: number): LoyaltyTier {
  return LOYALTY_TIERS.findLast((tier) => nights >= NIGHTS[tier]) ?? 'NONE';
}

/** Nights of a tier: `least` inclusive, `below` exclusive. */
export function nightsOfTier(tier: LoyaltyTier): { least: number; below?: number } {
  const next = LOYALTY_TIERS[LOYALTY_TIERS.indexOf(tier) + 1];
  return { least: NIGHTS[tier], below: next && NIGHTS[next] };
}

/** Next higher tier, and the nights missing; `undefined` at the top. */
export function nextTier(nights: number): { tier: LoyaltyTier; nightsToGo: number } | undefined {
  const tier = LOYALTY_TIERS[LOYALTY_TIERS.indexOf(tierOf(nights)) + 1];
  return tier && { tier, nightsToGo: NIGHTS[tier] - nights };
}

/** Points of a member for a stay: ten for each unit of the currency of room revenue; none without a tier. */
export function loyaltyPoints(roomRevenue: Minor, tier: LoyaltyTier): number {
  return tier === 'NONE' ? 0 : Math.floor(roomRevenue / 10);
}

/** Steps by which a guest of a tier may be upgraded when no room of the booked type is available. */
const STEPS_UP: Record<LoyaltyTier, number> = { NONE: 0, SILVER: 1, GOLD: 2, PLATINUM: Infinity };

export function stepsUp(tier: LoyaltyTier): number {
  return STEPS_UP[tier];
}
