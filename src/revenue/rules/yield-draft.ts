import type { Minor } from '../../kernel/rules/money.ts';
import { type Gene, geneNights } from './yield-choices.ts';
import type { RateRange } from './yield-limits.ts';
import { REACH, type YieldNights } from './yield-nights.ts';
import type { YieldNight } from './yield-problem.ts';

/** Expected sales of a night, of its remaining rooms, and the rate. */
export type NightSale = { night: YieldNight; rate: Minor; sold: number };

/** One plan of rates and its expected sales, without the tables of the search: the input of an answer. */
export class YieldDraft {
  readonly #genes: readonly Gene[];
  readonly #nights: YieldNights;
  readonly #bonus: readonly number[];
  readonly #nightsOf: readonly number[][];
  /** By night: its rates to choose from, the index of the current one, and that of the chosen one. */
  readonly #choices: readonly (readonly Minor[])[];
  readonly #now: Int32Array;
  readonly #chosen: Int32Array;
  readonly #rates: Float64Array;
  readonly #sold: Float64Array;

  /**
   * @param bonus value of a room sold on a night beside its rate
   * @param choices of each gene
   */
  constructor(genes: readonly Gene[], nights: YieldNights, bonus: readonly number[], choices: Int32Array) {
    const places = geneNights(genes);
    this.#genes = genes;
    this.#nights = nights;
    this.#bonus = bonus;
    this.#nightsOf = genes.map((): number[] => []);
    for (const [night, { gene }] of places.entries()) this.#nightsOf[gene]!.push(night);
    this.#choices = places.map(({ gene, place }) => genes[gene]!.choices[place]!);
    this.#now = Int32Array.from(places, ({ gene }) => genes[gene]!.now);
    this.#chosen = Int32Array.from(places, ({ gene }) => choices[gene]!);
    this.#rates = Float64Array.from(this.#chosen, (choice, night) => this.#choices[night]![choice]!);
    this.#sold = new Float64Array(nights.size);
    for (let night = 0; night < nights.size; night++) this.#sell(night);
  }

  /** The same plan, to be changed on its own. */
  copy(): YieldDraft {
    const other = new YieldDraft(this.#genes, this.#nights, this.#bonus, new Int32Array(this.#genes.length));
    for (const [night, choice] of this.#chosen.entries()) other.#chosen[night] = choice;
    other.#rates.set(this.#rates);
    other.#sold.set(this.#sold);
    return other;
  }

  /** Expected rooms sold over all nights. */
  get sold(): number {
    return this.#sold.reduce((sum, sold) => sum + sold, 0);
  }

  /** Value of the objective. */
  get value(): number {
    return this.#sold.reduce((sum, sold, night) => sum + sold * (this.#rates[night]! + this.#bonus[night]!), 0);
  }

  sales(): NightSale[] {
    return this.#nights.nights.map((night, index) => ({
      night,
      rate: this.#rates[index]!,
      sold: this.#sold[index]!,
    }));
  }

  /** The lowest and the highest rate that a night could have. */
  range(night: number): RateRange {
    const rates = this.#choices[night]!;
    return { lowest: rates[0]!, highest: rates.at(-1)! };
  }

  /** Nights whose rate changes. */
  changed(): number[] {
    return this.#nights.nights.flatMap(({ current }, night) => (this.#rates[night] === current ? [] : [night]));
  }

  /** Lowers rates, one choice of a gene each, round-robin, until so many rooms are sold or every rate is the lowest. */
  fill(needed: number): void {
    const open = this.#nightsOf.filter(([first]) => this.#chosen[first!]! > 0);
    while (this.sold < needed && open.length > 0)
      for (let gene = 0; gene < open.length && this.sold < needed; gene++) {
        const chosen = this.#chosen[open[gene]![0]!]! - 1;
        for (const night of open[gene]!) this.#choose(night, chosen);
        if (chosen === 0) open.splice(gene--, 1);
      }
  }

  /** Gives a night its current rate again. */
  leave(night: number): void {
    this.#choose(night, this.#now[night]!);
  }

  /** Takes back half of the change of a night's rate, in choices. */
  ease(night: number): void {
    const now = this.#now[night]!;
    this.#choose(night, now + Math.trunc((this.#chosen[night]! - now) / 2));
  }

  /** Lowers rates by one choice a night, round-robin, until so many rooms are sold or none is above that of a plan. */
  lowerTowards(other: YieldDraft, needed: number): void {
    let isLower = true;
    while (isLower && this.sold < needed) {
      isLower = false;
      for (let night = 0; night < this.#chosen.length && this.sold < needed; night++) {
        if (this.#chosen[night]! <= other.#chosen[night]!) continue;
        this.#choose(night, this.#chosen[night]! - 1);
        isLower = true;
      }
    }
  }

  #choose(night: number, choice: number): void {
    this.#chosen[night] = choice;
    this.#rates[night] = this.#choices[night]![choice]!;
    const end = Math.min(this.#nights.size, night + REACH + 1);
    for (let near = Math.max(0, night - REACH); near < end; near++) this.#sell(near);
  }

  #sell(night: number): void {
    this.#sold[night] = this.#nights.sold(night, this.#nights.changeSeen(night, this.#rates));
  }
}
