import { formatDay } from '../../src/kernel/rules/dates.ts';
import type { Evaluation } from './evaluation.ts';
import type { EventFigures } from './events.ts';

const rounded = (value: number): number => Math.round(100 * value) / 100;

/** Figures with two decimals, whatever they stand in. */
function allRounded<T>(figures: T): T {
  if (typeof figures === 'number') return rounded(figures) as T;
  if (typeof figures !== 'object' || figures === null) return figures;
  return Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, allRounded(one)])) as T;
}

/** For a machine: one line, errors in percent of the occupied rooms, and of what they earned. */
export function jsonLine({ horizons, money }: Evaluation, events: readonly EventFigures[] = []): string {
  return JSON.stringify({
    horizons: horizons.map(({ days, ours, regression, lastYear, pickup }) =>
      allRounded({ days, ours, regression, lastYear, pickup }),
    ),
    money: money.map((one) => allRounded(one)),
    ...(events.length > 0 && { events: events.map((one) => allRounded(one)) }),
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
  const title = `Error of the rooms occupied from ${formatDay(from)} to ${formatDay(to)} (WAPE)`;
  return [title, ...columns([HEAD, ...rows])].join('\n');
}

const MONEY_HEAD = {
  revenue: ['days before', 'ours', 'regression', 'against it', 'last year', 'pickup'],
  adr: ['days before', 'ours', 'on the books', 'against it', 'last year', 'pickup'],
};

/** For a person: revenue of the nights, and the mean rate of their rooms. */
export function moneyTable({ money }: Pick<Evaluation, 'money'>): string {
  const revenue = money.map(({ days, revenue: one }) => {
    const { ours, regression, lastYear, pickup } = one;
    const plain = [percent(lastYear), percent(pickup)];
    return [String(days), percent(ours), percent(regression), against(ours, regression), ...plain];
  });
  const adr = money.map(({ days, adr: { ours, onBooks, lastYear, pickup } }) => {
    return [
      String(days),
      percent(ours),
      percent(onBooks),
      against(ours, onBooks),
      percent(lastYear),
      percent(pickup),
    ];
  });
  return [
    'Error of room revenue (WAPE)',
    ...columns([MONEY_HEAD.revenue, ...revenue]),
    'Error of the mean rate, weighted by rooms (WAPE)',
    ...columns([MONEY_HEAD.adr, ...adr]),
  ].join('\n');
}

const EVENT_HEAD = ['nights of', 'days before', 'no calendar', 'right', 'wrong effect', 'wrong nights'];

/** For a person: nights of events, by what the calendar says of them. */
export function eventTable(events: readonly EventFigures[]): string {
  const rows = events.map(({ kind, days, nights, none, right, wrongEffect, wrongNights }) => [
    `${kind} (${nights})`,
    String(days),
    ...[none, right, wrongEffect, wrongNights].map(percent),
  ]);
  return ['Error of the rooms on nights of events (WAPE)', ...columns([EVENT_HEAD, ...rows])].join('\n');
}

/** Lines of a table, aligned. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((text, column) => text.padStart(widths[column]!)).join('   '));
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`;
}

function against(ours: number, regression: number): string {
  if (regression === 0) return ours === 0 ? '0.0 %' : 'WORSE';
  const change = 100 * (ours / regression - 1);
  return `${change > 0 ? 'WORSE +' : ''}${change.toFixed(1)} %`;
}
