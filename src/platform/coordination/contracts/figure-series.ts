import { z } from 'zod';

import { at, figure } from '../../../kernel/contracts/answers.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';

/** Figures of a node over time (docs/operations/health.md#figures-over-time). */

/** Listeners and classes of status by which requests are counted. */
const SERVED_BY = ['rate', 'reservation', 'live'] as const;
export type ServedBy = (typeof SERVED_BY)[number];
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

type Kind = 'total' | 'worst';
type Described = { unit: string; kind: Kind; alert?: string; threshold?: number };

const requests = SERVED_BY.flatMap((service) =>
  STATUS_CLASSES.map((status) => [`requests.${service}.${status}`, { unit: '1/s', kind: 'total' }] as const),
);

/**
 * Every series: its unit, how nodes and minutes are put together (a total is summed over nodes and averaged over time,
 * of the rest the worst counts), and the alert whose threshold it is compared with.
 */
export const FIGURE_SERIES: Readonly<Record<string, Described>> = {
  ...Object.fromEntries<Described>(requests),
  bookings: { unit: '1/min', kind: 'total' },
  sockets: { unit: 'sockets', kind: 'total' },
  'edge.p50': { unit: 'ms', kind: 'worst' },
  'edge.p95': { unit: 'ms', kind: 'worst' },
  'edge.p99': { unit: 'ms', kind: 'worst' },
  'commit.p50': { unit: 'ms', kind: 'worst' },
  'commit.p95': { unit: 'ms', kind: 'worst' },
  'commit.p99': { unit: 'ms', kind: 'worst' },
  'live.p50': { unit: 'ms', kind: 'worst' },
  'live.p95': { unit: 'ms', kind: 'worst' },
  'live.p99': { unit: 'ms', kind: 'worst' },
  'actor.queued': { unit: 'commands', kind: 'worst', alert: 'ActorQueueGrows', threshold: 500 },
  'relay.age': { unit: 's', kind: 'worst', alert: 'RelayBehind', threshold: 60 },
  'relay.rows': { unit: 'rows', kind: 'total' },
  'rounds.late': { unit: 'periods', kind: 'worst', alert: 'RoundLate', threshold: 3 },
  'loop.delay': { unit: 'ms', kind: 'worst', alert: 'EventLoopBlocked', threshold: 500 },
};

/** Windows of a question: length and distance of points, in seconds. */
export const FIGURE_WINDOWS = {
  hour: { seconds: 3_600, step: 10 },
  day: { seconds: 86_400, step: 300 },
} as const;
export type FigureWindow = keyof typeof FIGURE_WINDOWS;

/** A point in time with its figures by series; what is absent was not measured. */
export type FigurePoint = { at: Instant; figures: Readonly<Record<string, number>> };

export const seriesQuery = z.object({
  window: z.enum(['hour', 'day']).default('hour'),
  nodeId: z.string().min(1).max(100).optional().describe('Of one node alone.'),
});
export type SeriesQuery = z.infer<typeof seriesQuery>;

const missing = z.array(z.object({ nodeId: z.string(), why: z.string() }));

export const seriesAnswer = z.object({
  from: at.describe('Time of the first point, by the clock of PostgreSQL.'),
  stepSeconds: z.int().meta({ examples: [10] }),
  nodes: z.array(z.string()).describe('Nodes whose figures are in it.'),
  series: z.array(
    z.object({
      name: z.string().meta({ examples: ['edge.p99'] }),
      unit: z.string().meta({ examples: ['ms'] }),
      alert: z.string().optional().describe('The alert whose threshold it is compared with.'),
      threshold: figure.optional(),
      values: z.array(z.number().nullable()).describe('One a point; null where nothing was measured.'),
    }),
  ),
  missing,
});
export type SeriesAnswer = z.input<typeof seriesAnswer>;

/** Puts points of several nodes together in steps of a window that ends at `now`, in milliseconds. */
export function combined(
  perNode: readonly (readonly FigurePoint[])[],
  window: FigureWindow,
  now: Instant,
): { from: Instant; values: Record<string, (number | null)[]> } {
  const { seconds, step } = FIGURE_WINDOWS[window];
  const count = seconds / step;
  const stepMs = step * 1_000;
  const from = (Math.floor(now / stepMs) - count + 1) * stepMs;
  const names = Object.keys(FIGURE_SERIES);
  const values: Record<string, (number | null)[]> = {};
  for (const name of names) values[name] = Array<number | null>(count).fill(null);
  for (const points of perNode) {
    const own = stepsOf(points, from, stepMs, count);
    for (const name of names) {
      const isTotal = FIGURE_SERIES[name]!.kind === 'total';
      own.forEach((step, index) => {
        const found = step.flatMap(({ figures }) => figures[name] ?? []);
        if (found.length === 0) return;
        const value = isTotal ? found.reduce((sum, one) => sum + one, 0) / found.length : Math.max(...found);
        const before = values[name]![index] ?? undefined;
        values[name]![index] = before === undefined ? value : isTotal ? before + value : Math.max(before, value);
      });
    }
  }
  return { from, values };
}

function stepsOf(points: readonly FigurePoint[], from: number, stepMs: number, count: number): FigurePoint[][] {
  const steps: FigurePoint[][] = Array.from({ length: count }, () => []);
  for (const point of points) steps[Math.floor((point.at - from) / stepMs)]?.push(point);
  return steps;
}
