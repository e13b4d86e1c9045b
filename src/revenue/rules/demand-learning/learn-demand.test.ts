import t from 'tap';

import { Random } from '../../../kernel/rules/random.ts';
import { DEMAND } from '../../../rates/rules/demand-model.ts';
import { ratioBucket, ratioOf } from '../../../rates/rules/quote-cells.ts';
import { ASSUMED_FIGURES } from './demand-family.ts';
import { type DemandData, type DemandSummary, learnDemand } from './learn-demand.ts';
import { COUNTED_QUOTE, ELASTICITIES, figureOf } from './price-response.ts';

const NO_DATA: DemandData = { counted: new Int32Array(), totals: [], lengths: [], others: [] };

type World = {
  seed: number;
  /** Elasticities as a multiple of the assumed ones: of all, or of each. */
  factor: number | readonly number[];
  nights?: number;
  /** Standard deviation of prices that follow nothing. */
  spread?: number;
  /** By how much prices follow the demand of a night, whose logarithm has this standard deviation. */
  follows?: number;
  shocks?: number;
  /** Quotes of a price. */
  shown?: number;
  conversion?: number;
};

function normal(random: Random): number {
  let all = -6;
  for (let n = 0; n < 12; n += 1) all += random.next();
  return all;
}

function poisson(random: Random, mean: number): number {
  const end = Math.exp(-mean);
  let count = 0;
  for (let left = random.next(); left > end; left *= random.next()) count += 1;
  return count;
}

/** Quotes of a year: a night has three prices at each lead, and guests who mind them. */
function quotesOf(world: World): Int32Array {
  const { seed, factor, nights = 365, spread = 0.1, follows = 0, shocks = 0.5 } = world;
  const { shown: quotes = 12, conversion = 0.06 } = world;
  const random = new Random(seed);
  const rows: number[][] = [];
  let group = 0;
  for (let night = 0; night < nights; night += 1) {
    const shock = shocks * normal(random);
    const isWeekend = night % 7 > 4;
    for (const [lead, { fromDays }] of DEMAND.leadTimes.entries()) {
      group += 1;
      const figure = figureOf(fromDays, isWeekend);
      const elasticity = (typeof factor === 'number' ? factor : factor[figure]!) * ASSUMED_FIGURES[figure]!;
      for (let price = 0; price < 3; price += 1) {
        const ratio = ratioBucket(1 + follows * shock + spread * normal(random));
        const shown = poisson(random, quotes * Math.exp(shock / 2));
        const mean = shown * conversion * Math.exp(shock - elasticity * (ratioOf(ratio) - 1));
        rows.push([group, lead, Number(isWeekend), ratio, 0, shown, Math.min(shown, poisson(random, mean))]);
      }
    }
  }
  return Int32Array.from(rows.flat());
}

const learned = (world: World, others: DemandSummary[] = []) =>
  learnDemand({ ...NO_DATA, counted: quotesOf(world), others });

