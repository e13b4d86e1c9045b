import { readdirSync, readFileSync } from 'node:fs';

import { isRunning, lookUp, workingDirectory } from './processes.mjs';
import { until } from './until.mjs';

const endWithinMs = 3_000;

/**
 * Ends a PostgreSQL whose data directory was deleted. It would notice within a minute, but until then may hold the
 * shared memory that a new database in the same place needs. Linux only: on other systems the minute has to pass.
 * @param {string} cluster path of the deleted data directory
 */
export async function endOrphans(cluster) {
  if (process.platform !== 'linux') return;
  const orphans = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && workingDirectory(pid) === `${cluster} (deleted)`);
  // A postmaster ends its own children; it is the process whose parent is not among them.
  for (const pid of orphans.filter((orphan) => !orphans.includes(lookUp(orphan)?.parent ?? 0))) {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has just ended by itself.
    }
  }
  await until(() => !orphans.some(isRunning), endWithinMs);
}

/**
 * Ends remaining backends of a killed postmaster. They end by themselves within moments; one that hangs would keep the
 * shared memory and block every new server. Nothing committed is lost.
 * @param {string} cluster real path of the data directory, which has no server
 */
export async function endBackends(cluster) {
  if (process.platform !== 'linux') return;
  const left = () =>
    readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && workingDirectory(pid) === cluster && isPostgres(pid) && isRunning(pid));
  if (await until(() => left().length === 0, endWithinMs, 50)) return;
  for (const pid of left()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
  await until(() => left().length === 0, endWithinMs, 50);
}

/** A shell may have the same working directory. */
function isPostgres(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}
