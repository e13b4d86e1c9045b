import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import {
  FIGURE_SERIES,
  FIGURE_WINDOWS,
  type FigurePoint,
  type ServedBy,
  STATUS_CLASSES,
} from '../../../src/platform/coordination/contracts/figure-series.ts';
import type { Durations } from '../../../src/platform/coordination/ports.ts';
import type { Metrics } from './metrics.ts';
import type { NodeStatus } from './node-status.ts';

const STEP_MS = FIGURE_WINDOWS.hour.step * 1_000;
const MAX_POINTS = FIGURE_WINDOWS.hour.seconds / FIGURE_WINDOWS.hour.step;
const STEPS_A_MINUTE = 60_000 / STEP_MS;
const QUANTILES = [0.5, 0.95, 0.99];
const QUANTILE_NAMES = ['p50', 'p95', 'p99'];

type Parts = {
  services: ReadonlyMap<ServedBy, Metrics>;
  status: Pick<NodeStatus, 'figures' | 'sockets' | 'live' | 'eventLoopDelayMs'>;
  /** Durations of requests below /api, of commits, and from commits until live clients were sent them. */
  edge: Durations;
  commits: Durations;
  fanOut: Durations;
  /** Reservations made since the start. */
  bookings(): number;
  /** The database's time, whatever the development clock says. */
  now(): Instant;
};

/**
 * Takes the figures of this node every ten seconds, and keeps them for an hour
 * (docs/operations/health.md#figures-over-time). Requests only add to counters that exist anyway.
 */
export class FigureSampler {
  readonly #parts: Parts;
  readonly #points: FigurePoint[] = [];
  readonly #counted = new Map<string, number>();
  #takenAt: number;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#takenAt = performance.now();
    this.#rates(1);
  }

  /** Takes the figures since the last time. @returns those of the minute that has ended, if one has */
  take(): FigurePoint | undefined {
    const taken = performance.now();
    const seconds = Math.max(0.001, (taken - this.#takenAt) / 1_000);
    this.#takenAt = taken;
    const figures = { ...this.#rates(seconds), ...this.#levels() };
    const at = Math.floor(this.#parts.now() / STEP_MS) * STEP_MS;
    const before = this.#points.at(-1);
    this.#points.push({ at, figures });
    if (this.#points.length > MAX_POINTS) this.#points.shift();
    const minute = Math.floor((before?.at ?? at) / 60_000);
    return minute === Math.floor(at / 60_000) ? undefined : this.#minute(minute * 60_000);
  }

  /** Points of the last hour, oldest first. */
  points(): readonly FigurePoint[] {
    return this.#points;
  }

  /** Figures of requests and bookings, which are counted since the start. */
  #rates(seconds: number): Record<string, number> {
    const figures: Record<string, number> = {};
    for (const [service, metrics] of this.#parts.services) {
      const counts = new Map<string, number>();
      for (const { labels, count } of metrics.requests()) {
        const status = `${labels['status']?.[0]}xx`;
        counts.set(status, (counts.get(status) ?? 0) + count);
      }
      for (const status of STATUS_CLASSES) {
        const name = `requests.${service}.${status}`;
        figures[name] = this.#since(name, counts.get(status) ?? 0) / seconds;
      }
    }
    figures['bookings'] = (this.#since('bookings', this.#parts.bookings()) / seconds) * 60;
    return figures;
  }

  #levels(): Record<string, number> {
    const { status, edge, commits, fanOut } = this.#parts;
    const { queuedCommands, relay, rounds } = status.figures;
    const late = rounds.map(({ ageSeconds, everyMs }) => (ageSeconds * 1_000) / everyMs);
    return {
      ...quantilesOf('edge', edge),
      ...quantilesOf('commit', commits),
      ...quantilesOf('live', fanOut),
      sockets: status.live.connections,
      'actor.queued': queuedCommands,
      'relay.age': relay.oldestAgeSeconds,
      'relay.rows': relay.lag,
      'rounds.late': Math.max(0, ...late),
      'loop.delay': status.eventLoopDelayMs,
    };
  }

  #since(name: string, count: number): number {
    const before = this.#counted.get(name) ?? 0;
    this.#counted.set(name, count);
    return Math.max(0, count - before);
  }

  /** The points of a minute as one. */
  #minute(at: Instant): FigurePoint {
    const of = this.#points
      .slice(-STEPS_A_MINUTE - 1)
      .filter((point) => Math.floor(point.at / 60_000) * 60_000 === at);
    const figures: Record<string, number> = {};
    for (const [name, { kind }] of Object.entries(FIGURE_SERIES)) {
      const values = of.flatMap((point) => point.figures[name] ?? []);
      if (values.length === 0) continue;
      const sum = values.reduce((all, one) => all + one, 0);
      figures[name] = rounded(kind === 'total' ? sum / values.length : Math.max(...values));
    }
    return { at, figures };
  }
}

function quantilesOf(name: string, latency: Durations): Record<string, number> {
  const taken = latency.take(QUANTILES) ?? [];
  return Object.fromEntries(taken.map((ms, at) => [`${name}.${QUANTILE_NAMES[at]}`, rounded(ms)]));
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
