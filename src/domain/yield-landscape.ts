import type { Landscape } from './genetic-search.ts';
import type { Gene } from './yield-choices.ts';
import { REACH, SPAN, type YieldNights } from './yield-nights.ts';
import type { Objective } from './yield-problem.ts';

/**
 * MAXIMIZE_OCCUPANCY values each room sold at so many times its current rate, so that a rate is not thrown away for a
 * hundredth of a room. RevPAR is revenue by a capacity that rates do not change: both have the same best plan.
 */
const WORTH_OF_A_FULL_HOUSE = 20;

/** Steps of the table that holds a night's expected sale by the change of rates around it. */
const STEPS = 96;

/** How often the value of a room sold is doubled, then halved in, to meet a minimum of occupancy. */
const DOUBLINGS = 24;
const HALVINGS = 16;

/** What one more room sold brings beside its rate, under an objective. */
export function roomBonus(objective: Objective, current: number): number {
  return objective === 'MAXIMIZE_OCCUPANCY' ? WORTH_OF_A_FULL_HOUSE * current : 0;
}

/**
 * Plans of rates as a landscape to search: a gene's number is which of its rates is chosen. Fitness is the expected value
 * of the rooms still to sell; below 0 when fewer are sold than must be, by so many rooms. Sales come from tables, made
 * once: a night's sale depends on one number only, the change that its guests see.
 */
export class YieldLandscape implements Landscape {
  readonly tops: Int32Array;
  readonly first: readonly Int32Array[];
  /** What one more room is worth for the sake of the occupancy that was asked for; 0 when it comes by itself. */
  readonly worthOfRoom: number = 0;
  readonly #genes: readonly Gene[];
  readonly #needed: number;
  readonly #nights: YieldNights;
  /** Where the choices of a night begin in `#rates` and `#changes`, and which gene chooses. */
  readonly #offset: Int32Array;
  readonly #geneOf: Int32Array;
  readonly #rates: Float64Array;
  /** The same as a part of the usual price, against the rate of now. */
  readonly #changes: Float64Array;
  readonly #bonus: Float64Array;
  /** Tables of expected sales: begin and steps by unit of change. */
  readonly #from: Float64Array;
  readonly #perChange: Float64Array;
  readonly #sales: Float64Array;
  /** Scratch: the change of each night under the plan at hand, with room at both ends. */
  readonly #seen: Float64Array;

