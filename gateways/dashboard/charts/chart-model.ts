import { csvText } from './file.ts';

/** A value of a chart; `undefined` where nothing is known. */
export type ChartValue = number | undefined;

/** Looks of a series; each has its colour and its dashes in `charts.css`, so that colour is never alone. */
export const CHART_TONES = [
  'now',
  'weekAgo',
  'lastYear',
  'expected',
  'capacity',
  'other1',
  'other2',
  'other3',
  'other4',
  'other5',
  'other6',
] as const;
export type ChartTone = (typeof CHART_TONES)[number];

export type ChartSeries = {
  id: string;
  label: string;
  tone: ChartTone;
  /** How it is drawn; `text` is only read out, and in the table. */
  kind: 'line' | 'bars' | 'text';
  values: readonly ChartValue[];
  /** The values lie between these two with some certainty. */
  range?: { low: readonly ChartValue[]; high: readonly ChartValue[] };
  /** Where only some of the drawn values are figures, and the others lead to them. */
  isFigure?: (index: number) => boolean;
  /** Another unit than that of the chart. */
  format?: (value: number) => string;
};

export type ChartPoint = {
  /** In the read-out, such as `Fri, 4 Dec`. */
  label: string;
  /** At the axis. */
  tick: string;
  /** In a file, where that is neither the night nor the label. */
  inFile?: string | number;
  /** The night to which a click leads. */
  night?: string;
};

/** What a chart shows. */
export type ChartModel = {
  title: string;
  /** What is counted, and for which nights. */
  caption: string;
  /** Head of the column of points in the table. */
  axis: string;
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** Numbers at the axis, where `format` says more than fits there. */
  formatTick?: (value: number) => string;
  /** The point from which the ticks of the axis are counted; the first by default. */
  anchor?: number;
  /** The axis begins at 0, unless prices are compared. */
  startsAtZero: boolean;
  /** The key figures in a sentence. */
  summary: string;
  /** What is not there to be compared. */
  notes: readonly string[];
  /** Why there is nothing to show. */
  missing?: string;
  /** Name of an exported file, without its ending. */
  file: string;
};

/** What a series says of a point; `undefined` where it says nothing. */
export function textAt(model: ChartModel, series: ChartSeries, index: number): string | undefined {
  const value = series.values[index];
  if (value === undefined || series.isFigure?.(index) === false) return undefined;
  const format = series.format ?? model.format;
  const low = series.range?.low[index];
  const high = series.range?.high[index];
  if (low === undefined || high === undefined) return format(value);
  return `${format(value)} (${format(low)} to ${format(high)})`;
}

/** A point in words, for the read-out of the keyboard. */
export function readOut(model: ChartModel, index: number): string {
  const said = model.series.flatMap((series) => {
    const text = textAt(model, series, index);
    return text === undefined ? [] : `${series.label} ${text}`;
  });
  return [model.points[index]?.label ?? '', ...said].join(', ');
}

/** The chart as a file: a line with the names, and one per point with plain numbers. */
export function chartCsv(model: ChartModel): string {
  const columns = model.series.flatMap((series) => [
    { name: series.label, series, values: series.values },
    ...(series.range
      ? [
          { name: `${series.label}, low`, series, values: series.range.low },
          { name: `${series.label}, high`, series, values: series.range.high },
        ]
      : []),
  ]);
  const lines = model.points.map(({ label, night, inFile }, index) => [
    inFile ?? night ?? label,
    ...columns.map(({ series, values }) => (series.isFigure?.(index) === false ? undefined : rounded(values[index]))),
  ]);
  return csvText([[model.axis, ...columns.map(({ name }) => name)], ...lines]);
}

/** To cents, and to the hundredth of a percent. */
function rounded(value: ChartValue): ChartValue {
  return value === undefined ? undefined : Math.round(value * 100) / 100;
}

/** Part of the points that is shown, both inclusive. */
export type ChartSpan = { from: number; to: number };

const LEAST_POINTS = 5;

/** Half of a span about a point; never fewer than five points. */
export function zoomedIn({ from, to }: ChartSpan, about: number): ChartSpan {
  const size = Math.max(LEAST_POINTS, Math.ceil((to - from + 1) / 2));
  if (size > to - from) return { from, to };
  const first = Math.min(Math.max(from, about - (size >> 1)), to - size + 1);
  return { from: first, to: first + size - 1 };
}

/** Twice a span, within `count` points; `undefined` when these are all. */
export function zoomedOut({ from, to }: ChartSpan, count: number): ChartSpan | undefined {
  const more = Math.ceil((to - from + 1) / 2);
  const span = { from: Math.max(0, from - more), to: Math.min(count - 1, to + more) };
  return span.from === 0 && span.to === count - 1 ? undefined : span;
}
