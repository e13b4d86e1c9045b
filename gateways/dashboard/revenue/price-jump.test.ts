import t from 'tap';

import { jumpOf } from './price-jump.ts';

const jump = (from: number | null, to: number | null) => jumpOf([{ from, to }], 'EUR');

t.test('a price many times the old one is said in words', async (t) => {
  t.same(jump(120, 1200), {
    text: '€1,200.00 is 10 times the price of now, €120.00.',
    agree: 'Yes, 10 times',
  });
  t.same(jump(120, 12), {
    text: '€12.00 is only 10\u00a0% of the price of now, €120.00.',
    agree: 'Yes, 10\u00a0% of it',
  });
  t.match(jump(80, 200), { agree: 'Yes, 2.5 times' });
  t.match(jump(200, 80), { agree: 'Yes, 40\u00a0% of it' });
});

t.test('what is near the old one, or has none, is no jump', async (t) => {
  for (const [from, to] of [
    [100, 249.99],
    [100, 40.01],
    [null, 1200],
    [120, null],
    [0, 1200],
  ] as const)
    t.equal(jump(from, to), undefined, `${from} to ${to}`);
});

t.test('of many nights the largest jump is said, and how many there are', async (t) => {
  const moves = [
    { from: 100, to: 1200 },
    { from: 1000, to: 1200 },
    { from: 120, to: 1200 },
  ];
  t.equal(
    jumpOf(moves, 'EUR', 'the base rate of now')!.text,
    '€1,200.00 is 12 times the base rate of now, €100.00. 2 prices change as much.',
  );
});
