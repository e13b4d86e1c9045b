import { until } from '../process/until.mjs';
import { withDatabase } from './database-client.mjs';
import { livingPostmaster, readPostmaster } from './postmaster-file.mjs';
import { stopPostmaster } from './postmaster.mjs';

/** An orphan that was itself still starting, or replaying its log, is given this long. */
const readyWithinMs = 30_000;
const stopWithinMs = 4_000;

/**
 * The postmaster that a killed launcher left behind, when it serves. One that lives but does not serve is stopped.
 * @param {string} cluster real path of the data directory
 * @param {string} password
 * @returns {Promise<import('./postmaster-file.mjs').Postmaster | undefined>}
 */
export async function adoptPostmaster(cluster, password) {
  const living = await livingPostmaster(cluster);
  if (!living) return undefined;
  const ready = await readyPostmaster(cluster, readyWithinMs);
  if (ready && (await answers(ready.port, password, cluster))) return ready;
  await stopLiving(cluster);
  return undefined;
}

/**
 * Waits for a postmaster that takes connections.
 * @param {string} cluster
 * @param {number} withinMs
 */
export function readyPostmaster(cluster, withinMs) {
  return until(() => {
    const now = readPostmaster(cluster);
    return now?.status === 'ready' ? now : undefined;
  }, withinMs);
}

/**
 * Ends whoever serves this data directory.
 * @param {string} cluster
 */
export async function stopLiving(cluster) {
  const living = await livingPostmaster(cluster);
  if (!living) return;
  await stopPostmaster(living.pid, stopWithinMs);
  await livingPostmaster(cluster);
}

/** Alive is not enough: it has to answer, to our password, for this very data directory. */
async function answers(port, password, cluster) {
  try {
    const [row] = await withDatabase({ port, password }, (ask) => ask('show data_directory'));
    return row.data_directory === cluster;
  } catch {
    return false;
  }
}
