import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { must } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load } from '../client/pump.ts';
import { Companion } from '../first/companion.ts';
import { hotProperty, TAX_PERCENT } from '../first/hot-property.ts';
import { quotePath } from '../first/quote.ts';
import { contest, type Round } from './contest.ts';
import type { PeerFigures } from './figures-of-run.ts';
import { liveFeeds } from './live-peers.ts';
import { commits } from './raw-commits.ts';

/** A round is a sixth of a scenario, and a few seconds at most: many short ones meet the same disturbances. */
const ROUNDS_OF_A_SCENARIO = 6;
const LONGEST_ROUND_SECONDS = 6;
/** As many as a node of this service has for requests (docs/concepts/storage.md#connections-of-a-node). */
const CONNECTIONS = 10;
const QUOTE_CLIENTS = 32;

/**
 * Paid bookings, quotes and live frames beside what others would have: row locks, an empty route, bare commits, a plain
 * WebSocket server.
 */
export async function measurePeers(service: Service, seconds: number): Promise<PeerFigures[]> {
  const round = Math.min(LONGEST_ROUND_SECONDS, Math.max(1, Math.round(seconds / ROUNDS_OF_A_SCENARIO)));
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-peers-'));
  try {
    return [
      ...(await bookings(service, folder, round)),
      ...(await quotes(service, folder, round)),
      ...(await liveFeeds(service, folder, round)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bookings(service: Service, folder: string, seconds: number): Promise<PeerFigures[]> {
  const ours = await hotProperty(service);
  const theirs = await hotProperty(service);
  const DATABASE_URL = embeddedDatabaseUrl(service.dataDir);
  const locking = (LOCK_ORDER: string): Promise<Companion> =>
    Companion.start('row-lock-baseline/server.ts', {
      DATABASE_URL,
      FOLDER: folder,
      PROPERTY: theirs.property.propertyId,
      CONNECTIONS: String(CONNECTIONS),
      TAX_PERCENT: String(TAX_PERCENT),
      LOCK_ORDER,
    });
  await using usual = await locking('first');
  await using tuned = await locking('late');
  await using raw = await commits(DATABASE_URL, CONNECTIONS);
  const port = Number(new URL(service.dev.reservationUrl).port);
  const pumped = (to: typeof ours, at: number) => (length: number) => pumpedAll(to.load(at, length), '201');
  // Awaited here: the contenders end with this function.
  return await contest('Paid bookings of the same 3 nights, 64 clients', service, seconds, [
    { name: 'Innkeeper', pid: service.dev.pid, hasDatabase: true, warmUp: 3, round: pumped(ours, port) },
    {
      name: 'row locks, as usually written',
      pid: usual.pid,
      hasDatabase: true,
      warmUp: 3,
      round: pumped(theirs, usual.port),
    },
    {
      name: 'row locks, tuned',
      pid: tuned.pid,
      hasDatabase: true,
      warmUp: 3,
      round: pumped(theirs, tuned.port),
    },
    {
      name: 'commits of one row',
      pid: process.pid,
      hasDatabase: true,
      warmUp: 0.2,
      round: (length) => raw.round(length),
    },
  ]);
}

async function quotes(service: Service, folder: string, seconds: number): Promise<PeerFigures[]> {
  const path = quotePath(40);
  const { text } = must(await service.call('GET', `${service.dev.rateUrl}${path}`, { role: 'VIEWER' }), 200);
  const BODY_FILE = join(folder, 'body.json');
  writeFileSync(BODY_FILE, text);
  await using empty = await Companion.start('first/empty-route.ts', { BODY_FILE });
  const headers = { authorization: `Bearer ${service.token('demo', 'VIEWER')}`, 'x-tenant-id': 'demo' };
  const load = { method: 'GET', paths: [path], headers, connections: QUOTE_CLIENTS };
  const pumped = (port: number) => (length: number) => pumpedAll({ ...load, port, seconds: length }, '200');
  const port = Number(new URL(service.dev.rateUrl).port);
  // Awaited here: the contenders end with this function.
  return await contest('Quotes of 14 nights over all types, 32 clients', service, seconds, [
    { name: 'Innkeeper', pid: service.dev.pid, hasDatabase: false, warmUp: 6, round: pumped(port) },
    {
      name: 'empty route of Nest and Fastify, same bytes',
      pid: empty.pid,
      hasDatabase: false,
      warmUp: 1,
      round: pumped(empty.port),
    },
  ]);
}

async function pumpedAll(load: Load, status: string): Promise<Round> {
  const report = await pumpApart(load);
  if (Object.keys(report.statuses).some((one) => one !== status))
    throw new Error(`${load.paths[0]} on port ${load.port} answered ${JSON.stringify(report.statuses)}`);
  return report;
}
