import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../test/blackbox/service.ts';
import type { Load } from '../client/pump.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { Companion } from './companion.ts';
import { middle, share, tell } from './figures.ts';

const ROUNDS = 5;
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
    const servicePort = Number(new URL(service.dev.rateUrl).port);
    const rates = await rounds(load, { service: servicePort, empty: empty.port, constant: constant.port });
    tell([
      { what: `bytes of the answer`, value: String(Buffer.byteLength(answer.text)) },
      { what: 'quote of 14 nights over all types', value: `${rates.service}/s` },
      { what: 'empty Nest+Fastify route, same bytes', value: `${rates.empty}/s` },
      { what: 'same route with token, limit and log, constant body', value: `${rates.constant}/s` },
      { what: 'quote of the empty route (30 % promised)', value: share(rates.service, rates.empty) },
      { what: 'quote of the constant body (60 % promised)', value: share(rates.service, rates.constant) },
    ]);
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Ports = { service: number; empty: number; constant: number };

/** Interleaved, so that a slow moment of the machine meets all of them; the first round warms up. */
async function rounds(load: Omit<Load, 'port'>, ports: Ports): Promise<Ports> {
  const seen: Record<keyof Ports, number[]> = { service: [], empty: [], constant: [] };
  const names = ['service', 'empty', 'constant'] as const;
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const { perSecond, statuses } = await pumpApart({ ...load, port: ports[name] });
      const others = Object.keys(statuses).filter((status) => status !== '200');
      if (others.length > 0) throw new Error(`${name} answered ${JSON.stringify(statuses)}`);
      if (round > 0) seen[name].push(perSecond);
    }
  }
  return { service: middle(seen.service), empty: middle(seen.empty), constant: middle(seen.constant) };
}

function quotePath(): string {
  const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);
  return `/api/v1/rates/current?propertyId=harbor-hotel&checkIn=${day(40)}&checkOut=${day(54)}&adults=2`;
}
