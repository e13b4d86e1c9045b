import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load, LoadReport } from '../client/pump.ts';
import { Companion } from './companion.ts';
import { middle, figuresText } from './figures.ts';
import { CLIENTS, hotProperty, NO_LIMITS, TAX_PERCENT } from './hot-property.ts';

const ROUNDS = 3;
const ROUND_SECONDS = 8;
/**
 * Connections of the row-locking service: as many as a node of this service has for requests
 * (docs/concepts/storage.md#connections-of-a-node), and 2, with which only this one property would be served, but with
 * the shortest queue for its rows: the best of 2 to 32.
 */
const POOLS = [10, 2] as const;

/** Paid bookings of 64 clients for the same 3 nights: actors and row locks, alternating. */
export async function benchBooking(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-bench-'));
  const service = await Service.start(NO_LIMITS);
  try {
    const ours = await hotProperty(service);
    const theirs = await hotProperty(service);
    const servicePort = Number(new URL(service.dev.reservationUrl).port);
    // Both get warm code, and tables with statistics.
    await pumped(ours.load(servicePort, ROUND_SECONDS));
    const locking = (connections: number): Promise<Companion> =>
      Companion.start('row-lock-baseline/server.ts', {
        DATABASE_URL: embeddedDatabaseUrl(service.dataDir),
        FOLDER: folder,
        PROPERTY: theirs.property.propertyId,
        CONNECTIONS: String(connections),
        TAX_PERCENT: String(TAX_PERCENT),
      });
    await using many = await locking(POOLS[0]);
    await using few = await locking(POOLS[1]);
    for (const { port } of [many, few]) await pumped(theirs.load(port, ROUND_SECONDS));
    const actor: LoadReport[] = [];
    const rows = { many: [] as LoadReport[], few: [] as LoadReport[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      actor.push(await pumped(ours.load(servicePort, ROUND_SECONDS)));
      rows.many.push(await pumped(theirs.load(many.port, ROUND_SECONDS)));
      rows.few.push(await pumped(theirs.load(few.port, ROUND_SECONDS)));
    }
    const ratio = (reports: LoadReport[]): string => `${(rate(actor) / rate(reports)).toFixed(1)} times`;
    figuresText([
      { what: `paid bookings, ${CLIENTS} clients, the same 3 nights`, value: shown(actor) },
      { what: `row locks, ${POOLS[0]} connections as a node has`, value: shown(rows.many) },
      { what: `row locks, ${POOLS[1]} connections, for this property alone`, value: shown(rows.few) },
      { what: `actors to row locks, ${POOLS[0]} connections (5 times promised)`, value: ratio(rows.many) },
      { what: `actors to row locks, ${POOLS[1]} connections`, value: ratio(rows.few) },
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

function rate(reports: readonly LoadReport[]): number {
  return middle(reports.map(({ perSecond }) => perSecond));
}

function shown(reports: readonly LoadReport[]): string {
  return `${rate(reports)}/s, p95 ${p95(reports)} ms`;
}

function p95(reports: readonly LoadReport[]): number {
  return middle(reports.map(({ ms }) => ms.p95));
}
