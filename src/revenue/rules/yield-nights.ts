import {
  ASSUMED_DEMAND,
  demandLeft,
  doubtOf,
  expectedSold,
  RATE_WEIGHTS,
  rateWeights,
  remainingElasticity,
  usualPrice,
} from '../../rates/rules/demand-model.ts';
import { type Gene, geneNights } from './yield-choices.ts';
import type { YieldNight, YieldProblem } from './yield-problem.ts';

/** Maximum distance of two nights of one stay. */
export const REACH = RATE_WEIGHTS.length - 1;
export const SPAN = 2 * REACH + 1;

/**
 * The nights of all genes, room type by room type and day by day, with their demand model. Guests decide
 * on the mean rate of their stay, so the sales of a night depend on the rates of `REACH` nights around it as well.
 */
export class YieldNights {
  readonly nights: readonly YieldNight[];
  readonly size: number;
  /** Remaining rooms. */
  readonly rooms: Int32Array;
  readonly current: Float64Array;
  readonly elasticity: Float64Array;
  readonly doubt: Float64Array;
  /** Reference price of guests. */
  readonly usual: Float64Array;
  /** `SPAN` weights a night: the influence of each surrounding night's change on its guests. They sum to 1. */
  readonly weights: Float64Array;

  constructor(genes: readonly Gene[], { today, demand = ASSUMED_DEMAND }: YieldProblem) {
    this.nights = geneNights(genes).map(({ night }) => night);
    this.size = this.nights.length;
    this.rooms = Int32Array.from(this.nights, ({ capacity, booked }) => Math.max(0, Math.floor(capacity - booked)));
    this.current = Float64Array.from(this.nights, ({ current }) => current);
    this.elasticity = Float64Array.from(this.nights, ({ day }) => remainingElasticity(day, today, demand.elasticity));
    this.doubt = Float64Array.from(this.nights, ({ expected, deviation }) => doubtOf(expected, deviation));
    this.usual = Float64Array.from(this.nights, ({ current, market }) => usualPrice(current, market));
    this.weights = this.#weights(rateWeights(demand.lengthOfStay));
  }

  /** The mean change of rates that the guests of a night see in their stays, as a part of the usual prices. */
  changeSeen(night: number, rates: ArrayLike<number>): number {
    const { current, usual, weights } = this;
    let change = 0;
    for (let near = 0; near < SPAN; near++) {
      const weight = weights[night * SPAN + near]!;
      const other = night + near - REACH;
      if (weight > 0) change += (weight * (rates[other]! - current[other]!)) / usual[other]!;
    }
    return change;
  }

  /** Expected rooms sold when the mean rate of its guests changes by a part of the usual price. */
  sold(index: number, change: number): number {
    const { expected } = this.nights[index]!;
    const mean = expected * demandLeft(this.elasticity[index]!, change);
    return expectedSold(mean, this.doubt[index]!, this.rooms[index]!);
  }

  /**
   * Two nights share as many stays as the one with the lowest demand, itself or between them, has; a night that is sold
   * out or without demand shares none. So a guest is never counted for a rate outside of the stay.
   */
  #weights(ofApart: readonly number[]): Float64Array {
    const weights = new Float64Array(this.size * SPAN);
    const guests = this.nights.map(({ expected }, index) => (this.rooms[index]! > 0 ? Math.max(expected, 0) : 0));
    for (let index = 0; index < this.size; index++) {
      let others = 0;
      for (const direction of [-1, 1]) {
        let shared = guests[index]!;
        for (let apart = 1; apart <= REACH && shared > 0; apart++) {
          const other = index + direction * apart;
          if (!this.#areNeighbours(other, other - direction)) break;
          shared = Math.min(shared, guests[other]!);
          const weight = (ofApart[apart]! * shared) / guests[index]!;
          weights[index * SPAN + REACH + direction * apart] = weight;
          others += weight;
        }
      }
      weights[index * SPAN + REACH] = 1 - others;
    }
    return weights;
  }

  #areNeighbours(one: number, other: number): boolean {
    const a = this.nights[one];
    const b = this.nights[other];
    return a !== undefined && b !== undefined && a.roomType === b.roomType && Math.abs(a.day - b.day) === 1;
  }
}
