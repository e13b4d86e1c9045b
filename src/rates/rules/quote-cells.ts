import type { Day } from '../../kernel/rules/dates.ts';
import { DEMAND } from './demand-model.ts';

/**
 * Quotes that are alike, counted (docs/concepts/forecast.md#counted-quotes): how many were shown, and how many of them
 * were booked. No guest, no party, no plan.
 */
export type QuoteCell = {
  roomType: string;
  arrival: Day;
  /** Row of `DEMAND.leadTimes`. */
  lead: number;
  /** 1 to {@link LONGEST_STAY}, which stands for all longer ones. */
  nights: number;
  /** Price of the stay as a part of its usual price: {@link ratioBucket}. */
  ratio: number;
  /** The competitors' price as a part of the property's own usual one: {@link marketBucket}. */
  market: number;
  shown: number;
  booked: number;
};

export const LONGEST_STAY = DEMAND.lengthOfStay.length;

/** Price ratios are counted in steps of 5 %, from half the usual price to its double. */
const RATIO = { from: 0.5, step: 0.05, steps: 30 } as const;

/** Row of `DEMAND.leadTimes` for so many days between quote and arrival. */
export function leadBucket(days: number): number {
  return Math.max(
    0,
    DEMAND.leadTimes.findLastIndex(({ fromDays }) => days >= fromDays),
  );
}

/** @returns 0 to 29; what is outside of half the usual price and its double belongs to the first and the last one */
export function ratioBucket(ratio: number): number {
  // Whole hundredths: 1.15 divided by 0.05 is less than 23.
  const steps = Math.floor(Math.round((ratio - RATIO.from) * 1_000) / (RATIO.step * 1_000));
  return Math.min(RATIO.steps - 1, Math.max(0, steps));
}

/** Mean price ratio of a bucket. */
export const ratioOf = (bucket: number): number => RATIO.from + (bucket + 1 / 2) * RATIO.step;

/** @returns 0 without competitors, else 1 to 30 */
export function marketBucket(ratio: number | undefined): number {
  return ratio === undefined ? 0 : 1 + ratioBucket(ratio);
}

/** Distance of the competitors' price from the property's usual one as a part of it; 0 without competitors. */
export const marketChangeOf = (bucket: number): number => (bucket === 0 ? 0 : ratioOf(bucket - 1) - 1);
