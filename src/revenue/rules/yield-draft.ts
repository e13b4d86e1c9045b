import type { Minor } from '../../kernel/rules/money.ts';
import type { Gene } from './yield-choices.ts';
import { REACH, SPAN, type YieldNights } from './yield-nights.ts';
import type { YieldNight } from './yield-problem.ts';

/** A change that gains less than this part of its nights' revenue is not worth a new price list. */
const LEAST_GAIN = 0.001;

/** Expected sales of a night, of its remaining rooms, and the rate. */
export type NightSale = { night: YieldNight; rate: Minor; sold: number };

/** One plan of rates and its expected sales, without the tables of the search: the input of an answer. */
export class YieldDraft {
  readonly choices: Int32Array;
  readonly #genes: readonly Gene[];
  readonly #nights: YieldNights;
  readonly #bonus: readonly number[];
  /** First night of each gene; one more at the end. */
  readonly #starts: number[];
  readonly #rates: Float64Array;
  readonly #sold: Float64Array;

  /** @param bonus value of a room sold on a night beside its rate */
  constructor(genes: readonly Gene[], nights: YieldNights, bonus: readonly number[], choices: Int32Array) {
    this.#genes = genes;
    this.#nights = nights;
    this.#bonus = bonus;
    this.choices = Int32Array.from(choices);
    let end = 0;
    this.#starts = [0, ...genes.map((gene) => (end += gene.nights.length))];
    this.#rates = new Float64Array(nights.size);
    this.#sold = new Float64Array(nights.size);
    for (const gene of genes.keys()) this.#setRates(gene);
    for (let night = 0; night < nights.size; night++) this.#sell(night);
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

  /** Lowers rates, one choice each, round-robin, until so many rooms are sold or every rate is the lowest. */
  fill(needed: number): void {
    while (this.sold < needed && this.choices.some((choice) => choice > 0))
      for (let gene = 0; gene < this.choices.length && this.sold < needed; gene++)
        if (this.choices[gene]! > 0) this.#choose(gene, this.choices[gene]! - 1);
  }

  /**
   * Reverts changes that gain next to nothing, while enough rooms are sold.
   * @param worthOfRoom additional value of a room for the requested occupancy
   */
  forgetTrifles(needed: number, worthOfRoom: number): void {
    for (const [gene, { now }] of this.#genes.entries()) {
      const chosen = this.choices[gene]!;
      if (chosen === now) continue;
      const own = this.#worth(this.#starts[gene]!, this.#starts[gene + 1]!, worthOfRoom);
      const before = this.#worthAround(gene, worthOfRoom);
      this.#choose(gene, now);
      if (before - this.#worthAround(gene, worthOfRoom) > LEAST_GAIN * own || this.sold < needed)
        this.#choose(gene, chosen);
    }
  }

  #choose(gene: number, choice: number): void {
    this.choices[gene] = choice;
    this.#setRates(gene);
    const [from, to] = this.#around(gene);
    for (let night = from; night < to; night++) this.#sell(night);
  }

  #setRates(gene: number): void {
    for (const [place, rates] of this.#genes[gene]!.choices.entries())
      this.#rates[this.#starts[gene]! + place] = rates[this.choices[gene]!]!;
  }

  #sell(night: number): void {
    const { nights, usual, weights } = this.#nights;
    let change = 0;
    for (let near = 0; near < SPAN; near++) {
      const other = night + near - REACH;
      const weight = weights[night * SPAN + near]!;
      if (weight > 0) change += (weight * (this.#rates[other]! - nights[other]!.current)) / usual[other]!;
    }
    this.#sold[night] = this.#nights.sold(night, change);
  }

  /** Nights whose sales a gene affects. */
  #around(gene: number): [from: number, to: number] {
    return [Math.max(0, this.#starts[gene]! - REACH), Math.min(this.#nights.size, this.#starts[gene + 1]! + REACH)];
  }

  #worthAround(gene: number, worthOfRoom: number): number {
    return this.#worth(...this.#around(gene), worthOfRoom);
  }

  #worth(from: number, to: number, worthOfRoom: number): number {
    let worth = 0;
    for (let night = from; night < to; night++)
      worth += this.#sold[night]! * (this.#rates[night]! + this.#bonus[night]! + worthOfRoom);
    return worth;
  }
}
