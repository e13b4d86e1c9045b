import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { isPostgresOn, isRunning } from '../process/processes.mjs';
import { until } from '../process/until.mjs';

/** @typedef {{ pid: number, port: number, status: string }} Postmaster */

/** A fast shutdown under way writes one checkpoint. */
const stoppingWithinMs = 15_000;

/**
 * Content of postmaster.pid: line 1 the process, line 4 the port, line 8 starting, ready or stopping.
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
 * Finds the server of the database; a shutdown under way is awaited. A file whose process is gone is removed:
 * PostgreSQL itself would refuse while a zombie (2 s and more after kill -9, in a container for ever), or a foreign
 * process of the same account, has that id. Remaining backends of a killed postmaster are still detected: they hold
 * its shared memory, and a new one refuses until they have ended.
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
