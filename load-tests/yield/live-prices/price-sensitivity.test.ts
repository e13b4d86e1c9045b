import t from 'tap';

import { demandLeft } from '../../../src/rates/rules/demand-model.ts';
import { type OfferCell, priceSensitivity } from './price-sensitivity.ts';

/** Offers at several rates, taken as by guests who mind the rate `factor` times as much as assumed. */
function offers(factor: number, { count = 4000, looking = 0.3 } = {}): OfferCell[] {
  return [0.7, 0.9, 1.1, 1.4].map((rate) => ({
    assumed: 1.1,
    rate,
    offers: count,
    bookings: Math.round(count * looking * demandLeft(1.1 * factor, rate - 1)),
  }));
}

void t.test('without offers the assumption holds, with doubt', async (t) => {
  const { factor, deviation } = priceSensitivity([]);
  t.ok(Math.abs(factor - 1) < 0.1 && deviation > 0.25, `${factor} ${deviation}`);
});

void t.test('many offers at different rates say how much guests mind them', async (t) => {
  for (const truth of [0.5, 1, 1.5, 2]) {
    const { factor, deviation } = priceSensitivity(offers(truth));
    t.ok(Math.abs(factor - truth) < 0.1 && deviation < 0.1, `${truth}: ${factor} ${deviation}`);
  }
});

void t.test('how many only look does not matter', async (t) => {
  const few = priceSensitivity(offers(1.5, { count: 40_000, looking: 0.03 }));
  t.ok(Math.abs(few.factor - priceSensitivity(offers(1.5)).factor) < 0.02);
});

void t.test('offers at one rate say nothing', async (t) => {
  const [one] = offers(2);
  t.ok(Math.abs(priceSensitivity([one!]).factor - priceSensitivity([]).factor) < 1e-9);
});
