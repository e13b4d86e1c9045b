import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load, LoadReport } from '../client/pump.ts';
import { bookingRequests, MANY_ROOMS } from '../first/hot-property.ts';
import { type WatchedHealth, whileWatching } from './abuse-health.ts';
import { proveHoldBounds } from './abuse-holds.ts';
import { forgedAuthFrames, forgedSockets, looksBack } from './abuse-sockets.ts';

/** Maximum ratio of a booking's time during an attack to that without. */
const MAX_RATIO = 2;
/** Maximum memory growth by all attacks together. */
const MAX_GROWTH_BYTES = 300 * 1024 * 1024;
const SECONDS = 6;
const BOOKINGS_A_SECOND = 20;
/** Connections of one address, as a single machine opens them. */
const CONNECTIONS = 60;
/** As many as made health DOWN when each forged cookie was looked up at once. */
const MANY_CONNECTIONS = 1_200;
const SECRET_BYTES = 32;

/** An attack of so many seconds. @returns counts of its attempts by outcome */
type Attack = (seconds: number) => Promise<Record<string, number>>;

type Row = {
  attack: string;
  quiet: number;
  beside: number;
  growth: number;
  health: WatchedHealth;
  statuses: Record<string, number>;
};

/**
 * Bookings during attacks that a stranger, or a user of the lowest role, can make from one machine: each may take at
 * most twice as long as without, and health stays UP. Then the rooms that tokens with sales rights can block without
 * paying. All against a service that was started for it, on this machine.
 */
export async function proveAbuse(): Promise<boolean> {
  // With the default settings: the limits are under test.
  const service = await Service.start();
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: MANY_ROOMS } });
    await bookings(service, property, 'warm');
    const rows: Row[] = [];
    for (const [attack, run] of Object.entries(attacksOn(service)))
      rows.push(await beside(service, property, { attack, run }));
    report(rows);
    const grown = rows.reduce((sum, { growth }) => sum + growth, 0);
    const isBounded = grown <= MAX_GROWTH_BYTES;
    console.log(`memory: ${mb(grown)} more after all attacks, at most ${mb(MAX_GROWTH_BYTES)}`);
    const holdsAreBounded = await proveHoldBounds(service);
    return (
      isBounded &&
      holdsAreBounded &&
      rows.every(({ quiet, beside: busy, health }) => busy <= quiet * MAX_RATIO && health.notUp === 0)
    );
  } finally {
    await service.remove();
  }
}

function attacksOn(service: Service): Record<string, Attack> {
  const { liveUrl, rateUrl } = service.dev;
  const forged = `${service.token('demo', 'VIEWER').slice(0, -20)}{n}`;
  const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
  const cookie = `__Host-innkeeper-session=demo.${secret()}.dev1.${secret().slice(0, -9)}{n}`;
  const over = (url: string, path: string, headers: Record<string, string>, connections = CONNECTIONS): Attack => {
    const load = { port: Number(new URL(url).port), method: 'GET', paths: [path], headers, connections };
    return async (seconds) => (await pumpApart({ ...load, seconds })).statuses;
  };
  const things = '/api/v1/rates/current?propertyId=harbor-hotel';
  return {
    'forged session cookies': over(liveUrl, '/auth/session', { cookie }),
    [`the same over ${MANY_CONNECTIONS} connections`]: over(liveUrl, '/auth/session', { cookie }, MANY_CONNECTIONS),
    'forged tokens': over(rateUrl, things, { authorization: `Bearer ${forged}`, 'x-tenant-id': 'demo' }),
    'documents for everybody': over(rateUrl, '/v3/api-docs.yaml', {}),
    'forged sockets': (seconds) => forgedSockets(liveUrl, seconds),
    'forged auth frames of a VIEWER': (seconds) =>
      forgedAuthFrames(liveUrl, service.token('demo', 'VIEWER'), seconds),
    'looks back of a VIEWER': (seconds) => looksBack(liveUrl, service.token('demo', 'VIEWER'), seconds),
  };
}

async function beside(
  service: Service,
  property: BlackboxProperty,
  { attack, run }: { attack: string; run: Attack },
): Promise<Row> {
  const before = rssOf(service.dev.pid);
  const quiet = await bookings(service, property, 'quiet');
  const attacked = Promise.all([run(SECONDS), bookings(service, property, 'beside')]);
  const health = await whileWatching(service.dev.reservationUrl, attacked);
  const [statuses, busy] = await attacked;
  const growth = rssOf(service.dev.pid) - before;
  // Other load on the machine varies: the quiet figure is the mean of before and after the attack.
  const after = await bookings(service, property, 'after');
  for (const { statuses: answers } of [quiet, busy, after])
    if (Object.keys(answers).some((status) => status !== '201'))
      throw new Error(`bookings: ${JSON.stringify(answers)}`);
  const around = Math.round((quiet.ms.p50 + after.ms.p50) * 50) / 100;
  return { attack, quiet: around, beside: busy.ms.p50, growth, health, statuses };
}

function bookings(service: Service, property: BlackboxProperty, name: string): Promise<LoadReport> {
  const run = `${name}-${randomBytes(4).toString('hex')}`;
  const load: Load = {
    ...bookingRequests(property, service, run),
    port: Number(new URL(service.dev.reservationUrl).port),
    connections: 8,
    seconds: SECONDS,
    perSecond: BOOKINGS_A_SECOND,
  };
  return pumpApart({ ...load, headers: { ...load.headers, 'idempotency-key': `abuse-${run}-{n}` } });
}

/** Resident memory of a process in bytes, on Linux; 0 on other systems. */
function rssOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

function report(rows: readonly Row[]): void {
  const columns = [32, 12, 12, 8, 10, 22];
  const line = (cells: string[]): string => cells.map((cell, at) => cell.padEnd(columns[at] ?? 0)).join('');
  console.log(line(['attack', 'quiet p50', 'beside p50', 'ratio', 'memory', 'health at worst', 'what became of it']));
  for (const { attack, quiet, beside: busy, growth, health, statuses } of rows) {
    const ratio = `${(busy / quiet).toFixed(1)}${busy > quiet * MAX_RATIO ? ' !' : ''}`;
    const worst = `${health.worstMs} ms, ${health.notUp === 0 ? 'UP' : `not UP ${health.notUp} of ${health.asked} !`}`;
    console.log(line([attack, `${quiet} ms`, `${busy} ms`, ratio, mb(growth), worst, JSON.stringify(statuses)]));
  }
}
