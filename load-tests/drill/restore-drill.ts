import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Launched, stopPostgres } from '../../test/blackbox/launched.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { SteadyBookers } from '../../test/blackbox/steady-bookers.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';

const CLIENTS = 8;
const ROOMS = 20_000;
const FIRST_BOOKINGS = 20;
const BACK_MS = 180_000;

/** What a drill measured and found. Times are seconds. */
export type DrillResult = {
  /** From the loss to the first new booking. */
  rto: number;
  /** From the first acknowledged booking that is gone to the loss, and how many are gone. */
  rpo: number;
  lost: number;
  acknowledged: number;
  /** Acknowledged before the backup began, and gone: a backup must have them. */
  missing: number;
  /** Bookings that nobody knows the answer to, once everything is settled. */
  unknown: number;
  /** What the audits of rooms, money and the chain found. */
  violations: string[];
};

/**
 * A restore as an operator does it, with bookings going on: backup, loss of everything on the disk, restore, start. All
 * against a service of its own (docs/guide/backup.md#drill).
 *
 * @param seconds how long bookings go on between the backup and the loss
 * @param say called with each step
 */
export async function restoreDrill(seconds: number, say: (line: string) => void): Promise<DrillResult> {
  const backups = mkdtempSync(join(tmpdir(), 'innkeeper-drill-'));
  const service = await Service.start();
  let bookers: SteadyBookers | undefined;
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS } });
    bookers = new SteadyBookers(CLIENTS, () => property);
    const { acknowledged } = bookers;
    await until('bookings come in', BACK_MS, () => (acknowledged.length >= FIRST_BOOKINGS ? true : undefined));
    const backup = join(backups, 'backup');
    const before = new Set(acknowledged.map(({ reservationId }) => reservationId));
    say(`backup, beside bookings: ${before.size} are acknowledged`);
    await command(service, 'backup', ['--', '--to', backup]);
    say(`bookings go on for ${seconds} s: ${acknowledged.length} are acknowledged`);
    await pause(seconds * 1_000);
    const lossAt = await loseEverything(service);
    const known = acknowledged.filter(({ at }) => at <= lossAt);
    say(`everything on the disk is lost: ${known.length} were acknowledged`);
    await command(service, 'restore', ['--', '--from', backup]);
    say(`restored after ${since(lossAt)} s`);
    await service.up();
    say(`the service is up after ${since(lossAt)} s`);
    const first = await until('the first booking', BACK_MS, () => bookers!.firstAfter(lossAt));
    const rto = (first - lossAt) / 1_000;
    say(`the first new booking after ${rto.toFixed(1)} s`);
    await bookers.end();
    const stored = await storedBookings(property);
    const lost = known.filter(({ reservationId }) => !stored.has(reservationId));
    say(`compared: ${lost.length} acknowledged bookings are gone`);
    return {
      rto,
      rpo: lost.length === 0 ? 0 : (lossAt - Math.min(...lost.map(({ at }) => at))) / 1_000,
      lost: lost.length,
      acknowledged: known.length,
      missing: lost.filter(({ reservationId }) => before.has(reservationId)).length,
      unknown: bookers.strange.length,
      violations: await auditOf(service, property),
    };
  } finally {
    await bookers?.end().catch(() => undefined);
    await service.remove();
    rmSync(backups, { recursive: true, force: true });
  }
}

const since = (moment: number): string => ((performance.now() - moment) / 1_000).toFixed(1);

/** Kills service and database, and removes the whole data directory. @returns when */
async function loseEverything(service: Service): Promise<number> {
  const lossAt = performance.now();
  await service.killHard();
  await stopPostgres(service.dataDir);
  for (const name of readdirSync(service.dataDir))
    rmSync(join(service.dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  return lossAt;
}

/** @throws Error with what it said when it fails */
async function command(service: Service, script: string, args: string[] = []): Promise<string> {
  const tool = new Launched({ ...service.env, DATA_DIR: service.dataDir }, script, args);
  const code = await tool.exited;
  if (code !== 0) throw new Error(`npm run ${script} ended with ${code}: ${tool.output}`);
  return tool.output;
}

async function storedBookings(property: BlackboxProperty): Promise<Set<string>> {
  return new Set((await property.reservations()).map(({ reservationId }) => reservationId));
}

/** Rooms and balances by the audit of the service, and the chain of the journal by a computation of its own. */
async function auditOf(service: Service, { propertyId }: BlackboxProperty): Promise<string[]> {
  const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${propertyId}`;
  const { violations, money } = must(await service.call<Audit>('GET', url), 200).json;
  const found = [...violations, ...money.violations].map((one) => JSON.stringify(one));
  const chain = await command(service, 'audit:verify').catch((error: unknown) => String(error));
  return /every chain is whole/.test(chain) ? found : [...found, chain];
}
