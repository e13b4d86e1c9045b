import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { pause, until } from '../../test/blackbox/waiting.ts';
import { CHAIN_TYPES } from '../chain.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Swarm } from '../live/swarm.ts';
import type { GrowthRunState } from './axes.ts';
import { fitLine, type LineFit } from './fit.ts';
import { CONNECTIONS, socketsAt } from './operations.ts';
import { type GrowthWorld, stayOf } from './world.ts';

/** Bytes after a garbage collection: of the process, of its heap, and of buffers outside of it. */
type MemoryRead = { rss: number; heapUsed: number; arrayBuffers: number };

export type MemoryCurve = {
  what: 'property' | 'socket' | 'hold';
  points: { n: number; rss: number; heap: number }[];
  /** Bytes of one more. */
  rss: LineFit | null;
  heap: LineFit | null;
};

const FILE = 'memory.json';
const READ_WITHIN_MS = 30_000;
const SETTLE_MS = 500;
const SECONDS_A_STEP = 15;
const SOCKETS_AT = 100;
const HOLDS_WITHIN_SECONDS = 120;

/** Collects garbage and writes what remains to a file when it gets a signal; only Node offers that from outside. */
function collector(file: string): string {
  const code = [
    "import{isMainThread}from'node:worker_threads'",
    "import{setFlagsFromString}from'node:v8'",
    "import{runInNewContext}from'node:vm'",
    "import{writeFileSync,renameSync}from'node:fs'",
    "setFlagsFromString('--expose-gc')",
    "const gc=runInNewContext('gc')",
    `const f=${JSON.stringify(file)}`,
    "if(isMainThread)process.on('SIGUSR2',()=>{gc();gc();writeFileSync(f+'.new',JSON.stringify(process.memoryUsage()));renameSync(f+'.new',f)})",
  ].join(';');
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

/** Memory of the service over resident properties, sockets and holds, after a collection each; on Node. */
export async function growMemory(world: GrowthWorld, state: GrowthRunState): Promise<MemoryCurve[]> {
  const { plan, budget, say } = state;
  const { properties, sockets, holds, nights } = plan.memory;
  const before = world.properties.length;
  await world.growTo(before + Math.max(...properties), { nights });
  const own = world.properties.slice(before);
  const file = join(world.service.dataDir, FILE);
  world.service.launchOptions = { ...world.service.launchOptions, script: 'start:node' };
  world.service.env['NODE_OPTIONS'] = collector(file);
  await world.restart();
  // Loaded code stays in memory, and belongs to nobody.
  await warm(world, own.slice(0, 1));
  const curves: MemoryCurve[] = [];
  const curve = async (what: MemoryCurve['what'], sizes: readonly number[], grow: (n: number) => Promise<void>) => {
    const points: MemoryCurve['points'] = [];
    for (const n of sizes) {
      if (!budget.allows(`memory of ${n} x ${what}`, SECONDS_A_STEP)) break;
      await grow(n);
      const { rss, heapUsed, arrayBuffers } = await memoryOf(world, file);
      points.push({ n, rss, heap: heapUsed + arrayBuffers });
      say(
        `  memory, ${n} x ${what}: ${Math.round(rss / 1e6)} MB resident, ${Math.round((heapUsed + arrayBuffers) / 1e6)} MB heap`,
      );
    }
    const fit = (of: 'rss' | 'heap') => fitLine(points.map((point) => [point.n, point[of]] as const)) ?? null;
    curves.push({ what, points, rss: fit('rss'), heap: fit('heap') });
  };
  const open: Swarm[] = [];
  try {
    let [resident, connected, held] = [0, 0, 0];
    await curve('property', properties, async (n) => {
      await activated(world, own.slice(resident, n));
      resident = n;
    });
    await curve('socket', sockets, async (n) => {
      open.push(await socketsAt(world, own.slice(0, SOCKETS_AT), n - connected));
      connected = n;
    });
    for (const swarm of open.splice(0)) swarm[Symbol.dispose]();
    await pause(SETTLE_MS);
    await curve('hold', holds, async (n) => {
      await placeHolds(world, own, held, n - held);
      held = n;
    });
  } finally {
    for (const swarm of open) swarm[Symbol.dispose]();
  }
  return curves;
}

async function warm(world: GrowthWorld, properties: readonly string[]): Promise<void> {
  await activated(world, properties, 300);
  await placeHolds(world, properties, 0, 1);
  (await socketsAt(world, properties, 1))[Symbol.dispose]();
}

/** One quote of each at least. */
async function activated(world: GrowthWorld, properties: readonly string[], atLeast = 0): Promise<void> {
  const { checkIn, checkOut } = stayOf(20);
  const { statuses } = await pumpApart({
    method: 'GET',
    paths: properties.map(
      (id) => `/api/v1/rates/current?propertyId=${id}&checkIn=${checkIn}&checkOut=${checkOut}&adults=2`,
    ),
    headers: world.headers('VIEWER'),
    port: Number(new URL(world.service.dev.rateUrl).port),
    connections: CONNECTIONS,
    seconds: HOLDS_WITHIN_SECONDS,
    requests: Math.max(atLeast, properties.length),
  });
  if (Object.keys(statuses).some((status) => status !== '200'))
    throw new Error(`quotes answered ${JSON.stringify(statuses)}`);
}

/** Holds of one room for two nights, spread over the properties. */
async function placeHolds(
  world: GrowthWorld,
  properties: readonly string[],
  from: number,
  count: number,
): Promise<void> {
  const body = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      propertyId: properties[(from + n) % properties.length],
      roomType: CHAIN_TYPES[(from + n) % CHAIN_TYPES.length],
      ...stayOf(Math.floor((from + n) / properties.length) * 3),
      rooms: 1,
    }),
  );
  const { statuses } = await pumpApart({
    method: 'POST',
    paths: ['/api/v1/reservations/holds'],
    headers: { ...world.headers('STAFF'), 'idempotency-key': `hold-${process.pid}-${performance.now()}-{n}` },
    body,
    port: Number(new URL(world.service.dev.reservationUrl).port),
    connections: CONNECTIONS,
    seconds: HOLDS_WITHIN_SECONDS,
    requests: count,
  });
  if (Object.keys(statuses).some((status) => status !== '201'))
    throw new Error(`holds answered ${JSON.stringify(statuses)}`);
}

async function memoryOf(world: GrowthWorld, file: string): Promise<MemoryRead> {
  await pause(SETTLE_MS);
  rmSync(file, { force: true });
  process.kill(world.service.dev.pid, 'SIGUSR2');
  return until('the service has collected its garbage', READ_WITHIN_MS, () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as MemoryRead;
    } catch {
      return undefined;
    }
  });
}
