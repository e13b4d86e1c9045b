import fc from 'fast-check';
import t from 'tap';

import { decimalText, isCurrency, MAX_AMOUNT, percentOf, roundTo, scale, toMinor, negated } from './money.ts';

/** Half to even by whole numbers only: what `scale` must agree with. */
function halfEven(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  const product = amount * numerator;
  let quotient = product / denominator;
  if (product % denominator < 0n) quotient -= 1n;
  const twice = (product - quotient * denominator) * 2n;
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

void t.test('half a cent goes to the even neighbour, up and down alike', async (t) => {
  t.same(
    [25, 75, 125, 175].map((amount) => percentOf(amount, 10)),
    [2, 8, 12, 18],
  );
  t.same(
    [-25, -75, -125].map((amount) => percentOf(amount, 10)),
    [-2, -8, -12],
  );
  t.equal(scale(1, 1, 2), 0);
  t.equal(scale(3, 1, 2), 2);
});

void t.test('any amount that the tables hold is scaled exactly', async () => {
  const amount = fc.integer({ min: negated(MAX_AMOUNT), max: MAX_AMOUNT });
  const numerator = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(
      amount,
      numerator,
      fc.constantFrom(1, 2, 3, 7, 100, 10_000),
      (a, n, d) => scale(a, n, d) === Number(halfEven(BigInt(a), BigInt(n), BigInt(d))),
    ),
    { numRuns: 2_000 },
  );
  const huge = fc.integer({ min: 900_000_000_000, max: Math.floor(Number.MAX_SAFE_INTEGER / 10_000) });
  fc.assert(fc.property(huge, (a) => scale(a, 9_999, 10_000) === Number(halfEven(BigInt(a), 9_999n, 10_000n))));
});

void t.test('a percentage counts with its two decimals', async (t) => {
  t.equal(percentOf(16_000, 8.25), 1_320);
  t.equal(percentOf(10_000, 0.01), 1);
  t.equal(percentOf(MAX_AMOUNT, 100), MAX_AMOUNT);
  t.equal(percentOf(10_000, 0.29), 29, '0.29 * 100 is not 29 in binary');
});

void t.test('a decimal with at most two places is read to the cent, more places are not', async (t) => {
  t.same([0, 0.1, 1.15, 199, 99_999_999.99, -5.25].map(toMinor), [0, 10, 115, 19_900, MAX_AMOUNT, -525]);
  for (const wrong of [0.001, 1.005, 99_999_999.991, NaN, Infinity])
    t.equal(toMinor(wrong), undefined, String(wrong));
  fc.assert(fc.property(fc.integer({ min: 0, max: MAX_AMOUNT }), (minor) => toMinor(minor / 100) === minor));
});

void t.test('an amount is printed with two decimals', async (t) => {
  t.same([0, 5, 19_900, MAX_AMOUNT].map(decimalText), ['0.00', '0.05', '199.00', '99999999.99']);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_AMOUNT }), (minor) => toMinor(Number(decimalText(minor))) === minor),
  );
});

void t.test('currencies with three minor digits and other shapes are refused', async (t) => {
  for (const code of ['EUR', 'USD', 'JPY']) t.ok(isCurrency(code), code);
  for (const code of ['KWD', 'BHD', 'eur', 'EURO', '', 'E1R']) t.notOk(isCurrency(code), code);
});

void t.test('only currencies of ISO 4217 that are in use are taken', async (t) => {
  for (const code of ['CHF', 'GBP', 'KRW', 'XOF', 'XCG', 'ZWG', 'VES', 'SLE']) t.ok(isCurrency(code), code);
  // Replaced ones, metals, funds, codes for tests, and what nobody has ever paid with.
  for (const code of ['DEM', 'BGN', 'HRK', 'ANG', 'ZWL', 'XAU', 'XDR', 'CLF', 'UYI', 'USN', 'XTS', 'XXX', 'ABC'])
    t.notOk(isCurrency(code), code);
});

void t.test('where there are no cents, parts of an amount are whole, half to even', async (t) => {
  t.equal(percentOf(1_234_500, 8.5, 100), 104_900);
  t.same(
    [50, 150, 250, 149, -150].map((amount) => roundTo(amount, 100)),
    [0, 200, 200, 100, -200],
  );
  t.equal(roundTo(149, 1), 149);
  const amounts = fc.integer({ min: 0, max: MAX_AMOUNT });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, percent) => {
      const part = percentOf(amount, percent / 100, 100);
      const exact = (amount * percent) / 10_000;
      return part % 100 === 0 && Math.abs(part - exact) <= 50.001;
    }),
  );
});
