import { formatDay } from '../../src/kernel/rules/dates.ts';
import type { Evaluation } from './evaluation.ts';

/** For a machine: one line, errors in percent of the occupied rooms. */
export function jsonLine({ horizons }: Evaluation): string {
  const rounded = (value: number): number => Math.round(100 * value) / 100;
  return JSON.stringify({
    horizons: horizons.map(({ days, ours, regression, lastYear, pickup }) => ({
      days,
      ours: rounded(ours),
      regression: rounded(regression),
      lastYear: rounded(lastYear),
      pickup: rounded(pickup),
    })),
  });
}

const HEAD = ['days before', 'ours', 'regression', 'against it', 'last year', 'pickup', 'in the 80 % band'];

/** For a person: one line a horizon, which says so when plain regression is better. */
export function table({ from, to, horizons }: Evaluation): string {
  const rows = horizons.map(({ days, ours, regression, lastYear, pickup, band }) => [
    String(days),
    percent(ours),
    percent(regression),
    against(ours, regression),
    percent(lastYear),
    percent(pickup),
    `${band.toFixed(0)} %`,
  ]);
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((text, column) => text.padStart(widths[column]!)).join('   ');
  const title = `Error of the rooms occupied from ${formatDay(from)} to ${formatDay(to)} (WAPE)`;
  return [title, line(HEAD), ...rows.map(line)].join('\n');
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`;
}

function against(ours: number, regression: number): string {
  if (regression === 0) return ours === 0 ? '0.0 %' : 'WORSE';
  const change = 100 * (ours / regression - 1);
  return `${change > 0 ? 'WORSE +' : ''}${change.toFixed(1)} %`;
}
