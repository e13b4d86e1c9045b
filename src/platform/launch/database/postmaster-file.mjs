import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { isPostgresOn, isRunning } from '../process/processes.mjs';
import { until } from '../process/until.mjs';

/** @typedef {{ pid: number, port: number, status: string }} Postmaster */

/** A fast shutdown that somebody has begun writes one checkpoint. */
const stoppingWithinMs = 15_000;

/**
 * What postmaster.pid says: line 1 the process, line 4 the port, line 8 starting, ready or stopping.
 * @param {string} cluster
 * @returns {Postmaster | undefined}
 */
export function readPostmaster(cluster) {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

/**
 * Finds out who serves the database now; a shutdown that has begun is waited for. A file whose process is gone is
 * removed: PostgreSQL itself would refuse while a zombie (2 s and more after kill -9, in a container for ever), or a
 * stranger of the same account, has that id. Processes of a killed postmaster that still work are not overlooked
 * by that: they hold its shared memory, and a new one refuses until they have let go.
 * @param {string} cluster
 * @returns {Promise<Postmaster | undefined>} a living postmaster, undefined when there is none
 */
export async function livingPostmaster(cluster) {
  const found = readPostmaster(cluster);
  if (!found) return undefined;
  const lives = () => isRunning(found.pid) && isPostgresOn(found.pid, cluster);
  if (lives() && readPostmaster(cluster)?.status === 'stopping') await until(() => !lives(), stoppingWithinMs);
  if (lives()) return readPostmaster(cluster);
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return undefined;
}
