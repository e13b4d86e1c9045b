import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';

import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import type { Beside, Sample } from './figures-of-run.ts';

const EVERY_MS = 1_000;
/** Memory of PostgreSQL and the service's metrics are read less often: reading costs, too. */
const SLOW_EVERY = 5;
const TICK_MS = 10;
const IDLE_FIELDS = new Set([4, 5]);
const SCRAPE_TIMEOUT_MS = 2_000;

/** Processes of a run: the service, the server of PostgreSQL, and the clients. */
export type Processes = { service: number; postgres: number; clients: readonly number[] };

type Counters = { at: number; busy: number; service: number; postgres: number; client: number };

/** CPU and memory of the processes of a run, and the event loop of the service, sampled each second until stopped. */
export class MachineMeter {
  readonly #processes: Processes;
  readonly #metricsUrl: string;
  readonly #samples: (Sample & { at: number })[] = [];
  readonly #gcFrom: Promise<number | null>;
  #last: Counters;
  #rounds = 0;
  #loopMs: number | null = null;
  #gcMs: number | null = null;
  #postgresBytes = 0;
  readonly #timer: NodeJS.Timeout;

  /** @param metricsUrl the service's metrics for Prometheus */
  constructor(processes: Processes, metricsUrl: string) {
    this.#processes = processes;
    this.#metricsUrl = metricsUrl;
    this.#last = this.#counters();
    this.#gcFrom = this.#scrape().then(() => this.#gcMs);
    this.#timer = setInterval(() => this.#sample(), EVERY_MS);
  }

  /** Ends the sampling. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#sample();
    await this.#scrape();
    await this.#gcFrom;
  }

  /**
   * Figures of the scenario itself, without its set-up.
   * @param from when the first request ended, in seconds since 1970; seconds of samples count from it
   */
  async figures(from: number): Promise<Omit<Beside, 'waits'>> {
    const samples = this.#samples.map(({ at, ...sample }) => ({ ...sample, second: Math.round(at / 1_000 - from) }));
    const counted = samples.filter(({ second }) => second > 0);
    const mean = (name: 'service' | 'postgres' | 'client' | 'others'): number =>
      Math.round((100 * counted.reduce((sum, one) => sum + one[name], 0)) / Math.max(1, counted.length)) / 100;
    const gcFrom = await this.#gcFrom;
    const rss = counted.map((sample) => sample.rss);
    const loops = counted.flatMap(({ loopMs }) => loopMs ?? []);
    return {
      cpu: {
        service: mean('service'),
        postgres: mean('postgres'),
        client: mean('client'),
        others: mean('others'),
        cores: cpus().length,
      },
      memory: {
        serviceFrom: rss[0] ?? 0,
        serviceTo: rss.at(-1) ?? 0,
        serviceMax: Math.max(0, ...rss),
        postgres: this.#postgresBytes,
      },
      loopMaxMs: loops.length > 0 ? Math.max(...loops) : null,
      gcMs: this.#gcMs === null || gcFrom === null ? null : Math.round(this.#gcMs - gcFrom),
      samples,
    };
  }

  #sample(): void {
    const now = this.#counters();
    if (now.at - this.#last.at < EVERY_MS / 2) return;
    const cores = coresBetween(this.#last, now);
    this.#samples.push({
      at: Date.now(),
      second: 0,
      ...cores,
      rss: residentBytes(this.#processes.service),
      loopMs: this.#loopMs,
    });
    this.#last = now;
    if (this.#rounds++ % SLOW_EVERY !== 0) return;
    this.#postgresBytes = Math.max(this.#postgresBytes, familyBytes(this.#processes.postgres));
    void this.#scrape();
  }

  #counters(): Counters {
    const { service, postgres, clients } = this.#processes;
    const own = process.cpuUsage();
    return {
      at: performance.now(),
      busy: busyMs(),
      service: cpuMs(service),
      postgres: cpuMsOfFamily(postgres),
      client: clients.reduce((sum, pid) => sum + cpuMs(pid), (own.user + own.system) / 1_000),
    };
  }

  /** Metrics that cannot be read leave those of before. */
  async #scrape(): Promise<void> {
    try {
      const answer = await fetch(this.#metricsUrl, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
      const text = await answer.text();
      this.#loopMs = metricOf(text, 'event_loop_delay') ?? this.#loopMs;
      this.#gcMs = metricOf(text, 'gc_time') ?? this.#gcMs;
    } catch {
      // A service under load may answer late.
    }
  }
}

/** The sum of a metric over its labels in the text for Prometheus; `null` where it is missing. */
export function metricOf(text: string, name: string): number | null {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;
}

/** Cores that programs of the whole machine use now, measured over so many milliseconds; 0 without /proc. */
export async function busyCores(overMs: number): Promise<number> {
  const [from, began] = [busyMs(), performance.now()];
  await new Promise((resolve) => {
    setTimeout(resolve, overMs);
  });
  return cores(busyMs() - from, performance.now() - began);
}

export function loadOfMachine(): number[] {
  return loadavg().map((value) => Math.round(value * 100) / 100);
}

function coresBetween(one: Counters, other: Counters): Pick<Sample, 'service' | 'postgres' | 'client' | 'others'> {
  const ms = Math.max(1, other.at - one.at);
  const of = (name: 'busy' | 'service' | 'postgres' | 'client'): number => cores(other[name] - one[name], ms);
  const parts = { service: of('service'), postgres: of('postgres'), client: of('client') };
  const others = Math.max(0, of('busy') - parts.service - parts.postgres - parts.client);
  return { ...parts, others: Math.round(others * 100) / 100 };
}

function cores(cpu: number, ms: number): number {
  return Math.max(0, Math.round((100 * cpu) / ms) / 100);
}

/** CPU time of all programs of the machine; what a hypervisor takes away counts, since nobody here can use it. */
function busyMs(): number {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(0, 9);
    return fields.reduce((sum, ticks, n) => (n === 0 || IDLE_FIELDS.has(n) ? sum : sum + Number(ticks) * TICK_MS), 0);
  } catch {
    return 0;
  }
}

function residentBytes(pid: number): number {
  return kilobytesOf(`/proc/${pid}/status`, 'VmRSS') * 1_024;
}

/** Memory of a process and its children, each shared page counted once. */
function familyBytes(pid: number): number {
  const parentOf = (one: string): number => {
    try {
      const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      return -1;
    }
  };
  try {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    return [String(pid), ...children].reduce(
      (sum, one) => sum + kilobytesOf(`/proc/${one}/smaps_rollup`, 'Pss') * 1_024,
      0,
    );
  } catch {
    return 0;
  }
}

function kilobytesOf(path: string, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
