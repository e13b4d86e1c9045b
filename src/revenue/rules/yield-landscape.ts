import { negated } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Landscape } from './genetic-search.ts';
import { type Gene, geneNights } from './yield-choices.ts';
import { REACH, SPAN, type YieldNights } from './yield-nights.ts';
import type { YieldNight, YieldProblem } from './yield-problem.ts';

/**
 * MAXIMIZE_OCCUPANCY values each room sold at so many times its current rate, so that a rate is not sacrificed for a
 * hundredth of a room. RevPAR is revenue by a capacity that rates do not change: both have the same best plan.
 */
const WORTH_WHEN_FULL = 20;

/** Steps of the table of a night's expected sales by the change of rates around it. */
const STEPS = 48;

/** How often the value of a room sold is doubled, then bisected, to meet a minimum of occupancy. */
const DOUBLINGS = 24;
const HALVINGS = 16;

/** Value of one more room sold beside its rate, under an objective: below 0 what it costs. */
export function roomBonus(
  { objective, constraints }: Pick<YieldProblem, 'objective' | 'constraints'>,
  { current }: Pick<YieldNight, 'current'>,
): number {
  if (objective === 'MAXIMIZE_OCCUPANCY') return WORTH_WHEN_FULL * current;
  return objective === 'MAXIMIZE_PROFIT' ? negated(constraints.costPerOccupiedRoom ?? 0) : 0;
}

/**
 * Plans of rates as a search landscape: a gene's number is the index of its rate. Fitness is the expected value of the
 * remaining rooms; negative when too few are sold, by the missing rooms. Sales come from precomputed tables: a night's
 * sales depend only on the mean change that its guests see.
 */
export class YieldLandscape implements Landscape {
  readonly tops: Int32Array;
  readonly first: readonly Int32Array[];
  /** Value of one more room for the requested occupancy; 0 when it is reached without. */
  readonly worthOfRoom: number = 0;
  readonly #genes: readonly Gene[];
  readonly #needed: number;
  readonly #nights: YieldNights;
  /** Start of a night's choices in `#changes`, and its gene. */
  readonly #offset: Int32Array;
  readonly #geneOf: Int32Array;
  /** Nights of each gene. */
  readonly #nightsOf: readonly number[][];
  /**
   * Change of each choice against the current rate, as a part of the usual price. 32 bits, so that caches hold them.
   */
  readonly #changes: Float32Array;
  readonly #bonus: Float64Array;
  /** Tables of expected sales: start, and steps per unit of change. */
  readonly #from: Float64Array;
  readonly #perChange: Float64Array;
  readonly #sales: Float32Array;
  /** State of the evaluated plan: the change of each night, with padding at both ends, and its sales. */
  readonly #seen: Float64Array;
  readonly #sold: Float64Array;

