import t from 'tap';

import type { Compared, Comparison, PolicyFigures } from './policy-comparison.ts';
import { table } from './table.ts';

const compared = (mean: number, difference = 0, half = 0): Compared => ({
  mean,
  difference,
  low: difference - half,
  high: difference + half,
});

const figures = (policy: PolicyFigures['policy'], revenue: Compared): PolicyFigures => ({
  policy,
  revenue,
  occupancy: compared(80, revenue.difference && -1.5, 0.5 * Number(revenue.difference !== 0)),
  adr: compared(12_000),
  revPar: compared(9_600),
});

const text = (difference: number, half: number): string => {
  const comparison: Comparison = {
    scenario: 'usual',
    runs: 30,
    policies: [figures('FIXED', compared(100_000)), figures('PLAN', compared(104_000, 4_000, 1_000))],
    againstBidPrice: [figures('PLAN', compared(104_000, difference, half))],
  };
  return table(comparison);
};

void t.test('a line a policy, with what it differs by from the fixed price', async (t) => {
  const lines = text(1_000, 100).split('\n');
  t.equal(lines[0], 'usual, 30 runs');
  t.match(lines[2], /^FIXED +1000 +80\.0 % +120\.00 +96\.00$/);
  t.match(lines[3], /^PLAN +1040 \+4\.0 % \(\+3\.0 % to \+5\.0 %\) +80\.0 % -1\.5 \(-2\.0 to -1\.0\)/);
});

void t.test('the table says whether the plan wins, loses or cannot be distinguished', async (t) => {
  t.match(text(4_000, 1_000), 'PLAN brings more than BID_PRICE: revenue +4.0 % (+3.0 % to +5.0 %)');
  t.match(text(-4_000, 1_000), 'PLAN BRINGS LESS THAN BID_PRICE');
  t.match(text(500, 1_000), 'PLAN is not distinguishable from BID_PRICE');
});
