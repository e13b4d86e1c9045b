import type uPlot from 'uplot';

import { shortDay } from '../grid/days.ts';

/** Lines of the chart in drawing order; `expected` has three: low, high, middle. */
export const PACE_LINES = ['now', 'weekAgo', 'lastYear', 'expected', 'capacity'] as const;
export type PaceLine = (typeof PACE_LINES)[number];

/** Rooms of the shown nights; `undefined` where unknown. */
type Rooms = readonly (number | undefined)[];
export type PaceLines = Record<PaceLine | 'low' | 'high', Rooms>;

const DAYS_BETWEEN_DATES = 14;
/** Whole pixels: uPlot scales by the digits before `px`, which is 5 in `11.5px`. */
const FONT = '12px system-ui, sans-serif';

/** Columns for uPlot: the index of the night, then the lines, with gaps where unknown. */
export function paceData(lines: PaceLines): uPlot.AlignedData {
  const orGap = (rooms: Rooms): (number | null)[] => rooms.map((one) => one ?? null);
  const { now, weekAgo, lastYear, low, high, expected, capacity } = lines;
  return [now.map((_, night) => night), ...[low, high, expected, lastYear, weekAgo, capacity, now].map(orGap)];
}

type Colors = Record<PaceLine | 'text' | 'grid', string>;

/** Options of the chart. Numbers are in the table and the legend. */
export function paceOptions(
  size: uPlot.Options['width'],
  height: number,
  days: () => readonly string[],
  colors: Colors,
  onNight: (night: number | undefined) => void,
): uPlot.Options {
  const axis = { stroke: colors.text, font: FONT, ticks: { show: false } };
  const line = (stroke: string, more: Partial<uPlot.Series> = {}): uPlot.Series => ({
    stroke,
    width: 2,
    points: { show: false },
    ...more,
  });
  const edge: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } };
  return {
    width: size,
    height,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    scales: { x: { time: false, range: (_, from, to) => [from - 0.5, to + 0.5] }, y: { range: fromNothing } },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 4,
        grid: { show: false },
        splits: () => every(days().length, DAYS_BETWEEN_DATES),
        values: (_, nights) => nights.map((night) => shortDay(days()[night] ?? '')),
      },
      { ...axis, size: 40, gap: 6, space: 34, grid: { stroke: colors.grid, width: 1 } },
    ],
    series: [
      {},
      edge,
      edge,
      line(colors.expected, { dash: [8, 3] }),
      line(colors.lastYear, { dash: [1, 4], cap: 'round' }),
      line(colors.weekAgo, { dash: [5, 4] }),
      line(colors.capacity, { width: 1 }),
      line(colors.now, { fill: faint(colors.now, 14) }),
    ],
    bands: [{ series: [2, 1], fill: faint(colors.expected, 20) }],
    hooks: { setCursor: [({ cursor }) => onNight(cursor.idx ?? undefined)] },
  };
}

/** An axis of rooms starts at 0. */
function fromNothing(_: uPlot, _least: number | null, most: number | null): [number, number] {
  return [0, Math.max(1, most ?? 1) * 1.05];
}

function every(count: number, step: number): number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

function faint(color: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}