  /** @param needed rooms that must still be sold over all nights; 0 for none */
  constructor(genes: readonly Gene[], nights: YieldNights, objective: Objective, needed: number) {
    this.#genes = genes;
    this.#nights = nights;
    this.#needed = needed;
    const { size } = nights;
    const rows = genes.flatMap(({ choices }, gene) => choices.map((rates) => ({ rates, gene })));
    this.tops = Int32Array.from(genes, ({ choices }) => choices[0]!.length - 1);
    this.#geneOf = Int32Array.from(rows, ({ gene }) => gene);
    this.#rates = Float64Array.from(rows.flatMap(({ rates }) => rates));
    let end = 0;
    this.#offset = Int32Array.from(rows, ({ rates }) => (end += rates.length) - rates.length);
    this.#changes = Float64Array.from(
      rows.flatMap(({ rates }, night) => rates.map((rate) => this.#changeOf(night, rate))),
    );
    this.#bonus = Float64Array.from(nights.nights, ({ current }) => roomBonus(objective, current));
    this.#seen = new Float64Array(size + 2 * REACH);
    this.#from = new Float64Array(size);
    this.#perChange = new Float64Array(size);
    this.#sales = new Float64Array(size * (STEPS + 2));
    this.#fillTables();
    const plain = this.#plain(0);
    this.first = [Int32Array.from(genes, ({ now }) => now), new Int32Array(genes.length), plain];
    if (this.#soldUnder(plain) < needed) {
      const { worth, plan } = this.#fuller();
      this.worthOfRoom = worth;
      this.first = [...this.first, plan];
    }
  }

  weigh(genes: Int32Array, worth: Float64Array): number {
    const [offset, geneOf] = [this.#offset, this.#geneOf];
    this.#see(genes);
    worth.fill(0);
    let [value, sold] = [0, 0];
    for (let night = 0; night < geneOf.length; night++) {
      const rooms = this.#sale(night, this.#changeAround(night));
      const gene = geneOf[night]!;
      const brought = rooms * (this.#rates[offset[night]! + genes[gene]!]! + this.#bonus[night]!);
      sold += rooms;
      value += brought;
      worth[gene] = worth[gene]! + brought + rooms * this.worthOfRoom;
    }
    return sold < this.#needed ? sold - this.#needed : value;
  }

  #see(genes: Int32Array): void {
    for (let night = 0; night < this.#geneOf.length; night++)
      this.#seen[night + REACH] = this.#changes[this.#offset[night]! + genes[this.#geneOf[night]!]!]!;
  }

  #changeAround(night: number): number {
    const { weights } = this.#nights;
    let change = 0;
    for (let near = 0; near < SPAN; near++) change += weights[night * SPAN + near]! * this.#seen[night + near]!;
    return change;
  }

  #changeOf(night: number, rate: number): number {
    return (rate - this.#nights.nights[night]!.current) / this.#nights.usual[night]!;
  }

  #sale(night: number, change: number): number {
    const at = (change - this.#from[night]!) * this.#perChange[night]!;
    const step = Math.min(STEPS, Math.max(0, Math.trunc(at)));
    const place = night * (STEPS + 2) + step;
    const low = this.#sales[place]!;
    return low + (this.#sales[place + 1]! - low) * (at - step);
  }

  #fillTables(): void {
    for (let night = 0; night < this.#nights.size; night++) {
      let [least, most] = [0, 0];
      for (let near = 0; near < SPAN; near++) {
        if (this.#nights.weights[night * SPAN + near] === 0) continue;
        const other = night + near - REACH;
        least = Math.min(least, this.#changes[this.#offset[other]!]!);
        most = Math.max(most, this.#changes[(this.#offset[other + 1] ?? this.#changes.length) - 1]!);
      }
      const step = (most - least) / STEPS;
      this.#from[night] = least;
      this.#perChange[night] = step > 0 ? 1 / step : 0;
      for (let at = 0; at < STEPS + 2; at++)
        this.#sales[night * (STEPS + 2) + at] = this.#nights.sold(night, least + at * step);
    }
  }

  /** The best choice of each gene on its own, as if all nights around changed alike, with a price on each room sold. */
  #plain(worthOfRoom: number): Int32Array {
    let night = 0;
    return Int32Array.from(this.#genes, ({ choices }) => {
      const first = night;
      night += choices.length;
      let [best, most] = [0, -Infinity];
      for (let choice = 0; choice < choices[0]!.length; choice++) {
        let value = 0;
        for (let of = first; of < night; of++) {
          const place = this.#offset[of]! + choice;
          value += this.#sale(of, this.#changes[place]!) * (this.#rates[place]! + this.#bonus[of]! + worthOfRoom);
        }
        if (value > most) [best, most] = [choice, value];
      }
      return best;
    });
  }

  /** The least price on a room at which plain choices sell as many rooms as are needed, or nearly the highest one. */
  #fuller(): { worth: number; plan: Int32Array } {
    let [low, high] = [0, Math.max(...this.#nights.nights.map(({ current }) => current))];
    let plan = this.#plain(high);
    for (let n = 0; n < DOUBLINGS && this.#soldUnder(plan) < this.#needed; n++) {
      [low, high] = [high, high * 2];
      plan = this.#plain(high);
    }
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      const tried = this.#plain(middle);
      if (this.#soldUnder(tried) < this.#needed) low = middle;
      else [high, plan] = [middle, tried];
    }
    return { worth: high, plan };
  }

  #soldUnder(genes: Int32Array): number {
    this.#see(genes);
    let sold = 0;
    for (let night = 0; night < this.#geneOf.length; night++) sold += this.#sale(night, this.#changeAround(night));
    return sold;
  }
}
