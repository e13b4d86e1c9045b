import { signalServer } from '../../src/testing/fail-over/server-processes.ts';
import { cutLog, type LogPlace } from '../../src/testing/launch/cut-log.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import type { Shown, StorageFault } from './faults.ts';
import { newerPages } from './newer-pages.ts';
import type { StorageWorld } from './world.ts';

const UNSAFE_MS = 4_000;
/**
 * The less is written behind a cut, the likelier PostgreSQL starts: with a checkpoint there, or with files that had grown,
 * tables are newer than their log.
 */
const FEW_CLIENTS = 2;

/** Each begins with a database of its own: what one leaves behind is not that of the next. */
export const LOG_CUTS: readonly StorageFault[] = (['truncated', 'zeroed'] as const).map((how) => ({
  name: `log cut in the middle: ${how}`,
  isCut: true,
  clients: FEW_CLIENTS,
  run: (world) => cut(world, how),
}));

/** The service and PostgreSQL die at once, and the end of the log is lost. */
async function cut(world: StorageWorld, how: 'truncated' | 'zeroed'): Promise<Shown> {
  const { service } = world;
  // Recovery begins at the last checkpoint; one behind the cut would be refused at once.
  await world.ask('checkpoint');
  await pause(UNSAFE_MS);
  const safeUntil = performance.now();
  // Of a page that has lost its end PostgreSQL reads nothing: the cut is at the end of one.
  const [place] = await world.ask<LogPlace>(
    `select file_name as file, (file_offset + 8191) / 8192 * 8192 as offset
     from pg_walfile_name_offset(pg_current_wal_flush_lsn())`,
  );
  const before = await world.generation();
  await pause(UNSAFE_MS);
  const server = world.postmaster!;
  const gone = service.killHard();
  signalServer(server, 'SIGKILL');
  await gone;
  await until('PostgreSQL is gone', 10_000, () => (world.postmaster === undefined ? true : undefined));
  cutLog(service.dataDir, place!, how);
  const newer = newerPages(service.dataDir, place!);
  const damage = newer === 0 ? [] : [`${newer} pages are newer than the log`];
  const failed = await service.up().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  return failed === undefined
    ? { wrong: await unsaid(world, before, newer), safeUntil, damage }
    : { ...doesNotStart(world, failed, damage), safeUntil };
}

async function unsaid(world: StorageWorld, before: number, newer: number): Promise<string[]> {
  try {
    return (await world.generation()) > before ? [] : ['history was rewound, and the generation is the same'];
  } catch (error) {
    return newer > 0 ? [] : [`the generation cannot be read: ${String(error)}`];
  }
}

/** PostgreSQL does not start from such a log, which the launcher must say, or what it has cannot be read. */
function doesNotStart(world: StorageWorld, failed: string, damage: string[]): Shown {
  const refused = /PostgreSQL does not start[^\n]*/.exec(world.said)?.[0];
  if (refused !== undefined) return { wrong: [], isGone: true, damage: [...damage, refused] };
  const wrong = damage.length > 0 ? [] : [`no start, and no reason for it: ${failed}`];
  return { wrong, isGone: true, damage: [...damage, 'the service does not start'] };
}
