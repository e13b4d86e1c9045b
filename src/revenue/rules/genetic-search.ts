import { Random } from '../../kernel/rules/random.ts';

/**
 * Search space: genes, each a whole number from 0 to its top. The worth of a gene may depend on others, mostly on its
 * neighbours, which should be adjacent.
 */
export type Landscape = {
  tops: Int32Array;
  /** Starting points, at least one; the best of them is never lost. */
  first: readonly Int32Array[];
  /**
   * Writes the worth of each gene under these settings, which guides crossing, into `worth`.
   * @returns the fitness: 0 or more; negative when a constraint is violated, by how much
   */
  weigh(genes: Int32Array, worth: Float64Array): number;
};

type SearchOptions = {
  seed: number;
  /** Maximum of generations. */
  generations?: number;
  /** The search ends when the best fitness has changed by less than this part over {@link settledOver} generations. */
  convergence?: number;
  settledOver?: number;
  /** Called every 20 generations with their number. */
  onProgress?: (generations: number) => void;
};

type Found = { genes: Int32Array; fitness: number; generations: number };

export const GENERATIONS = 1_000;
const CONVERGENCE = 0.001;
const SETTLED_OVER = 50;
const PROGRESS_EVERY = 20;
const POPULATION = 16;
/** Shares of genes that a child mutates; with the first it only inherits. */
const MUTATED_PARTS = [0, 0, 1 / 64, 1 / 24, 1 / 8];
/** Mean lengths of the segments that a child takes from one parent. */
const STRETCHES = [2, 8, 32];

type Individual = { genes: Int32Array; worth: Float64Array; fitness: number };

/**
 * Genetic search. A child takes each segment from the parent in which it is worth more, so that partial solutions
 * combine; then a few genes mutate, mostly by small steps. The best of parents and children survive. The same landscape
 * and seed give the same result on every machine.
 */
export function searchGenetically(landscape: Landscape, options: SearchOptions): Found {
  const { generations = GENERATIONS, convergence = CONVERGENCE, settledOver = SETTLED_OVER } = options;
  const random = new Random(options.seed);
  const free = Int32Array.from(landscape.tops.keys()).filter((gene) => landscape.tops[gene]! > 0);
  let people = firstPopulation(landscape, free, random);
  const history = [people[0]!.fitness];
  let generation = 0;
  while (generation < generations && free.length > 0 && !isSettled(history, settledOver, convergence)) {
    for (const child of people.slice(POPULATION)) {
      cross(parent(people, random), parent(people, random), child, random);
      mutate(child.genes, landscape.tops, free, random);
      child.fitness = landscape.weigh(child.genes, child.worth);
    }
    people = ranked(people);
    history.push(people[0]!.fitness);
    generation += 1;
    if (generation % PROGRESS_EVERY === 0) options.onProgress?.(generation);
  }
  return { genes: people[0]!.genes, fitness: people[0]!.fitness, generations: generation };
}

/** Survivors, best first, followed by as many slots for the next children. */
function firstPopulation(landscape: Landscape, free: Int32Array, random: Random): Individual[] {
  const { tops, first } = landscape;
  const people: Individual[] = [];
  for (let n = 0; n < 2 * POPULATION; n++) {
    const genes = Int32Array.from(first[n % first.length]!);
    // Repeated starting points begin with some mutated genes.
    if (n >= first.length) for (let round = 0; round < 4; round++) mutate(genes, tops, free, random);
    const worth = new Float64Array(tops.length);
    people.push({ genes, worth, fitness: landscape.weigh(genes, worth) });
  }
  return ranked(people);
}

/** Best first; of equal fitness only one, since identical parents give nothing new. */
function ranked(people: readonly Individual[]): Individual[] {
  const sorted = people.toSorted((one, other) => other.fitness - one.fitness);
  const isTwin = ({ fitness }: Individual, index: number): boolean => sorted[index - 1]?.fitness === fitness;
  return [...sorted.filter((one, index) => !isTwin(one, index)), ...sorted.filter(isTwin)];
}

function isSettled(history: readonly number[], over: number, convergence: number): boolean {
  const now = history.at(-1)!;
  const before = history.at(-1 - over);
  return before !== undefined && now - before < convergence * Math.abs(before) + Number.MIN_VALUE;
}

/** The better of two random survivors. */
function parent(people: readonly Individual[], random: Random): Individual {
  return people[Math.min(random.between(0, POPULATION - 1), random.between(0, POPULATION - 1))]!;
}

function cross(one: Individual, other: Individual, child: Individual, random: Random): void {
  const size = child.genes.length;
  const stretch = random.pick(STRETCHES);
  for (let start = 0; start < size;) {
    const end = Math.min(size, start + random.between(1, 2 * stretch - 1));
    let ahead = 0;
    for (let gene = start; gene < end; gene++) ahead += one.worth[gene]! - other.worth[gene]!;
    const { genes } = ahead > 0 || (ahead === 0 && random.chance(0.5)) ? one : other;
    for (let gene = start; gene < end; gene++) child.genes[gene] = genes[gene]!;
    start = end;
  }
}

function mutate(genes: Int32Array, tops: Int32Array, free: Int32Array, random: Random): void {
  if (free.length === 0) return;
  const part = random.pick(MUTATED_PARTS);
  const count = part === 0 ? 0 : Math.max(1, Math.round(part * free.length));
  for (let n = 0; n < count; n++) {
    const gene = free[random.between(0, free.length - 1)]!;
    genes[gene] = mutated(genes[gene]!, tops[gene]!, random);
  }
}

/** A step or two, a leap, or now and then anything. */
function mutated(value: number, top: number, random: Random): number {
  const kind = random.next();
  if (kind > 0.9) return random.between(0, top);
  const step = kind > 0.6 ? random.between(1, Math.ceil(top / 6)) : random.between(1, 2);
  return Math.min(top, Math.max(0, random.chance(0.5) ? value + step : value - step));
}
