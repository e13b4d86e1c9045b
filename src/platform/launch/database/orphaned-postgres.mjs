import { until } from '../process/until.mjs';
import { withDatabase } from './database-client.mjs';
import { livingPostmaster, readPostmaster } from './postmaster-file.mjs';
import { stopPostmaster } from './postmaster.mjs';

/** Time limit of an orphan that was still starting, or replaying its log. */
const readyWithinMs = 30_000;
const stopWithinMs = 4_000;

/**
 * The running postmaster that a killed launcher left behind. One that does not serve is stopped.
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
 * Waits for a postmaster that accepts connections.
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
 * Stops the server of this data directory, if any.
 * @param {string} cluster
 */
export async function stopLiving(cluster) {
  const living = await livingPostmaster(cluster);
  if (!living) return;
  await stopPostmaster(living.pid, stopWithinMs);
  await livingPostmaster(cluster);
}

/** Running is not enough: it must answer, to our password, for this data directory. */
async function answers(port, password, cluster) {
  try {
    const [row] = await withDatabase({ port, password }, (ask) => ask('show data_directory'));
    return row.data_directory === cluster;
  } catch {
    return false;
  }
}
