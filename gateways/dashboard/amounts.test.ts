import t from 'tap';

import { amountIn, readAmount } from './amounts.ts';

t.test('amounts are read as people write them', async (t) => {
  for (const [text, amount] of [
    ['120', 120],
    ['12,5', 12.5],
    ['12.5', 12.5],
    [' 119.50 ', 119.5],
    ['0.5', 0.5],
    ['1.250,00', 1250],
    ['1,250.00', 1250],
    ['1 250', 1250],
    ["1'250.50", 1250.5],
    ['12.345.678,90', 12_345_678.9],
    ['€ 12,50', 12.5],
    ['12,50 €', 12.5],
  ] as const)
    t.same(readAmount(text), { amount }, text);
});

t.test('what has two readings, or none, is refused with its reason', async (t) => {
  for (const text of ['1,250', '1.250', '12.345', '1.234.567'])
    t.same(readAmount(text), { problem: 'ambiguous' }, text);
  for (const text of ['', '-5', '1.2.3', '1e3', 'free', '12,', '1.25,00', '1,25.000', '999999999'])
    t.same(readAmount(text), { problem: 'none' }, text);
  for (const text of ['119.5055', '0.001', '0,125']) t.same(readAmount(text), { problem: 'decimals' }, text);
  t.equal(amountIn('1,234'), undefined);
});

t.test('a currency without cents has none', async (t) => {
  t.same(readAmount('12.5', 0), { problem: 'decimals' });
  t.same(readAmount('1250.00', 0), { amount: 1250 });
});