  /**
   * @param bonus value of a room sold on each night beside its rate
   * @param needed rooms that must still be sold over all nights; -Infinity for none
   */
  constructor(genes: readonly Gene[], nights: YieldNights, bonus: readonly number[], needed: number) {
    this.#genes = genes;
    this.#nights = nights;
    this.#needed = needed;
    const { size, current, usual } = nights;
    const places = geneNights(genes);
    const rows = places.map(({ gene, place }) => genes[gene]!.choices[place]!);
    this.tops = Int32Array.from(genes, ({ choices }) => choices[0]!.length - 1);
    this.#geneOf = Int32Array.from(places, ({ gene }) => gene);
    this.#nightsOf = genes.map((): number[] => []);
    for (const [night, { gene }] of places.entries()) this.#nightsOf[gene]!.push(night);
    let end = 0;
    this.#offset = Int32Array.from(rows, (rates) => (end += rates.length) - rates.length);
    this.#changes = Float32Array.from(
      rows.flatMap((rates, night) => rates.map((rate) => (rate - current[night]!) / usual[night]!)),
    );
    this.#bonus = Float64Array.from(bonus);
    this.#seen = new Float64Array(size + 2 * REACH);
    this.#sold = new Float64Array(size);
    this.#from = new Float64Array(size);
    this.#perChange = new Float64Array(size);
    this.#sales = new Float32Array(size * (STEPS + 2));
    this.#fillTables();
    const plain = this.#plain(0);
    this.first = [Int32Array.from(genes, ({ now }) => now), new Int32Array(genes.length), plain];
    if (this.#soldUnder(plain) < needed) {
      const { worth, plans } = this.#fuller();
      this.worthOfRoom = worth;
      this.first = [...this.first, ...plans];
    }
  }

  weigh(genes: Int32Array, worth: Float64Array): number {
    worth.fill(0);
    this.#see(genes);
    this.#sell();
    const sales = this.#sold;
    const seen = this.#seen;
    const geneOf = this.#geneOf;
    const bonus = this.#bonus;
    const usual = this.#nights.usual;
    const { current } = this.#nights;
    let value = 0;
    let sold = 0;
    for (let night = 0; night < sales.length; night++) {
      const rooms = sales[night]!;
      const gene = geneOf[night]!;
      const rate = current[night]! + seen[night + REACH]! * usual[night]!;
      const gained = rooms * (rate + bonus[night]!);
      sold += rooms;
      value += gained;
      worth[gene] = worth[gene]! + gained + rooms * this.worthOfRoom;
    }
    return sold < this.#needed ? sold - this.#needed : value;
  }

  #see(genes: Int32Array): void {
    const seen = this.#seen;
    const changes = this.#changes;
    const offset = this.#offset;
    const geneOf = this.#geneOf;
    for (let night = 0; night < geneOf.length; night++)
      seen[night + REACH] = changes[offset[night]! + genes[geneOf[night]!]!]!;
  }

  /** This and {@link #see} take nearly all of the search time. */
  #sell(): void {
    const sold = this.#sold;
    const seen = this.#seen;
    const sales = this.#sales;
    const from = this.#from;
    const perChange = this.#perChange;
    const { weights } = this.#nights;
    for (let night = 0, row = 0; night < sold.length; night++, row += SPAN) {
      let change = weights[row + REACH]! * seen[night + REACH]!;
      let later = 0;
      // Two accumulators: each addition waits for the one before.
      for (let near = 0; near < REACH; near++) {
        change += weights[row + near]! * seen[night + near]!;
        later += weights[row + REACH + 1 + near]! * seen[night + REACH + 1 + near]!;
      }
      change += later;
      sold[night] = saleAt(sales, night * (STEPS + 2), (change - from[night]!) * perChange[night]!);
    }
  }

  #sale(night: number, change: number): number {
    return saleAt(this.#sales, night * (STEPS + 2), (change - this.#from[night]!) * this.#perChange[night]!);
  }

  #fillTables(): void {
    for (let night = 0; night < this.#nights.size; night++) {
      let least = 0;
      let most = 0;
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

  /** Best choice of each gene on its own, as if all nights around changed alike, with a value on each room sold. */
  #plain(worthOfRoom: number): Int32Array {
    return Int32Array.from(this.#genes, ({ choices }, gene) => {
      let best = 0;
      let most = -Infinity;
      for (let choice = 0; choice < choices[0]!.length; choice++) {
        let value = 0;
        for (const of of this.#nightsOf[gene]!) {
          const change = this.#changes[this.#offset[of]! + choice]!;
          const rate = this.#nights.current[of]! + change * this.#nights.usual[of]!;
          value += this.#sale(of, change) * (rate + this.#bonus[of]! + worthOfRoom);
        }
        if (value > most) [best, most] = [choice, value];
      }
      return best;
    });
  }

  /**
   * The lowest value on a room at which these choices sell enough rooms, the choices, and mixtures with those at a
   * slightly lower value, which sell too few.
   */
  #fuller(): { worth: number; plans: Int32Array[] } {
    let low = 0;
    let high = Math.max(...this.#nights.current);
    let few = this.#plain(0);
    let enough = this.#plain(high);
    const isEnough = (plan: Int32Array): boolean => this.#soldUnder(plan) >= this.#needed;
    for (let n = 0; n < DOUBLINGS && !isEnough(enough); n++) {
      [low, high] = [high, high * 2];
      [few, enough] = [enough, this.#plain(high)];
    }
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      const choices = this.#plain(middle);
      if (isEnough(choices)) [high, enough] = [middle, choices];
      else [low, few] = [middle, choices];
    }
    const mixed = (genes: number): Int32Array =>
      Int32Array.from(enough, (choice, gene) => (gene < genes ? few[gene]! : choice));
    let most = 0;
    let tooMany = enough.length;
    while (tooMany - most > 1) {
      const middle = Math.floor((most + tooMany) / 2);
      if (isEnough(mixed(middle))) most = middle;
      else tooMany = middle;
    }
    return { worth: high, plans: [enough, mixed(most)] };
  }

  #soldUnder(genes: Int32Array): number {
    this.#see(genes);
    this.#sell();
    return this.#sold.reduce((sum, sold) => sum + sold, 0);
  }
}

/** Interpolates between two steps of the table that begins at `row`. */
function saleAt(sales: Float32Array, row: number, at: Instant): number {
  const step = at < 0 ? 0 : at > STEPS ? STEPS : Math.trunc(at);
  const low = sales[row + step]!;
  return low + (sales[row + step + 1]! - low) * (at - step);
}
