import t from 'tap';

import { comparePolicies, drawWorld, type PolicyFigures } from './policy-comparison.ts';
import { scenario } from './small-scenario.ts';

const busy = scenario({ pressure: 1.6, nights: 7, opens: -7 });
const compare = (seed: number) => comparePolicies(busy, { runs: 30, seed, policies: ['OCCUPANCY_LADDER'] });

void t.test('every policy is reported with intervals around its differences', async (t) => {
  let runs = 0;
  const { policies } = comparePolicies(busy, {
    runs: 30,
    seed: 1,
    policies: ['INNKEEPER'],
    onRun: () => (runs += 1),
  });
  t.equal(runs, 30);
  t.same(
    policies.map(({ policy }) => policy),
    ['FIXED', 'BID_PRICE', 'INNKEEPER'],
  );
  const [fixed, bidPrice, ours] = policies as [PolicyFigures, PolicyFigures, PolicyFigures];
  t.same(fixed.againstFixed, { percent: 0, low: 0, high: 0 });
  t.same(bidPrice.againstBidPrice, { percent: 0, low: 0, high: 0 });
  for (const { low, percent, high } of [ours.againstFixed, ours.againstBidPrice])
    t.ok(low < percent && percent < high);
  t.ok(Math.abs(ours.againstFixed.percent - 100 * (ours.revenue / fixed.revenue - 1)) < 1e-9);
  t.ok(ours.againstFixed.low > 0, 'in a busy property live rates bring more than a fixed one, beyond doubt');
});

void t.test(
  'differences are those of the same guests: they vary far less than what guests make of a period',
  async (t) => {
    const { low, high } = compare(1).policies.find(({ policy }) => policy === 'OCCUPANCY_LADDER')!.againstFixed;
    // If each policy had guests of its own, the interval would be 10 % wide.
    t.ok(high - low < 4, `${low} to ${high}`);
  },
);

void t.test('the same seed gives the same comparison', async (t) => {
  t.same(compare(4), compare(4));
  t.notSame(compare(4), compare(5));
});

void t.test('too few runs for an interval are refused', async (t) => {
  t.throws(() => comparePolicies(busy, { runs: 29, seed: 1, policies: [] }), RangeError);
});

void t.test('what policies believe differs from the truth, in every run otherwise', async (t) => {
  const worlds = [1, 2, 3].map((seed) => drawWorld(busy, seed));
  t.equal(new Set(worlds.map(({ truth }) => truth.sensitivity)).size, 3);
  t.equal(new Set(worlds.map(({ belief }) => belief().grossAt(0, 3))).size, 3);
  t.equal(new Set(worlds.map(({ belief }) => belief().elasticity(0, 3))).size, 1, 'elasticities are assumed alike');
});

void t.test('a wrong belief is that of policies, the truth stays', async (t) => {
  const right = drawWorld(busy, 1);
  const event = { night: 0, nights: 7, demand: 3, market: 1.5 };
  const unknown = drawWorld(busy, 1, { name: 'event', event });
  t.ok(unknown.guests.length > right.guests.length);
  t.equal(unknown.belief().grossAt(0, 3), right.belief().grossAt(0, 3));
  const market = drawWorld(busy, 1, { name: 'market', market: 0.8 });
  t.same(market.guests, right.guests);
  t.equal(market.belief().usual(0, 3), 0.8 * right.belief().usual(0, 3));
  const minding = drawWorld(busy, 1, { name: 'guests mind', sensitivity: 2 });
  t.equal(minding.truth.sensitivity, 2);
  t.equal(minding.belief().elasticity(0, 3), right.belief().elasticity(0, 3));
});
