import t from 'tap';

import { demandLeft } from '../../../rates/rules/demand-model.ts';
import { BestRates } from './best-rate.ts';

void t.test('no other rate earns more over the cost', async (t) => {
  for (const elasticity of [0.6, 1, 1.8])
    for (const cost of [0, 0.5, 1.3, 4]) {
      const best = new BestRates(elasticity, 0);
      const gain = (rate: number): number => (rate - cost) * demandLeft(elasticity, rate - 1);
      const most = gain(best.rate(cost));
      for (let rate = cost; rate < 12; rate += 0.25)
        t.ok(gain(rate) <= most + 1e-4, `${elasticity} ${cost}: ${rate} against ${best.rate(cost)}`);
      t.ok(Math.abs(best.gain(cost) - most) < 1e-3);
    }
});

void t.test('a room that is worth more costs more, and fewer take it', async (t) => {
  const best = new BestRates(1.1, 0);
  const costs = [0, 0.3, 0.9, 2, 5];
  const rates = costs.map((cost) => best.rate(cost));
  t.same(
    rates,
    rates.toSorted((one, other) => one - other),
  );
  t.ok(rates.every((rate, at) => rate > costs[at]!));
  t.ok(best.guests(0) > best.guests(2));
});

void t.test(
  'guests who mind the rate bear less of it; doubt about it raises high rates and lowers low ones',
  async (t) => {
    t.ok(new BestRates(1.5, 0).rate(0) < new BestRates(0.8, 0).rate(0));
    t.ok(new BestRates(1.1, 0.4).rate(2) > new BestRates(1.1, 0).rate(2));
    t.ok(new BestRates(1.6, 0.4).rate(0) < new BestRates(1.6, 0).rate(0));
  },
);
