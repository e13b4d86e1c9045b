import type { SeriesAnswer } from '../../../src/platform/coordination/contracts/figure-series.ts';
import type { ChartModel, ChartSeries, ChartTone, ChartValue } from '../charts/chart-model.ts';
import { locale } from '../language/texts.ts';
import { figureWords as words } from './figure-messages.ts';

/** Charts of figures over time, in the order of their tiles. */
export const FIGURE_CHARTS = [
  'requests',
  'latency',
  'errors',
  'bookings',
  'commits',
  'sockets',
  'live',
  'mailboxes',
  'relay',
  'rounds',
  'loop',
] as const;
export type FigureChart = (typeof FIGURE_CHARTS)[number];

type Line = { label: string; of: readonly string[]; tone: ChartTone };

const classes = (service: string, ...statuses: string[]): string[] =>
  statuses.map((status) => `requests.${service}.${status}`);
const ofAll = (...statuses: string[]): string[] =>
  ['rate', 'reservation', 'live'].flatMap((service) => classes(service, ...statuses));
const quantiles = (name: string): Line[] => [
  { label: 'p95', of: [`${name}.p95`], tone: 'now' },
  { label: 'p50', of: [`${name}.p50`], tone: 'other1' },
  { label: 'p99', of: [`${name}.p99`], tone: 'expected' },
];

/** Lines of each chart; the first is the big number of its tile. */
const LINES: Record<FigureChart, Line[]> = {
  requests: [
    { label: words.all, of: ofAll('2xx', '3xx', '4xx', '5xx'), tone: 'now' },
    { label: words.services.rate, of: classes('rate', '2xx', '3xx', '4xx', '5xx'), tone: 'other1' },
    { label: words.services.reservation, of: classes('reservation', '2xx', '3xx', '4xx', '5xx'), tone: 'other2' },
    { label: words.services.live, of: classes('live', '2xx', '3xx', '4xx', '5xx'), tone: 'other3' },
  ],
  latency: quantiles('edge'),
  errors: [
    { label: words.status5xx, of: ofAll('5xx'), tone: 'now' },
    { label: words.refused, of: ofAll('4xx'), tone: 'other1' },
  ],
  bookings: [{ label: words.charts.bookings, of: ['bookings'], tone: 'now' }],
  commits: quantiles('commit'),
  sockets: [{ label: words.charts.sockets, of: ['sockets'], tone: 'now' }],
  live: quantiles('live'),
  mailboxes: [{ label: words.charts.mailboxes, of: ['actor.queued'], tone: 'now' }],
  relay: [
    { label: words.oldest, of: ['relay.age'], tone: 'now' },
    { label: words.rows, of: ['relay.rows'], tone: 'other1' },
  ],
  rounds: [{ label: words.charts.rounds, of: ['rounds.late'], tone: 'now' }],
  loop: [{ label: words.charts.loop, of: ['loop.delay'], tone: 'now' }],
};

type Summed = { values: ChartValue[]; unit: string; alert?: string; threshold?: number };

function summed({ series }: SeriesAnswer, names: readonly string[]): Summed {
  const found = series.filter(({ name }) => names.includes(name));
  const count = found[0]?.values.length ?? 0;
  const values = Array.from({ length: count }, (_, at) => {
    const there = found.flatMap((one) => one.values[at] ?? []);
    return there.length === 0 ? undefined : there.reduce((sum, value) => sum + value, 0);
  });
  const { unit = '', alert, threshold } = found[0] ?? {};
  return { values, unit, ...(alert !== undefined && { alert }), ...(threshold !== undefined && { threshold }) };
}

/** What the tile of a chart shows: the newest value, and whether it is beyond the threshold of its alert. */
export function tileOf(answer: SeriesAnswer, chart: FigureChart): { text: string; isOver: boolean } {
  const { values, unit, threshold } = summed(answer, LINES[chart][0]!.of);
  const value = values.findLast((one) => one !== undefined);
  if (value === undefined) return { text: words.nothing, isOver: false };
  return { text: words.value(value, unit), isOver: threshold !== undefined && value > threshold };
}

/** A chart of a window; its axis is time in the zone of the browser. */
export function figureChart(answer: SeriesAnswer, chart: FigureChart, window: 'hour' | 'day'): ChartModel {
  const { from, stepSeconds } = answer;
  const lines = LINES[chart].map((line) => ({ ...line, ...summed(answer, line.of) }));
  const first = lines[0]!;
  const start = Date.parse(from);
  const points = first.values.map((_, index) => {
    const at = new Date(start + index * stepSeconds * 1_000);
    return {
      label: at.toLocaleTimeString(locale),
      tick: at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' }),
      inFile: at.toISOString(),
      ...(chart === 'latency' && { night: at.toISOString() }),
    };
  });
  const series = lines.map(({ label, tone, values, unit }): ChartSeries => ({
    id: label,
    label,
    tone,
    kind: 'line',
    values,
    format: (value) => words.value(value, unit),
  }));
  const { threshold, alert } = first;
  if (threshold !== undefined && alert !== undefined)
    series.push({
      id: alert,
      label: words.threshold(alert),
      tone: 'capacity',
      kind: 'line',
      values: first.values.map(() => threshold),
    });
  const known = first.values.filter((value) => value !== undefined);
  const most = Math.max(0, ...known);
  return {
    title: words.charts[chart],
    caption: words.caption(chart, window),
    axis: words.time,
    points,
    series,
    format: (value) => words.value(value, first.unit),
    startsAtZero: true,
    summary:
      known.length === 0 ? '' : words.summary(words.value(known.at(-1)!, first.unit), words.value(most, first.unit)),
    notes: chart === 'latency' ? [words.toRequests] : [],
    ...(known.length === 0 && { missing: words.none[window] }),
    file: `innkeeper-${chart}-${window}`,
  };
}
