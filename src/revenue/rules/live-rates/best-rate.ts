import { log } from '../../../kernel/rules/portable-math.ts';
import { demandLeft } from '../../../rates/rules/demand-model.ts';

/** What a room costs to give away is tabulated up to so many times the usual rate. */
const MOST_COST = 12;
const STEPS_PER_UNIT = 16;
const STEP = 0.001;
/** Rates above this many times the usual one are outside of what the demand model knows. */
const MOST_RATE = 20;
/** Elasticities that stand for a doubtful one: in standard deviations, and their weights. */
const DOUBT = [
  { off: -Math.sqrt(3), weight: 1 / 6 },
  { off: 0, weight: 2 / 3 },
  { off: Math.sqrt(3), weight: 1 / 6 },
] as const;
/** A hotel's demand never rises with its rate. */
const LEAST_FACTOR = 0.1;

/** The rates that earn most, by what a room costs to give away; all as parts of the usual rate. */
export class BestRates {
  readonly #elasticities: readonly { elasticity: number; weight: number }[];
  readonly #rates: Float64Array;
  readonly #guests: Float64Array;
  readonly #gains: Float64Array;

  /**
   * @param elasticity of demand, as in the demand model
   * @param doubt standard deviation of it as a part of it: those who may mind little make high rates earn more, those
   * who may mind much make low ones earn more
   */
  constructor(elasticity: number, doubt: number) {
    this.#elasticities = DOUBT.map(({ off, weight }) => ({
      elasticity: elasticity * Math.max(LEAST_FACTOR, 1 + off * doubt),
      weight,
    }));
    const size = MOST_COST * STEPS_PER_UNIT + 2;
    this.#rates = Float64Array.from({ length: size }, (_, at) => this.#solve(at / STEPS_PER_UNIT));
    this.#guests = this.#rates.map((rate) => this.#left(rate));
    this.#gains = this.#rates.map((rate, n) => this.#guests[n]! * (rate - n / STEPS_PER_UNIT));
  }

  /** The rate with the highest expected gain over the cost: the cost plus what guests of this elasticity bear. */
  rate(cost: number): number {
    return at(this.#rates, cost);
  }

  /** Part of the guests of the usual rate who pay that rate. */
  guests(cost: number): number {
    return at(this.#guests, cost);
  }

  /** Expected gain at that rate over the cost, per guest who would come at the usual rate. */
  gain(cost: number): number {
    return at(this.#gains, cost);
  }

  #left(rate: number): number {
    return this.#elasticities.reduce(
      (sum, { elasticity, weight }) => sum + weight * demandLeft(elasticity, rate - 1),
      0,
    );
  }

  /** By bisection: below the best rate the next step upwards gains more than it loses. */
  #solve(cost: number): number {
    let low = cost;
    let high = MOST_RATE;
    for (let n = 0; n < 40; n++) {
      const middle = (low + high) / 2;
      if ((middle - cost) * this.#loss(middle) < 1) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Part of the guests that one more unit of the rate loses. */
  #loss(rate: number): number {
    return log(this.#left(rate - STEP) / this.#left(rate + STEP)) / (2 * STEP);
  }
}

function at(table: Float64Array, cost: number): number {
  const place = Math.min(Math.max(cost, 0) * STEPS_PER_UNIT, table.length - 2);
  const step = Math.trunc(place);
  const low = table[step]!;
  return low + (table[step + 1]! - low) * (place - step);
}

/** Tables that many nights share; more than a property needs, and few enough to keep. */
const MAX_TABLES = 256;
const tables = new Map<string, BestRates>();

/** Best rates of an elasticity and its doubt, in steps that are finer than either is known. */
export function bestRates(elasticity: number, doubt: number): BestRates {
  const rounded = { elasticity: Math.round(elasticity * 50) / 50, doubt: Math.round(doubt * 20) / 20 };
  const key = `${rounded.elasticity} ${rounded.doubt}`;
  const known = tables.get(key);
  if (known) return known;
  if (tables.size >= MAX_TABLES) tables.clear();
  const table = new BestRates(rounded.elasticity, rounded.doubt);
  tables.set(key, table);
  return table;
}
