import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../test/blackbox/service.ts';
import type { Load } from '../client/pump.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { Companion } from './companion.ts';
import { cpuMs } from './cpu-time.ts';
import { middle, share, tell } from './figures.ts';

const ROUNDS = 5;
const WARM_UPS = 2;
const ROUND_SECONDS = 4;
const CONNECTIONS = 32;
const DAY_MS = 86_400_000;

/** So high that nothing is refused, but counted: the yardstick counts too. */
export const HIGH_LIMITS = { RATE_LIMIT_TENANT: '10000000', RATE_LIMIT_SUBJECT: '10000000' };

/** Quote of 14 nights over all room types, beside an empty route and beside our edge with a constant body. */
export async function benchQuote(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-bench-'));
  const service = await Service.start(HIGH_LIMITS);
  try {
    const path = quotePath();
    const answer = await service.call('GET', `${service.dev.rateUrl}${path}`, { role: 'VIEWER' });
    if (answer.status !== 200) throw new Error(`the quote answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    const BODY_FILE = join(folder, 'body.json');
    writeFileSync(BODY_FILE, answer.text);
    await using empty = await Companion.start('first/empty-route.ts', { BODY_FILE });
    await using constant = await Companion.start('first/constant-route.ts', { BODY_FILE, ...HIGH_LIMITS });
    const headers = { authorization: `Bearer ${service.token('demo', 'VIEWER')}`, 'x-tenant-id': 'demo' };
    const load = { method: 'GET', path, headers, connections: CONNECTIONS, seconds: ROUND_SECONDS };
    const port = Number(new URL(service.dev.rateUrl).port);
    const [ours, bare, edge] = await rounds(load, [{ port, pid: service.dev.pid }, empty, constant]);
    tell([
      { what: `bytes of the answer`, value: String(Buffer.byteLength(answer.text)) },
      { what: 'quote of 14 nights over all types', value: told(ours) },
      { what: 'empty Nest+Fastify route, same bytes', value: told(bare) },
      { what: 'same route with token, limit and log, constant body', value: told(edge) },
      { what: 'quote of the empty route (30 % promised)', value: compared(ours, bare) },
      { what: 'quote of the constant body (60 % promised)', value: compared(ours, edge) },
    ]);
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Server = { port: number; pid: number };
type Measured = { perSecond: number; cpuMicros: number };

/** Interleaved, so that a slow moment of the machine meets all of them; the first rounds warm up. */
async function rounds(load: Omit<Load, 'port'>, servers: readonly Server[]): Promise<[Measured, Measured, Measured]> {
  const seen = servers.map(() => ({ perSecond: [] as number[], cpuMicros: [] as number[] }));
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const [index, { port, pid }] of servers.entries()) {
      const before = cpuMs(pid);
      const { perSecond, statuses, requests } = await pumpApart({ ...load, port });
      const others = Object.keys(statuses).filter((status) => status !== '200');
      if (others.length > 0) throw new Error(`port ${port} answered ${JSON.stringify(statuses)}`);
      if (round < 0) continue;
      seen[index]?.perSecond.push(perSecond);
      seen[index]?.cpuMicros.push((1000 * (cpuMs(pid) - before)) / requests);
    }
  }
  const measured = (index: number): Measured => ({
    perSecond: middle(seen[index]?.perSecond ?? []),
    cpuMicros: Math.round(middle(seen[index]?.cpuMicros ?? [])),
  });
  return [measured(0), measured(1), measured(2)];
}

function told({ perSecond, cpuMicros }: Measured): string {
  return `${perSecond}/s, ${cpuMicros} us of CPU each`;
}

/** By rate, and by CPU time, which other programs on the machine disturb less. */
function compared(ours: Measured, other: Measured): string {
  return `${share(ours.perSecond, other.perSecond)} by rate, ${share(other.cpuMicros, ours.cpuMicros)} by CPU time`;
}

function quotePath(): string {
  const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);
  return `/api/v1/rates/current?propertyId=harbor-hotel&checkIn=${day(40)}&checkOut=${day(54)}&adults=2`;
}
