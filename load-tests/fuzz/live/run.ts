import { setTimeout as pause } from 'node:timers/promises';

import { until } from '../../../src/platform/launch/process/until.mjs';
import { isAlive, trySignal } from '../../../test/blackbox/launched.ts';
import { Service } from '../../../test/blackbox/service.ts';
import { percentiles } from '../../client/latencies.ts';
import { NO_LIMITS } from '../../first/hot-property.ts';
import { seeded } from '../../nemesis/seeded.ts';
import { ATTACKS, type Loot, type Target } from './attacks.ts';
import { Picks } from './frames.ts';
import { Healthy } from './healthy.ts';
import { Inspector, metricsText, type Vitals, vitalsOf } from './vitals.ts';

export type LiveFuzzOptions = { minutes: number; attackers: number; seed: number; runtime: 'deno' | 'node' };

const CALM_SECONDS = 10;
/** Caches fill and code is compiled: what is held afterwards counts. */
const WARM_SECONDS = 20;
/** The gateway closes who shows no token after 10 s, and who takes nothing after 30 s. */
const SETTLED_WITHIN_MS = 90_000;
const SETTLE_MS = 3_000;
const INSPECTOR_MS = 10_000;
/** What may be held more in the end than in the middle of the attacks. */
const MAX_GROWTH = { residentMb: 96, heapMb: 24, descriptors: 16, timers: 16 };
const SHOWN = 10;
const SAID = 4_000;

/**
 * Attacks on the live gateway of a service, with healthy dashboards beside them.
 * @returns whether nobody healthy noticed, the service is the same process, had no fault of its own, and leaked nothing
 */
export async function fuzzLive({ minutes, attackers, seed, runtime }: LiveFuzzOptions): Promise<boolean> {
  // Floods are part of it, so that they reach what they are meant for; `NODE_OPTIONS` chooses a free port.
  const env = { ...NO_LIMITS, RATE_LIMIT_ADDRESS: '0', NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };
  const options = { script: runtime === 'node' ? 'start:node' : 'start', isWatched: false };
  const service = await Service.start(env, options);
  let inspector: Inspector | undefined;
  process.on('uncaughtException', cutOff);
  try {
    console.log(`${runtime}, ${minutes} minutes, ${attackers} attackers at a time, seed ${seed}`);
    inspector = runtime === 'node' ? await inspectorOf(service) : undefined;
    return await attack(service, { minutes, attackers, seed, runtime }, inspector);
  } catch (error) {
    // What ended it is among the last that it said.
    const said = service.output.split('\n').filter((line) => !/"msg":"(request|slow statement)"/.test(line));
    console.log(`the service has said:\n${[...said, ...(inspector?.uncaught ?? [])].join('\n').slice(-SAID)}`);
    throw error;
  } finally {
    inspector?.[Symbol.dispose]();
    await service.remove();
    process.off('uncaughtException', cutOff);
  }
}

/** The service cuts attackers off in the middle of anything, also where no library of theirs listens any more. */
function cutOff(error: Error & { code?: string }): void {
  if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
}

