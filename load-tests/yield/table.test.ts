import t from 'tap';

import type { Difference, PolicyFigures } from './policy-comparison.ts';
import { table } from './table.ts';

const around = (percent: number, half = 0): Difference => ({ percent, low: percent - half, high: percent + half });

const figures = (policy: PolicyFigures['policy'], againstFixed: Difference, againstBidPrice: Difference) => ({
  policy,
  revenue: 100_000,
  adr: 12_000,
  occupancy: 80,
  againstFixed,
  againstBidPrice,
});

const text = (againstBidPrice: Difference, againstFixed = around(4, 1)): string =>
  table({
    hotel: 'suites',
    runs: 30,
    policies: [
      figures('FIXED', around(0), around(-3, 1)),
      figures('BID_PRICE', around(3, 1), around(0)),
      figures('INNKEEPER', againstFixed, againstBidPrice),
    ],
  });

void t.test('a line a policy, with what it differs by from fixed rates and from the bid price', async (t) => {
  const lines = text(around(1.5, 0.5)).split('\n');
  t.equal(lines[0], 'suites, 30 runs');
  t.match(lines[2], /^FIXED +1000 +-3\.0 % \(-4\.0 to -2\.0\) +80\.0 % +120\.00$/);
  t.match(lines[3], /^BID_PRICE +1000 +\+3\.0 % \(\+2\.0 to \+4\.0\) +80\.0 %/);
  t.match(lines[4], /^INNKEEPER +1000 +\+4\.0 % \(\+3\.0 to \+5\.0\) +\+1\.5 % \(\+1\.0 to \+2\.0\)/);
});

void t.test(
  'it says whether the product wins, loses or cannot be distinguished, and whether the goal is met',
  async (t) => {
    t.match(text(around(1.5, 0.5)), 'INNKEEPER brings more than BID_PRICE (goal of 1 % more: reached)');
    t.match(text(around(0.6, 0.5)), 'INNKEEPER brings more than BID_PRICE (goal of 1 % more: MISSED)');
    t.match(text(around(1.5, 2)), 'INNKEEPER is not distinguishable from BID_PRICE (goal of 1 % more: MISSED)');
    t.match(text(around(-1.5, 1)), 'INNKEEPER BRINGS LESS THAN BID_PRICE');
    t.match(text(around(2, 1), around(-3, 1)), 'INNKEEPER BRINGS LESS THAN FIXED');
  },
);
