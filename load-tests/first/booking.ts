import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../test/blackbox/service.ts';
import type { Load, LoadReport } from '../client/pump.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { Companion } from './companion.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import { middle, tell } from './figures.ts';
import { CLIENTS, hotProperty, NO_LIMITS, TAX_PERCENT } from './hot-property.ts';

const ROUNDS = 3;
const ROUND_SECONDS = 8;
/** The best between 2 and 32: more connections only queue for the same rows inside of PostgreSQL. */
const LOCK_CONNECTIONS = '2';

/** Paid bookings of 64 clients who all want the same 3 nights: actors beside row locks, in turns. */
export async function benchBooking(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-bench-'));
  const service = await Service.start(NO_LIMITS);
  try {
    const ours = await hotProperty(service);
    const theirs = await hotProperty(service);
    const servicePort = Number(new URL(service.dev.reservationUrl).port);
    // Both find warm code, and tables with statistics.
    await pumped(ours.load(servicePort, ROUND_SECONDS));
    await using locks = await Companion.start('yardstick/server.ts', {
      DATABASE_URL: embeddedDatabaseUrl(service.dataDir),
      FOLDER: folder,
      PROPERTY: theirs.house.propertyId,
      CONNECTIONS: process.env.LOCK_CONNECTIONS ?? LOCK_CONNECTIONS,
      TAX_PERCENT: String(TAX_PERCENT),
    });
    await pumped(theirs.load(locks.port, ROUND_SECONDS));
    const actor: LoadReport[] = [];
    const rows: LoadReport[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      actor.push(await pumped(ours.load(servicePort, ROUND_SECONDS)));
      rows.push(await pumped(theirs.load(locks.port, ROUND_SECONDS)));
    }
    const mine = middle(actor.map(({ perSecond }) => perSecond));
    const other = middle(rows.map(({ perSecond }) => perSecond));
    tell([
      { what: `paid bookings, ${CLIENTS} clients, the same 3 nights`, value: `${mine}/s, p95 ${p95(actor)} ms` },
      { what: 'row locks, same HTTP stack, tables and commits', value: `${other}/s, p95 ${p95(rows)} ms` },
      { what: 'actors to row locks (5 times promised)', value: `${(mine / other).toFixed(1)} times` },
    ]);
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pumped(load: Load): Promise<LoadReport> {
  const report = await pumpApart(load);
  if (Object.keys(report.statuses).some((status) => status !== '201')) {
    throw new Error(`${load.paths[0]} on port ${load.port} answered ${JSON.stringify(report.statuses)}`);
  }
  return report;
}

function p95(reports: readonly LoadReport[]): number {
  return middle(reports.map(({ ms }) => ms.p95));
}
