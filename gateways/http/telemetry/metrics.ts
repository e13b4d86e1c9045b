import { Counter, Gauge, Registry } from 'prom-client';

import type { RequestObserver } from './access-log.ts';
import { type Series, Timer } from './timer.ts';

type Statistic = 'VALUE' | 'COUNT' | 'TOTAL_TIME' | 'MAX';
type Measurement = { statistic: Statistic; value: number };

/** The body of `/actuator/metrics/{name}`, as Spring Boot shapes it (docs/operations/health.md#metrics). */
type MetricReport = {
  name: string;
  description: string;
  baseUnit: string | null;
  measurements: Measurement[];
  availableTags: Array<{ tag: string; values: string[] }>;
};

export type Tag = readonly [key: string, value: string];
type Meter = { description: string; baseUnit: string | null; labelled: () => Labelled[] };
type Labelled = { labels: Readonly<Record<string, string>>; measurements: Measurement[] };

/** Bounds of the request histogram in seconds: the performance targets (docs/operations/health.md#metrics). */
const REQUEST_BOUNDS = [0.5, 1, 2, 30];
const DURATION_BOUNDS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60];

/**
 * Metrics of one service, with dotted names for `/actuator/metrics` and in Prometheus' text format. No label names a
 * tenant, a property or a guest.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #meters = new Map<string, Meter>();
  readonly #gauges = new Map<string, () => number>();
  readonly #durations = new Map<string, (seconds: number) => void>();
  readonly #requests = this.#timer('http.server.requests', 'Duration of HTTP requests', REQUEST_BOUNDS, [
    'method',
    'uri',
    'status',
    'outcome',
  ]);

  /** Declares a gauge, read at each scrape. When declared again, the newer `read` is used. */
  gauge(name: string, description: string, read: () => number = () => 0): void {
    const declared = this.#gauges.has(name);
    this.#gauges.set(name, read);
    if (declared) return;
    const now = (): number => this.#gauges.get(name)?.() ?? 0;
    const collect = function (this: Gauge): void {
      this.set(now());
    };
    const metric = new Gauge({ name: prometheusName(name), help: description, registers: [this.registry], collect });
    this.#meters.set(name, {
      description,
      baseUnit: null,
      labelled: () => [{ labels: {}, measurements: [{ statistic: 'VALUE', value: now() }] }],
    });
    metric.set(now());
  }

  /** Declares gauges that differ in a tag, such as the age of each round; read at each scrape. */
  taggedGauge(name: string, description: string, tag: string, read: () => ReadonlyMap<string, number>): void {
    const collect = function (this: Gauge): void {
      this.reset();
      for (const [value, number] of read()) this.set({ [tag]: value }, number);
    };
    const options = { name: prometheusName(name), help: description, labelNames: [tag] };
    void new Gauge({ ...options, registers: [this.registry], collect });
    const labelled = (): Labelled[] =>
      [...read()].map(([value, number]) => ({
        labels: { [tag]: value },
        measurements: [{ statistic: 'VALUE', value: number }],
      }));
    this.#meters.set(name, { description, baseUnit: null, labelled });
  }

  /** Declares a counter. @returns the function that adds to it */
  counter(name: string, description: string): (more?: number) => void {
    let count = 0;
    const metric = new Counter({
      name: `${prometheusName(name)}_total`,
      help: description,
      registers: [this.registry],
    });
    const measurements = (): Measurement[] => [{ statistic: 'COUNT', value: count }];
    this.#meters.set(name, {
      description,
      baseUnit: null,
      labelled: () => [{ labels: {}, measurements: measurements() }],
    });
    return (more = 1) => {
      count += more;
      metric.inc(more);
    };
  }

  /**
   * Declares a timer; declaring it again returns the same.
   * @returns the function that records a duration in seconds
   */
  timer(name: string, description: string): (seconds: number) => void {
    let record = this.#durations.get(name);
    if (!record) {
      const series = this.#timer(name, description, DURATION_BOUNDS, []).seriesOf({});
      this.#durations.set(name, (record = (seconds) => series.record(seconds)));
    }
    return record;
  }

  /** Records every finished HTTP request; given to `createApp`. */
  readonly observe: RequestObserver = this.#requestObserver();

  /** All names, sorted. */
  names(): string[] {
    return [...this.#meters.keys()].sort();
  }

  /** Current values of a metric by its labels: of a gauge, or the count of a counter. */
  read(name: string): { labels: Readonly<Record<string, string>>; value: number }[] {
    const all = this.#meters.get(name)?.labelled() ?? [];
    return all.map(({ labels, measurements }) => ({ labels, value: measurements[0]?.value ?? 0 }));
  }

  /** All requests since the start, by method, route and status. */
  requests(): readonly Series[] {
    return this.#requests.all();
  }

  /** One metric, narrowed to the series with all of `tags`; `undefined` when there is none. */
  report(name: string, tags: readonly Tag[]): MetricReport | undefined {
    const meter = this.#meters.get(name);
    if (meter === undefined) return undefined;
    const all = meter.labelled();
    const fitting = all.filter(({ labels }) => tags.every(([key, value]) => labels[key] === value));
    if (fitting.length === 0 && tags.length > 0) return undefined;
    const { description, baseUnit } = meter;
    const measurements = summed(fitting.length > 0 ? fitting : [emptySeries(meter)]);
    return { name, description, baseUnit, measurements, availableTags: tagsOf(fitting, tags) };
  }

  #timer(name: string, description: string, buckets: number[], labelNames: string[]): Timer {
    const timer = new Timer({
      name: `${prometheusName(name)}_seconds`,
      help: description,
      buckets,
      labelNames,
      registry: this.registry,
    });
    const labelled = (): Labelled[] =>
      timer.all().map((series) => ({ labels: series.labels, measurements: of(series) }));
    this.#meters.set(name, { description, baseUnit: 'seconds', labelled });
    return timer;
  }

  #requestObserver(): RequestObserver {
    const known = new Map<string, Map<string, Series>>();
    return (uri, method, status, seconds) => {
      let ofRoute = known.get(uri);
      if (ofRoute === undefined) known.set(uri, (ofRoute = new Map()));
      const key = `${method} ${status}`;
      let series = ofRoute.get(key);
      if (series === undefined) {
        series = this.#requests.seriesOf({ method, uri, status: String(status), outcome: outcomeOf(status) });
        ofRoute.set(key, series);
      }
      series.record(seconds);
    };
  }
}

