import type { Day } from '../../../kernel/rules/dates.ts';
import { DEMAND } from '../../../rates/rules/demand-model.ts';

/** Longest stay of a program; it stands for all longer ones. */
export const LONGEST_COUNTED = DEMAND.lengthOfStay.length;

/** Rounds that fit stays to nights; more change the demand of a night by some percent at most. */
const FIT_ROUNDS = 30;

/** Remaining demand for stays of one room type, by arrival and length. */
export type StayDemand = {
  /** Index of the first night, and number of nights. */
  arrival: Int32Array;
  length: Int32Array;
  /** Expected stays. */
  stays: Float64Array;
};

/**
 * Spreads the remaining demand of nights over stays of 1 to 7 nights. Lengths have the shares of the demand model; where
 * the demand of neighbouring nights differs, they are fitted so that the stays over a night sum to its demand. No stay
 * leads over a night without demand, or over a gap between the days.
 * @param days ascending
 * @param demand of each night in rooms, at least 0
 * @param lengths share of stays of 1, 2, 3 ... nights
 */
export function stayDemand(
  days: readonly Day[],
  demand: Float64Array,
  lengths: readonly number[] = DEMAND.lengthOfStay,
): StayDemand {
  const meanStay = lengths.reduce((sum, share, index) => sum + share * (index + 1), 0);
  const arrivals: number[] = [];
  const nights: number[] = [];
  const stays: number[] = [];
  for (let first = 0; first < days.length; first++) {
    let least = Infinity;
    for (let length = 1; length <= lengths.length; length++) {
      const last = first + length - 1;
      if (last >= days.length || days[last]! - days[first]! !== length - 1) break;
      least = Math.min(least, demand[last]!);
      if (!(least > 0)) break;
      arrivals.push(first);
      nights.push(length);
      stays.push((least * lengths[length - 1]!) / meanStay);
    }
  }
  const spread = {
    arrival: Int32Array.from(arrivals),
    length: Int32Array.from(nights),
    stays: Float64Array.from(stays),
  };
  for (let round = 0; round < FIT_ROUNDS; round++) fit(spread, demand);
  return spread;
}

/** One step of expectation maximization: each stay is scaled by what its nights lack on average. */
function fit({ arrival, length, stays }: StayDemand, demand: Float64Array): void {
  const covered = new Float64Array(demand.length);
  for (let stay = 0; stay < stays.length; stay++)
    for (let n = 0; n < length[stay]!; n++) covered[arrival[stay]! + n]! += stays[stay]!;
  for (let stay = 0; stay < stays.length; stay++) {
    let scale = 0;
    for (let n = 0; n < length[stay]!; n++) {
      const night = arrival[stay]! + n;
      scale += demand[night]! / covered[night]!;
    }
    stays[stay]! *= scale / length[stay]!;
  }
}
