import type { Metrics } from './metrics.ts';
import type { Series } from './timer.ts';

/** Distance of remembered counts, and for how long: the longest window of a rule is six hours. */
const STEP_MS = 30_000;
const MAX_COUNTS = (6 * 60 * 60_000) / STEP_MS + 1;

type Labels = Readonly<Record<string, string>>;
type Counts = { at: number; values: ReadonlyMap<string, number> };

/** Bookings, as the rule BookingsSlow selects them. */
const BOOKING_ROUTE = /^\/api\/v1\/(tenants\/.+\/)?reservations$/;
const QUICK_SECONDS = 2;
const UNPAID_BOUNDS = new Set(['cell', 'subject-holds', 'subject-room-nights']);

/**
 * What rules of alerts look at: metrics of this node's listeners now, and how much counts have grown within a time.
 * Counts are remembered for six hours, or since the start.
 */
export class AlertFigures {
  readonly #metrics: readonly Metrics[];
  readonly #now: () => number;
  readonly #counts: Counts[] = [];
  /** Counts as of the last call of `take`: every rule is judged by the same. */
  #latest: ReadonlyMap<string, number> = new Map();

  /** @param now monotonic milliseconds */
  constructor(metrics: readonly Metrics[], now: () => number = () => performance.now()) {
    this.#metrics = metrics;
    this.#now = now;
  }

  /** Takes the counts of now, and remembers them; called every ten seconds, before rules are judged. */
  take(): void {
    const at = this.#now();
    this.#latest = this.#current();
    const last = this.#counts.at(-1);
    if (last && at - last.at < STEP_MS) return;
    this.#counts.push({ at, values: this.#latest });
    if (this.#counts.length > MAX_COUNTS) this.#counts.shift();
  }

  /** All values of a metric, of each listener. */
  all(metric: string): { labels: Labels; value: number }[] {
    return this.#metrics.flatMap((one) => one.read(metric));
  }

  /** The largest value; negative infinity where there is none. */
  most(metric: string): number {
    return Math.max(...this.all(metric).map(({ value }) => value));
  }

  /** The smallest value; infinity where there is none. */
  least(metric: string): number {
    return Math.min(...this.all(metric).map(({ value }) => value));
  }

  /** How much a count has grown within minutes. */
  increase(name: string, minutes: number): number {
    const now = this.#latest.get(name) ?? 0;
    const before = this.#within(minutes)[0]?.values.get(name) ?? 0;
    return Math.max(0, now - before);
  }

  /** The smallest value of a gauge within minutes. */
  leastOf(name: string, minutes: number): number {
    const remembered = this.#within(minutes).map(({ values }) => values.get(name) ?? 0);
    return Math.min(...remembered, this.#latest.get(name) ?? 0);
  }

  /** Part of one count in another, by what both have grown; 0 where nothing has happened. */
  part(of: string, all: string, minutes: number): number {
    const whole = this.increase(all, minutes);
    return whole === 0 ? 0 : this.increase(of, minutes) / whole;
  }

  #within(minutes: number): Counts[] {
    const since = this.#now() - minutes * 60_000;
    return this.#counts.filter(({ at }) => at >= since);
  }

  #current(): ReadonlyMap<string, number> {
    const values = new Map<string, number>();
    const add = (name: string, more: number): void => void values.set(name, (values.get(name) ?? 0) + more);
    for (const series of this.#metrics.flatMap((one) => one.requests())) countRequests(series, add);
    for (const { labels, value } of this.all('holds.refused'))
      if (UNPAID_BOUNDS.has(labels['bound'] ?? '')) add('holds.refused', value);
    for (const metric of ONCE) values.set(metric, Math.max(0, this.most(metric)));
    for (const { labels, value } of this.all('jobs.round.failures'))
      values.set(failuresOf(labels['round'] ?? ''), value);
    for (const { value } of this.all('http.connections.refused')) add('http.connections.refused', value);
    for (const { labels, value } of this.all('live.refused')) values.set(`live.refused ${labels['what']}`, value);
    return values;
  }
}

/** Counts and gauges that every listener of a node has alike. */
const ONCE = [
  'log.lines.dropped',
  'cluster.takeovers',
  'node.link.failures',
  'payments.cards.unreadable',
  'subscriptions.given.up',
  'jobs.waiting',
] as const;

/** Name of the count of failures of a round. */
export const failuresOf = (round: string): string => `jobs.round.failures ${round}`;

function countRequests(series: Series, add: (name: string, more: number) => void): void {
  const { uri = '', status = '', method } = series.labels;
  if (!uri.startsWith('/api/')) return;
  add('api', series.count);
  if (status.startsWith('5')) add('api failed', series.count);
  if (method !== 'POST' || !BOOKING_ROUTE.test(uri)) return;
  add('bookings', series.count);
  add('bookings quick', series.buckets().find(([bound]) => bound === QUICK_SECONDS)?.[1] ?? 0);
}