function prometheusName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
}

function of({ count, total, max }: Pick<Series, 'count' | 'total' | 'max'>): Measurement[] {
  return [
    { statistic: 'COUNT', value: count },
    { statistic: 'TOTAL_TIME', value: total },
    { statistic: 'MAX', value: max },
  ];
}

function emptySeries({ baseUnit }: Meter): Labelled {
  const nothing: Measurement[] = [{ statistic: 'VALUE', value: 0 }];
  return { labels: {}, measurements: baseUnit === 'seconds' ? of({ count: 0, total: 0, max: 0 }) : nothing };
}

function summed(series: readonly Labelled[]): Measurement[] {
  const [first] = series;
  return (first?.measurements ?? []).map(({ statistic }) => {
    const values = series.map(
      ({ measurements }) => measurements.find((one) => one.statistic === statistic)?.value ?? 0,
    );
    // Ages are not summed: the largest one is reported.
    const value =
      statistic === 'MAX' || statistic === 'VALUE' ? Math.max(...values) : values.reduce((sum, one) => sum + one, 0);
    return { statistic, value };
  });
}

function tagsOf(series: readonly Labelled[], wanted: readonly Tag[]): MetricReport['availableTags'] {
  const names = [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))];
  return names
    .filter((tag) => !wanted.some(([key]) => key === tag))
    .map((tag) => ({ tag, values: [...new Set(series.map(({ labels }) => labels[tag] ?? ''))].sort() }));
}

function outcomeOf(status: number): string {
  if (status < 200) return 'INFORMATIONAL';
  if (status < 300) return 'SUCCESS';
  if (status < 400) return 'REDIRECTION';
  return status < 500 ? 'CLIENT_ERROR' : 'SERVER_ERROR';
}

/** These metrics exist with 0 from the start, each on its own service. */
export function metricsText(service: 'rate' | 'reservation' | 'live'): Metrics {
  const metrics = new Metrics();
  metrics.gauge('hikaricp.connections.active', 'Active connections of the database pool');
  if (service === 'rate') {
    metrics.gauge('rate.optimization.queue.size', 'Optimizations that wait or run');
    metrics.timer('rate.optimization.duration', 'Duration of optimizations');
  }
  if (service === 'reservation') metrics.gauge('room.assignment.queue.size', 'Room assignments that wait or run');
  return metrics;
}
