import type { Compared, Comparison, PolicyFigures } from './policy-comparison.ts';

/** A comparison as text: one line a policy, differences from the fixed price with their 95 % intervals. */
export function table({ scenario, runs, policies, againstBidPrice }: Comparison): string {
  const rows = policies.map((one) => [
    one.policy,
    percents(one.revenue, ''),
    points(one.occupancy),
    money(one.adr),
    money(one.revPar),
  ]);
  const head = ['', 'revenue', 'occupancy', 'ADR', 'RevPAR'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('   ')
      .trimEnd();
  return [`${scenario}, ${runs} runs`, line(head), ...rows.map(line), ...againstBidPrice.map(conclusion)].join('\n');
}

/** Says plainly when the plan loses. */
function conclusion({ policy, revenue }: PolicyFigures): string {
  const how =
    revenue.low > 0 ? 'brings more than' : revenue.high < 0 ? 'BRINGS LESS THAN' : 'is not distinguishable from';
  const against = revenue.mean - revenue.difference;
  return `${policy} ${how} BID_PRICE: revenue ${interval(revenue, (value) => signed((100 * value) / against, ' %'))}`;
}

function percents(of: Compared, unit: string): string {
  const fixed = of.mean - of.difference;
  return `${(of.mean / 100).toFixed(0)}${unit}${beside(of, (value) => signed((100 * value) / fixed, ' %'))}`;
}

function points(of: Compared): string {
  return `${of.mean.toFixed(1)} %${beside(of, (value) => signed(value, ''))}`;
}

function money(of: Compared): string {
  return `${(of.mean / 100).toFixed(2)}${beside(of, (value) => signed(value / 100, ''))}`;
}

/** Empty for the reference itself. */
function beside(of: Compared, text: (value: number) => string): string {
  return of.difference === 0 && of.low === of.high ? '' : ` ${interval(of, text)}`;
}

function interval({ difference, low, high }: Compared, text: (value: number) => string): string {
  return `${text(difference)} (${text(low)} to ${text(high)})`;
}

function signed(value: number, unit: string): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}${unit}`;
}
