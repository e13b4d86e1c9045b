import { test } from 'tap';

import { wireMoney, wireMoneyOrNull } from './wire-money.ts';

void test('an amount is a JSON number with exactly two decimals', (t) => {
  const wire = (minor: number) => JSON.stringify({ a: wireMoney(minor) });
  t.equal(wire(19_900), '{"a":199.00}');
  t.equal(wire(5), '{"a":0.05}');
  t.equal(wire(-1), '{"a":-0.01}');
  t.equal(wire(0), '{"a":0.00}');
  t.equal(wire(9_999_999_999), '{"a":99999999.99}');
  t.equal(JSON.stringify([wireMoneyOrNull(undefined), wireMoneyOrNull(150)]), '[null,1.50]');
  t.throws(() => wireMoney(1.5), 'fractions of a cent are a bug');
  t.throws(() => wireMoney(Number.NaN));
  t.end();
});
