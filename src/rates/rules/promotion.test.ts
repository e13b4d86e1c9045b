import fc from 'fast-check';
import t from 'tap';

import { discounted } from './promotion.ts';

const nightly = fc.array(fc.integer({ min: 0, max: 500_000 }), { minLength: 1, maxLength: 14 });
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

void t.test('an amount comes off the stay to the cent, off no night more than it costs', async (t) => {
  fc.assert(
    fc.property(nightly, fc.integer({ min: 0, max: 3_000_000 }), (rates, value) => {
      const after = discounted(rates, { type: 'FIXED_AMOUNT', value }, 'EUR');
      t.equal(sum(after), Math.max(0, sum(rates) - value));
      for (const [index, rate] of after.entries()) if (rate < 0 || rate > rates[index]!) throw new Error(`${rate}`);
    }),
  );
});

void t.test('a percentage is rounded half to even, night by night', async (t) => {
  t.same(discounted([10_000, 9_999, 5], { type: 'PERCENTAGE', value: 50 }, 'EUR'), [5_000, 4_999, 3]);
  t.same(discounted([100, 1], { type: 'PERCENTAGE', value: 100 }, 'EUR'), [0, 0]);
});

void t.test('the cheapest nights are free, of equals the earlier', async (t) => {
  t.same(discounted([300, 100, 200, 100], { type: 'FREE_NIGHTS', value: 2 }, 'EUR'), [300, 0, 200, 0]);
  t.same(discounted([100, 100, 100], { type: 'FREE_NIGHTS', value: 1 }, 'EUR'), [0, 100, 100]);
  t.same(discounted([100], { type: 'FREE_NIGHTS', value: 9 }, 'EUR'), [0]);
});
