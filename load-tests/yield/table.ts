import type { Comparison, Difference, PolicyFigures } from './policy-comparison.ts';

const GOAL_PERCENT = 1;

/** A comparison as text: one line a policy, differences with their 95 % intervals, and whether the product wins. */
export function table({ hotel, misbelief, runs, policies }: Comparison): string {
  const rows = policies.map((one) => [
    one.policy,
    (one.revenue / 100).toFixed(0),
    one.policy === 'FIXED' ? '' : interval(one.againstFixed),
    one.policy === 'BID_PRICE' ? '' : interval(one.againstBidPrice),
    `${one.occupancy.toFixed(1)} %`,
    (one.adr / 100).toFixed(2),
  ]);
  const head = ['', 'revenue', 'against FIXED', 'against BID_PRICE', 'occupancy', 'ADR'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('   ')
      .trimEnd();
  const title = `${hotel}${misbelief === undefined ? '' : `, ${misbelief}`}, ${runs} runs`;
  const ours = policies.find(({ policy }) => policy === 'INNKEEPER');
  return [title, line(head), ...rows.map(line), ...(ours ? conclusions(ours) : [])].join('\n');
}

/** Says plainly when the product loses. */
function conclusions({ againstFixed, againstBidPrice }: PolicyFigures): string[] {
  const goal = againstBidPrice.percent >= GOAL_PERCENT && againstBidPrice.low > 0 ? 'reached' : 'MISSED';
  return [
    `INNKEEPER ${verdict(againstBidPrice)} BID_PRICE (goal of 1 % more: ${goal}).`,
    `INNKEEPER ${verdict(againstFixed)} FIXED.`,
  ];
}

function verdict({ low, high }: Difference): string {
  if (low > 0) return 'brings more than';
  return high < 0 ? 'BRINGS LESS THAN' : 'is not distinguishable from';
}

function interval({ percent, low, high }: Difference): string {
  return `${signed(percent)} % (${signed(low)} to ${signed(high)})`;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
}
