import t from 'tap';

import { comparePolicies, MEASURES } from './policy-comparison.ts';
import { POLICIES } from './pricing-policies.ts';
import { scenario } from './small-scenario.ts';

const busy = scenario({ demand: { weekday: 1.5, weekend: 2 } });
const compare = (seed: number) => comparePolicies(busy, { runs: 30, seed });

void t.test('every policy is reported in every measure, with an interval around its difference', async (t) => {
  let runs = 0;
  const { policies, againstBidPrice } = comparePolicies(busy, { runs: 30, seed: 1, onRun: () => (runs += 1) });
  t.equal(runs, 30);
  t.same(
    policies.map(({ policy }) => policy),
    POLICIES,
  );
  for (const figures of [...policies, ...againstBidPrice])
    for (const measure of MEASURES) {
      const { low, difference, high } = figures[measure];
      t.ok(low <= difference && difference <= high, `${figures.policy} ${measure}`);
    }
  const [fixed, , bidPrice, plan] = policies;
  for (const measure of MEASURES) t.match(fixed![measure], { difference: 0, low: 0, high: 0 });
  t.ok(plan!.revenue.low > 0, 'in a busy property a plan brings more than a fixed price, beyond doubt');
  t.equal(
    againstBidPrice[0]!.revenue.difference.toFixed(3),
    (plan!.revenue.mean - bidPrice!.revenue.mean).toFixed(3),
  );
});

void t.test(
  'differences are those of the same guests: they vary far less than what guests make of a period',
  async (t) => {
    const { policies } = comparePolicies(scenario({ surprise: 0.3 }), { runs: 30, seed: 1 });
    const { mean, low, high } = policies[1]!.revenue;
    // If each policy had guests of its own, the interval would be 18 % wide.
    t.ok((high - low) / mean < 0.04, `${low} to ${high} of ${mean}`);
  },
);

void t.test('the same seed gives the same comparison', async (t) => {
  t.same(compare(4), compare(4));
  t.notSame(compare(4), compare(5));
});

void t.test('too few runs for an interval are refused', async (t) => {
  t.throws(() => comparePolicies(busy, { runs: 29, seed: 1 }), RangeError);
});