async function attack(
  service: Service,
  { minutes, attackers, seed }: LiveFuzzOptions,
  inspector: Inspector | undefined,
): Promise<boolean> {
  const { pid, liveUrl, reservationUrl } = service.dev;
  const healthy = await Healthy.open(service);
  const loot: Loot = { statuses: new Map(), faults: [] };
  const { property } = healthy;
  const world = { token: service.token('demo', 'STAFF'), tenantId: 'demo', propertyId: property.propertyId };
  const picks = new Picks(seeded(seed));
  const target = { liveUrl, world: { ...world, today: property.day(0) }, picks };
  const metrics = `${reservationUrl}/actuator/prometheus`;
  const looks: Vitals[] = [];
  const look = async (what: string): Promise<void> => {
    await until(async () => (await vitalsOf(pid, metrics)).sockets <= healthy.count, SETTLED_WITHIN_MS, 500);
    await pause(SETTLE_MS);
    const seen = await vitalsOf(pid, metrics, inspector);
    looks.push(seen);
    console.log(`${what.padEnd(22)} ${textOf(seen)}`);
  };
  const assault = async (seconds: number): Promise<void> => {
    const made = await assaults(target, loot, attackers, seconds);
    console.log(`${made} attacks: ${latencyText(healthy)}`);
  };
  await pause(CALM_SECONDS * 1_000);
  console.log(`calm: ${latencyText(healthy)}`);
  await assault(WARM_SECONDS);
  await look('after the warm-up');
  await assault(minutes * 30);
  await look('in the middle');
  await assault(minutes * 30);
  await look('in the end');
  const wrong = [...(await healthy.end()), ...loot.faults, ...leaks(looks.at(-2)!, looks.at(-1)!, healthy.count)];
  if (!isAlive(pid)) wrong.push('the service has ended');
  const serverErrors = await errorsOf(metrics);
  if (serverErrors > 0) wrong.push(`the service counts ${serverErrors} answers with 5xx`);
  const statuses = [...loot.statuses].toSorted(([a], [b]) => a - b).map(([status, n]) => `${n} x ${status}`);
  console.log(`answers over HTTP: ${statuses.join(', ')}; ${healthy.booked} bookings beside them`);
  for (const one of wrong.slice(0, SHOWN)) console.log(`WRONG: ${one}`);
  console.log(
    wrong.length === 0 ? 'nobody healthy noticed, and nothing is held' : `${wrong.length} things are wrong`,
  );
  return wrong.length === 0;
}

/** Attacks at random, so many at a time. @returns how many were made */
async function assaults(target: Target, loot: Loot, attackers: number, seconds: number): Promise<number> {
  const names = Object.keys(ATTACKS);
  const end = performance.now() + seconds * 1_000;
  let made = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const name = target.picks.of(names);
      made += 1;
      await ATTACKS[name]!(target, loot).catch((error: unknown) => loot.faults.push(`${name}: ${String(error)}`));
    }
  };
  await Promise.all(Array.from({ length: attackers }, one));
  return made;
}

function leaks(middle: Vitals, end: Vitals, dashboards: number): string[] {
  const wrong = (['residentMb', 'heapMb', 'descriptors', 'timers'] as const)
    .filter((name) => (end[name] ?? 0) - (middle[name] ?? 0) > MAX_GROWTH[name])
    .map((name) => `${name} grew from ${middle[name]} to ${end[name]}`);
  return end.sockets === dashboards ? wrong : [...wrong, `${end.sockets} sockets are held, of ${dashboards}`];
}

function latencyText(healthy: Healthy): string {
  const { count, p50, p95, p99, max } = percentiles(healthy.drainLatencies());
  return `${count} changes shown after ${p50} ms (p95 ${p95}, p99 ${p99}, longest ${max}), ${healthy.late} late`;
}

function textOf({ residentMb, descriptors, sockets, heapMb, timers }: Vitals): string {
  const inside = heapMb === undefined ? '' : `, ${heapMb} MB of heap, ${timers} timers`;
  return `${residentMb} MB resident, ${descriptors} descriptors, ${sockets} sockets${inside}`;
}

/** Answers with 5xx other than 503, by the service's own count. */
async function errorsOf(metricsUrl: string): Promise<number> {
  const text = await metricsText(metricsUrl);
  const counts = [...text.matchAll(/^http_server_requests_seconds_count\{([^}]*)\} (\d+)$/gm)];
  return counts
    .filter(([, labels = '']) => /status="5(?!03)\d\d"/.test(labels))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

async function inspectorOf(service: Service): Promise<Inspector> {
  trySignal(service.dev.pid, 'SIGUSR1');
  const url = await until(() => /Debugger listening on (ws:\S+)/.exec(service.output)?.[1], INSPECTOR_MS);
  if (url === undefined) throw new Error('the inspector of the service does not open');
  return Inspector.open(url);
}
