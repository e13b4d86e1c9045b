import { sum } from '../../../kernel/rules/figures.ts';
import { DEMAND } from '../../../rates/rules/demand-model.ts';
import type { DemandSource } from './demand-family.ts';

/** Stays of 1, 2, ... nights. */
export type LengthCounts = readonly number[];

/** Bookings that the assumed lengths are worth, and those of the other properties of a tenant. */
const WORTH = { assumed: 30, chain: 60 } as const;

/** Bookings of one other property that count at most: the largest one is not the chain. */
const MAX_OF_A_PROPERTY = 200;

/**
 * Shares of the lengths of stay (Dirichlet's distribution): those of the assumptions, then of the other properties,
 * then of the own bookings, each the more the more bookings there are. The shares sum to 1.
 */
export function learnLengths(
  own: LengthCounts,
  others: readonly LengthCounts[],
): { shares: number[]; from: DemandSource; bookings: number } {
  const limited = others.map((counts) => {
    const part = Math.min(1, MAX_OF_A_PROPERTY / Math.max(1, sum(counts, Number)));
    return counts.map((count) => count * part);
  });
  const elsewhere = DEMAND.lengthOfStay.map((_, index) => sum(limited, (counts) => counts[index] ?? 0));
  const chain = mixed(elsewhere, DEMAND.lengthOfStay, WORTH.assumed);
  const bookings = sum(own, Number);
  const shares = mixed(own, chain, WORTH.chain);
  if (bookings >= WORTH.chain) return { shares, from: 'PROPERTY', bookings };
  return { shares, from: sum(elsewhere, Number) >= WORTH.assumed ? 'CHAIN' : 'PRIOR', bookings };
}

function mixed(counts: LengthCounts, before: readonly number[], worth: number): number[] {
  const whole = sum(before, Number);
  const all = sum(counts, Number) + worth;
  return before.map((share, index) => ((counts[index] ?? 0) + (worth * share) / whole) / all);
}
