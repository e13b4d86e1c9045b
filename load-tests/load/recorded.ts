import type { Percentiles } from '../client/latencies.ts';

/** Requests of an endpoint, or frames of a transport, that ended in one second of a run. */
export type Second = { second: number; count: number; p50: number; p95: number; p99: number; max: number };

/** Requests of an endpoint, or frames of a transport; times in milliseconds. */
export type EndpointFigures = Percentiles & {
  endpoint: string;
  /** Answers that the script does not expect, by status; 0 are those that never came. */
  unexpected: Record<string, number>;
  perSecond: number;
  bySecond: Second[];
};

/** Trends of which k6 writes each value; others are only in its summary. */
const TIMED = ['http_req_duration', 'live_commit_to_frame', 'offers_age'];
/** Metrics of k6 without an endpoint of their own get their name here. */
const NAMES: Readonly<Record<string, string>> = { live_commit_to_frame: 'frame', offers_age: 'age of offers' };
/** Requests of the set-up and of what follows a scenario. */
const UNCOUNTED = 'prepare';

type Point = { data: { time: string; value: number; tags: Record<string, string> } };
type Values = { times: number[]; unexpected: Record<string, number>; seconds: Map<number, number[]> };

/** The values that k6 writes with `--out json`, line by line, as figures of each endpoint. */
export class Recorded {
  readonly #endpoints = new Map<string, Values>();
  #first = Infinity;
  #last = -Infinity;

  /** Takes a line; those of other metrics are not parsed. @throws SyntaxError when k6 was cut off in it */
  take(line: string): void {
    const metric = TIMED.find((name) => line.startsWith(`{"metric":"${name}","type":"Point"`));
    if (metric === undefined) return;
    const { data } = JSON.parse(line) as Point;
    const { tags } = data;
    if (tags['endpoint'] === UNCOUNTED) return;
    const name = tags['endpoint'] ?? `${NAMES[metric] ?? metric}${tags['transport'] ? ` ${tags['transport']}` : ''}`;
    this.#add(
      name,
      Date.parse(data.time),
      data.value,
      tags['expected_response'] === 'false' ? tags['status'] : undefined,
    );
  }

  #add(name: string, at: number, ms: number, unexpected: string | undefined): void {
    let values = this.#endpoints.get(name);
    if (!values) this.#endpoints.set(name, (values = { times: [], unexpected: {}, seconds: new Map() }));
    values.times.push(ms);
    if (unexpected !== undefined) values.unexpected[unexpected] = (values.unexpected[unexpected] ?? 0) + 1;
    const second = Math.floor(at / 1_000);
    const there = values.seconds.get(second);
    if (there) there.push(ms);
    else values.seconds.set(second, [ms]);
    this.#first = Math.min(this.#first, second);
    this.#last = Math.max(this.#last, second);
  }

  /** When the first counted request ended, in seconds since 1970; `undefined` without one. */
  get firstSecond(): number | undefined {
    return Number.isFinite(this.#first) ? this.#first : undefined;
  }

  /** Each endpoint over the whole run; seconds count from the first request. */
  figures(): EndpointFigures[] {
    const seconds = Math.max(1, this.#last - this.#first + 1);
    return [...this.#endpoints].map(([endpoint, { times, unexpected, seconds: bySecond }]) => ({
      endpoint,
      ...spread(times),
      unexpected,
      perSecond: rounded(times.length / seconds),
      bySecond: [...bySecond]
        .toSorted(([one], [other]) => one - other)
        .map(([second, values]) => ({ second: second - this.#first, ...spread(values) })),
    }));
  }
}

/** Nearest-rank percentiles, in milliseconds with two decimals. */
function spread(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number): number => rounded(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