/** Poisson regression of bookings on the price alone, as if nights did not differ. */
function naiveElasticity(counted: Int32Array): number {
  let [constant, slope] = [-3, -1];
  for (let step = 0; step < 50; step += 1) {
    const sums = { g0: 0, g1: 0, h00: 0, h01: 0, h11: 0 };
    for (let at = 0; at < counted.length; at += COUNTED_QUOTE.width) {
      const x = ratioOf(counted[at + COUNTED_QUOTE.ratio]!) - 1;
      const mean = counted[at + COUNTED_QUOTE.shown]! * Math.exp(constant + slope * x);
      const off = counted[at + COUNTED_QUOTE.booked]! - mean;
      sums.g0 += off;
      sums.g1 += off * x;
      sums.h00 += mean;
      sums.h01 += mean * x;
      sums.h11 += mean * x * x;
    }
    const determinant = sums.h00 * sums.h11 - sums.h01 ** 2;
    constant += (sums.h11 * sums.g0 - sums.h01 * sums.g1) / determinant;
    slope += (sums.h00 * sums.g1 - sums.h01 * sums.g0) / determinant;
  }
  return -slope;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

void t.test('without any data everything is as assumed, and says so', async (t) => {
  const { model } = learnDemand(NO_DATA);
  for (const [figure, one] of model.elasticities.entries()) {
    t.ok(Math.abs(one.elasticity - ASSUMED_FIGURES[figure]!) < 1e-9);
    t.ok(one.low < one.elasticity && one.elasticity < one.high);
    t.match(one, { from: 'PRIOR', quotes: 0, bookings: 0, prior: ASSUMED_FIGURES[figure] });
  }
  for (const [index, share] of model.demand.lengthOfStay.entries())
    t.ok(Math.abs(share - DEMAND.lengthOfStay[index]!) < 1e-9);
  t.ok(model.demand.doubt.every(({ weekday, weekend }) => Math.abs(weekday - 0.4) + Math.abs(weekend - 0.4) < 1e-9));
  t.match(model.competitors, { from: 'PRIOR', effect: 0 });
});

void t.test('prices that vary teach the elasticity, and the range has it four times in five', async (t) => {
  const random = new Random(1);
  let [within, all] = [0, 0];
  for (let seed = 1; seed <= 16; seed += 1) {
    const property = 1 + 0.35 * normal(random);
    const factor = Array.from(ASSUMED_FIGURES, () => Math.max(0.1, property + 0.2 * normal(random)));
    for (const [figure, one] of learned({ seed, factor, nights: 120 }).model.elasticities.entries()) {
      const truth = factor[figure]! * ASSUMED_FIGURES[figure]!;
      all += 1;
      within += Number(one.low <= truth && truth <= one.high);
    }
  }
  t.comment(`${within} of ${all}`);
  t.ok(within / all > 0.7 && within / all < 0.9, `${within} of ${all}`);
  for (const factor of [0.5, 1.6]) {
    const { elasticities } = learned({ seed: 9, factor }).model;
    t.ok(elasticities.every(({ from }) => from === 'PROPERTY'));
    const found = meanOf(elasticities.map(({ elasticity, prior }) => elasticity / prior));
    t.ok(Math.abs(found - factor) < 0.2, `${found} instead of ${factor}`);
  }
});

void t.test('prices that never vary, and a handful of quotes, leave the assumptions', async (t) => {
  for (const world of [
    { seed: 1, factor: 2, spread: 0 },
    { seed: 2, factor: 2, nights: 2 },
    { seed: 3, factor: 2, conversion: 0 },
    { seed: 4, factor: 2, shown: 0 },
  ]) {
    const { elasticities } = learned(world).model;
    t.ok(
      elasticities.every(({ elasticity, prior }) => Math.abs(elasticity / prior - 1) < 0.2),
      JSON.stringify(world),
    );
    t.ok(elasticities.every(({ from }) => from === 'PRIOR'));
  }
});

void t.test('prices that follow demand fool a plain regression, and not what compares within a night', async (t) => {
  for (const seed of [1, 2, 3]) {
    const counted = quotesOf({ seed, factor: 1.5, follows: 0.3, spread: 0.08 });
    const truth = 1.5 * meanOf([...ASSUMED_FIGURES].slice(0, ELASTICITIES));
    const { elasticities } = learnDemand({ ...NO_DATA, counted }).model;
    const error = Math.abs(meanOf(elasticities.map(({ elasticity }) => elasticity)) - truth);
    const naive = Math.abs(naiveElasticity(counted) - truth);
    t.comment(`error ${error.toFixed(2)}, of the plain regression ${naive.toFixed(2)}`);
    t.ok(naive > 1, 'the plain regression finds that guests like high prices');
    t.ok(error < 0.25 && error < naive / 4);
  }
});

void t.test('a new property begins with what its chain has learned, and its own data win in time', async (t) => {
  const chain = [1, 2, 3, 4, 5].map((seed) => learned({ seed, factor: 1.6, nights: 90 }).summary);
  const begun = learnDemand({ ...NO_DATA, others: chain }).model;
  const level = ({ elasticities }: typeof begun): number =>
    meanOf(elasticities.map(({ elasticity, prior }) => elasticity / prior));
  t.ok(begun.elasticities.every(({ from }) => from === 'CHAIN'));
  t.ok(level(begun) > 1.25 && level(begun) < 1.6, `${level(begun)}`);
  const own = learned({ seed: 8, factor: 0.6 }, chain).model;
  t.ok(own.elasticities.every(({ from }) => from === 'PROPERTY'));
  t.ok(level(own) < 0.8, `${level(own)}`);
});

void t.test('summaries of another layout, and broken ones, are left out', async (t) => {
  const { summary } = learned({ seed: 1, factor: 1.6, nights: 30 });
  const others = [
    { ...summary, layout: 2 } as unknown as DemandSummary,
    { ...summary, pull: summary.pull.slice(1) },
    { ...summary, weight: summary.weight.map(() => Number.NaN) },
  ];
  t.same(learnDemand({ ...NO_DATA, others }), learnDemand(NO_DATA));
});

void t.test('guests of a night who saw dearer competitors book more, beyond what the price ratio says', async (t) => {
  const random = new Random(3);
  const rows: number[][] = [];
  for (let group = 0; group < 3_000; group += 1)
    for (const [market, effect] of [
      [1 + ratioBucket(0.85), -0.15],
      [1 + ratioBucket(1.15), 0.15],
    ] as const)
      rows.push([group, 5, 0, ratioBucket(1), market, 20, poisson(random, 20 * 0.05 * Math.exp(effect))]);
  const { competitors } = learnDemand({ ...NO_DATA, counted: Int32Array.from(rows.flat()) }).model;
  t.equal(competitors.from, 'PROPERTY');
  t.ok(competitors.low > 0 && Math.abs(competitors.effect - 1) < 0.4, `${competitors.effect}`);
});

void t.test('the same data give the same answer, and no data give a figure that is none', async (t) => {
  const world = { seed: 5, factor: 1, nights: 20 };
  t.same(learned(world), learned(world));
  const strange: number[][] = [
    [1, 99, 0, 10, 0, 5, 1],
    [1, 99, 0, 12, 0, 0, 4],
    [2, 0, 1, -3, 0, 5, -1],
    [3, 0, 1, 29, 30, 1_000_000, 1_000_000],
    [3, 0, 1, 0, 1, 1_000_000, 0],
  ];
  const { model, summary } = learnDemand({ ...NO_DATA, counted: Int32Array.from(strange.flat()) });
  t.notMatch(JSON.stringify([model, summary]), /null|NaN|Infinity/);
  t.ok(model.elasticities.every(({ elasticity, low }) => elasticity >= 0.1 && low >= 0.1));
});
