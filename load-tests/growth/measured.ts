import { readFileSync } from 'node:fs';

import { pause } from '../../test/blackbox/waiting.ts';
import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import { middle } from '../first/figures.ts';

/** Operations of one round, and the times of those. */
export type WorkRound = { count: number; perSecond: number; p50: number; p99: number; problems: string[] };

/** An operation at a fixed rate for some seconds. */
export type Work = {
  what: string;
  run: (seconds: number) => Promise<WorkRound>;
  /** Waits for what the operations have left to be done later, which is part of their cost. */
  drained?: () => Promise<void>;
};

/** CPU of an operation in microseconds, without what the processes use when nobody calls. */
export type OperationCost = {
  service: number;
  postgres: number;
  p50: number;
  p99: number;
  /** Operations a second that were done, which is less than their rate where the machine could not. */
  perSecond: number;
  problems: string[];
};

/** Milliseconds of CPU in a second without work. */
export type IdleCost = { service: number; postgres: number };

/** Processes whose CPU is measured. */
export type Measured = { service: number; postgres: number };

type CpuRead = { at: number; service: number; postgres: number };

const MICROS = 1_000;
/** Less than two ticks of the kernel's clock is nothing that was measured. */
const RESOLUTION_MS = 20;

function cpuNow({ service, postgres }: Measured): CpuRead {
  return { at: performance.now(), service: cpuMs(service), postgres: cpuMsOfFamily(postgres) };
}

/** The median of some seconds: a burst in one of them, such as connections that end, is no cost of every second. */
export async function idleCost(of: Measured, seconds: number): Promise<IdleCost> {
  const all: IdleCost[] = [];
  for (let n = 0; n < Math.max(1, Math.round(seconds)); n += 1) {
    const before = cpuNow(of);
    await pause(1_000);
    const after = cpuNow(of);
    const aSecond = (name: 'service' | 'postgres'): number =>
      (1_000 * (after[name] - before[name])) / (after.at - before.at);
    all.push({ service: aSecond('service'), postgres: aSecond('postgres') });
  }
  return {
    service: middle(all.map(({ service }) => service)),
    postgres: middle(all.map(({ postgres }) => postgres)),
  };
}

/** CPU of all rounds of an operation by their number, and the medians of their times. */
export async function operationCost(
  of: Measured,
  work: Work,
  idle: IdleCost,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<OperationCost> {
  const all: WorkRound[] = [];
  const spent = { service: 0, postgres: 0 };
  const before = cpuNow(of);
  for (let n = 0; n < rounds; n += 1) all.push(await work.run(seconds));
  await work.drained?.();
  const after = cpuNow(of);
  for (const name of ['service', 'postgres'] as const)
    spent[name] += after[name] - before[name] - (idle[name] * (after.at - before.at)) / 1_000;
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const each = (ms: number): number => (ms < RESOLUTION_MS ? 0 : (MICROS * ms) / Math.max(1, count));
  const median = (read: (one: WorkRound) => number): number => middle(all.map(read));
  return {
    service: each(spent.service),
    postgres: each(spent.postgres),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    perSecond: median(({ perSecond }) => perSecond),
    problems: [...new Set(all.flatMap(({ problems }) => problems))],
  };
}

/** Resident memory of a process without the files it has open, in bytes; 0 without /proc. */
export function anonymousBytes(pid: number): number {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Bytes that the machine's loopback has carried, those of other programs included; 0 without /proc. */
export function loopbackBytes(): number {
  try {
    return Number(/^\s*lo:\s*(\d+)/m.exec(readFileSync('/proc/net/dev', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
