import t from 'tap';

import { Random } from '../../kernel/rules/random.ts';
import { type Landscape, searchGenetically } from './genetic-search.ts';

const TOP = 40;

/** Each gene has a best value, and loses by the distance to its neighbour: nothing can be decided gene by gene. */
function hills(size: number, rub: number): Landscape & { goals: number[] } {
  const random = new Random(5);
  const goals = Array.from({ length: size }, () => random.between(0, TOP));
  return {
    goals,
    tops: new Int32Array(size).fill(TOP),
    first: [new Int32Array(size)],
    weigh(genes, worth) {
      let sum = 0;
      for (let gene = 0; gene < size; gene++) {
        const off = genes[gene]! - goals[gene]!;
        const apart = gene === 0 ? 0 : genes[gene]! - genes[gene - 1]!;
        worth[gene] = TOP * TOP * (1 + rub) - off * off - rub * apart * apart;
        sum += worth[gene]!;
      }
      return sum;
    },
  };
}

const fitnessOf = (landscape: Landscape, genes: Int32Array): number =>
  landscape.weigh(genes, new Float64Array(genes.length));

/** Exact optimum where a gene's worth depends on the one before, by dynamic programming. */
function best(landscape: Landscape & { goals: number[] }, rub: number): number {
  let before = new Array<number>(TOP + 1).fill(0);
  for (const [gene, goal] of landscape.goals.entries())
    before = Array.from({ length: TOP + 1 }, (_, value) => {
      const own = TOP * TOP * (1 + rub) - (value - goal) ** 2;
      return Math.max(...before.map((sum, last) => sum + own - (gene === 0 ? 0 : rub * (value - last) ** 2)));
    });
  return Math.max(...before);
}

void t.test('the search comes within 1 % of the best there is, from nothing', async (t) => {
  for (const rub of [0, 0.5, 2]) {
    const landscape = hills(150, rub);
    const { fitness, genes } = searchGenetically(landscape, { seed: 1, settledOver: Infinity });
    t.equal(fitness, fitnessOf(landscape, genes));
    t.ok(fitness >= 0.99 * best(landscape, rub), `${fitness} of ${best(landscape, rub)} with ${rub}`);
  }
});

void t.test('the same seed gives the same answer, another seed another way to it', async (t) => {
  const run = (seed: number): number[] => [...searchGenetically(hills(60, 1), { seed, generations: 30 }).genes];
  t.same(run(4), run(4));
  t.notSame(run(4), run(5));
});

void t.test(
  'the search stops when the best has hardly moved over 50 generations, and after 1000 anyway',
  async (t) => {
    const flat: Landscape = { tops: new Int32Array(3).fill(5), first: [new Int32Array(3)], weigh: () => 7 };
    t.equal(searchGenetically(flat, { seed: 1 }).generations, 50);
    const endless = { ...flat, weigh: climbing() };
    t.equal(searchGenetically(endless, { seed: 1 }).generations, 1_000);
    t.equal(searchGenetically(flat, { seed: 1, generations: 70, settledOver: Infinity }).generations, 70);
  },
);

/** Fitness grows by a hundredth with each evaluation. */
function climbing(): () => number {
  let fitness = 1;
  return () => (fitness *= 1.000_01);
}

void t.test('the best of the first plans is never lost', async (t) => {
  const landscape = hills(80, 1);
  const first = [new Int32Array(80), Int32Array.from(landscape.goals)];
  const { fitness } = searchGenetically({ ...landscape, first }, { seed: 1, generations: 1 });
  t.ok(fitness >= fitnessOf(landscape, first[1]!));
});

void t.test('a plan that breaks a constraint is worse than any that keeps it', async (t) => {
  const landscape = hills(40, 0);
  const most = 200;
  const weigh: Landscape['weigh'] = (genes, worth) => {
    const value = landscape.weigh(genes, worth);
    const sum = genes.reduce((total, gene) => total + gene, 0);
    return sum > most ? most - sum : value;
  };
  const first = [new Int32Array(40).fill(TOP), new Int32Array(40)];
  const { genes, fitness } = searchGenetically({ ...landscape, first, weigh }, { seed: 2 });
  t.ok(fitness > 0);
  t.ok(genes.reduce((total, gene) => total + gene, 0) <= most);
});

void t.test('from plans that all break a constraint, the search goes towards it', async (t) => {
  const tops = new Int32Array(10).fill(TOP);
  const weigh: Landscape['weigh'] = (genes, worth) => {
    worth.set(genes.map((gene) => -gene));
    const over = genes.reduce((total, gene) => total + gene, 0) - 20;
    return over > 0 ? -over : 1;
  };
  const { fitness } = searchGenetically({ tops, first: [Int32Array.from(tops)], weigh }, { seed: 3 });
  t.equal(fitness, 1);
});

void t.test('a landscape without choices is solved at once, and genes stay within their tops', async (t) => {
  const still: Landscape = { tops: new Int32Array(4), first: [new Int32Array(4)], weigh: () => 3 };
  t.same(searchGenetically(still, { seed: 1 }), { genes: new Int32Array(4), fitness: 3, generations: 0 });
  const tops = Int32Array.of(0, 1, 2, 3);
  const weigh: Landscape['weigh'] = (genes) => {
    if (genes.some((gene, index) => gene < 0 || gene > tops[index]!)) throw new Error(`out of bounds: ${genes}`);
    return genes.reduce((sum, gene) => sum + gene, 1);
  };
  t.same([...searchGenetically({ tops, first: [new Int32Array(4)], weigh }, { seed: 1 }).genes], [0, 1, 2, 3]);
});

void t.test('progress is reported every 20 generations', async (t) => {
  const seen: number[] = [];
  const onProgress = (generations: number): void => void seen.push(generations);
  searchGenetically(hills(20, 0), { seed: 1, generations: 65, settledOver: Infinity, onProgress });
  t.same(seen, [20, 40, 60]);
});
