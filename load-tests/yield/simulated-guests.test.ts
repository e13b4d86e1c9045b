import t from 'tap';

import { exp } from '../../src/kernel/rules/portable-math.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { demandLeft } from '../../src/rates/rules/demand-model.ts';
import { guestElasticity, payingShare } from './simulated-guests.ts';

void t.test('fewer pay a higher price, by the demand model', async (t) => {
  for (const price of [0.7, 1.2, 2])
    t.ok(Math.abs(payingShare(1.1, price) / payingShare(1.1, 1) - demandLeft(1.1, price - 1)) < 1e-12);
});

void t.test('guests drawn one by one pay as often as the share says', async (t) => {
  const random = new Random(1);
  let paying = 0;
  for (let n = 0; n < 20_000; n++)
    if (random.next() < exp(-1.3 * guestElasticity(1.1, random.next()))) paying += 1 / 20_000;
  t.ok(Math.abs(paying - payingShare(1.1, 1.3)) < 0.01, `${paying} of ${payingShare(1.1, 1.3)}`);
});
