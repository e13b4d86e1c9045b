import type { StayDemand } from './stay-demand.ts';

/**
 * Fares of guests, as parts of the rate of their nights: what discounts, terms and channels leave of it, and their
 * shares. An assumption; the mean is the rate itself.
 */
export const FARES = [
  { part: 1.2, share: 0.25 },
  { part: 1, share: 0.5 },
  { part: 0.8, share: 0.25 },
] as const;

/**
 * A linear program of one room type: `max sum(revenue x accepted)`, where over each night at most `rooms` stays are
 * accepted, and of each product from 0 to its `demand`. A product is an arrival, a length of stay and a fare.
 */
export type NightProgram = {
  /** Remaining rooms of each night. */
  rooms: Float64Array;
  /** Index of the first night, and number of nights. */
  arrival: Int32Array;
  length: Int32Array;
  demand: Float64Array;
  /** Of an accepted stay, in minor units. */
  revenue: Float64Array;
};

/**
 * Solves a program.
 * @returns dual values of the nights: what one more room would earn, at least 0; undefined when there is no solution
 */
export type SolveNights = (program: NightProgram) => Float64Array | undefined;

/** @param rates of the nights in minor units */
export function nightProgram(rooms: Float64Array, rates: Float64Array, spread: StayDemand): NightProgram {
  const { arrival, length, stays } = spread;
  const size = stays.length * FARES.length;
  const program = {
    rooms,
    arrival: new Int32Array(size),
    length: new Int32Array(size),
    demand: new Float64Array(size),
    revenue: new Float64Array(size),
  };
  let product = 0;
  for (let stay = 0; stay < stays.length; stay++) {
    let rate = 0;
    for (let n = 0; n < length[stay]!; n++) rate += rates[arrival[stay]! + n]!;
    for (const { part, share } of FARES) {
      program.arrival[product] = arrival[stay]!;
      program.length[product] = length[stay]!;
      program.demand[product] = stays[stay]! * share;
      program.revenue[product] = rate * part;
      product += 1;
    }
  }
  return program;
}
