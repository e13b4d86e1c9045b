import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load } from '../client/pump.ts';
import { Companion } from './companion.ts';
import { cpuMs } from './cpu-time.ts';
import { middle, share, figuresText } from './figures.ts';

const ROUNDS = 5;
const WARM_UPS = 2;
const ROUND_SECONDS = 4;
const CONNECTIONS = 32;
/** More stays than a view caches answers for, so that none is a repeat. */
const OTHER_STAYS = 200;
const DAY_MS = 86_400_000;

/** So high that no request is rejected, but counted: the baseline counts too. */
export const HIGH_LIMITS = { RATE_LIMIT_TENANT: '10000000', RATE_LIMIT_SUBJECT: '10000000' };

/** Promised percentages of the baselines' requests a second. */
const PROMISED = { empty: 30, constant: 60 };

/** Quote of 14 nights over all room types, beside an empty route and beside the service's edge with a constant body. */
export async function benchQuote(promised = PROMISED): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-bench-'));
  const service = await Service.start(HIGH_LIMITS);
  try {
    const path = quotePath(40);
    const answer = await service.call('GET', `${service.dev.rateUrl}${path}`, { role: 'VIEWER' });
    if (answer.status !== 200) throw new Error(`the quote answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    const BODY_FILE = join(folder, 'body.json');
    writeFileSync(BODY_FILE, answer.text);
    await using empty = await Companion.start('first/empty-route.ts', { BODY_FILE });
    await using constant = await Companion.start('first/constant-route.ts', { BODY_FILE, ...HIGH_LIMITS });
    const headers = { authorization: `Bearer ${service.token('demo', 'VIEWER')}`, 'x-tenant-id': 'demo' };
    const load = { method: 'GET', headers, connections: CONNECTIONS, seconds: ROUND_SECONDS };
    const own = { port: Number(new URL(service.dev.rateUrl).port), pid: service.dev.pid };
    const spread = Array.from({ length: OTHER_STAYS }, (_, n) => quotePath(n + 1));
    const [ours, other, bare, edge] = await rounds(load, [
      { server: own, paths: [path] },
      { server: own, paths: spread },
      { server: empty, paths: [path] },
      { server: constant, paths: [path] },
    ]);
    figuresText([
      { what: `bytes of the answer`, value: String(Buffer.byteLength(answer.text)) },
      { what: 'quote of 14 nights over all types', value: shown(ours) },
      { what: 'the same, another stay with each request', value: shown(other) },
      { what: 'empty Nest+Fastify route, same bytes', value: shown(bare) },
      { what: 'same route with token, limit and log, constant body', value: shown(edge) },
      { what: `quote of the empty route (${promised.empty} % promised)`, value: compared(ours, bare) },
      { what: `quote of the constant body (${promised.constant} % promised)`, value: compared(ours, edge) },
      { what: 'the same, another stay with each request', value: compared(other, edge) },
    ]);
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Target = { server: { port: number; pid: number }; paths: readonly string[] };
type Measured = { perSecond: number; cpuMicros: number };

/** Interleaved, so that a slow moment of the machine affects all of them; the first rounds warm up. */
async function rounds<const T extends readonly Target[]>(
  load: Omit<Load, 'port' | 'paths'>,
  targets: T,
): Promise<{ [K in keyof T]: Measured }> {
  const seen = targets.map(() => ({ perSecond: [] as number[], cpuMicros: [] as number[] }));
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const [index, { server, paths }] of targets.entries()) {
      const { port, pid } = server;
      const before = cpuMs(pid);
      const { perSecond, statuses, requests } = await pumpApart({ ...load, port, paths });
      const others = Object.keys(statuses).filter((status) => status !== '200');
      if (others.length > 0) throw new Error(`port ${port} answered ${JSON.stringify(statuses)}`);
      if (round < 0) continue;
      seen[index]?.perSecond.push(perSecond);
      seen[index]?.cpuMicros.push((1000 * (cpuMs(pid) - before)) / requests);
    }
  }
  return seen.map((of) => ({
    perSecond: middle(of.perSecond),
    cpuMicros: Math.round(middle(of.cpuMicros)),
  })) as { [K in keyof T]: Measured };
}

function shown({ perSecond, cpuMicros }: Measured): string {
  return `${perSecond}/s, ${cpuMicros} us of CPU each`;
}

/** By rate, and by CPU time, which other programs on the machine disturb less. */
function compared(ours: Measured, other: Measured): string {
  return `${share(ours.perSecond, other.perSecond)} by rate, ${share(other.cpuMicros, ours.cpuMicros)} by CPU time`;
}

export function quotePath(from: number): string {
  const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);
  return `/api/v1/rates/current?propertyId=harbor-hotel&checkIn=${day(from)}&checkOut=${day(from + 14)}&adults=2`;
}
