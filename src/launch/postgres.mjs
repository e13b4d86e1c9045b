import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { adoptPostmaster, readyPostmaster, stopLiving } from './adopt.mjs';
import { clusterExists, createCluster, readPassword } from './cluster.mjs';
import { createDataDir } from './data-dir.mjs';
import { withDatabase } from './database-client.mjs';
import { defaultHomes, putAside } from './home.mjs';
import { LaunchError } from './launch-error.mjs';
import { findPlace } from './place.mjs';
import { startPostmaster, stopPostmaster } from './postmaster.mjs';
import { endStrays } from './strays.mjs';

const stopWithinMs = 8_000;
/** The other launcher may just be creating it. */
const joinWithinMs = 20_000;
const maxLogBytes = 10_000_000;

/**
 * A real PostgreSQL on `dataDir`: the one that an earlier start left behind, or a new one; created when there is none.
 * @type {typeof import('./postgres.d.mts').startPostgres}
 */
export async function startPostgres({ dataDir, log = () => {}, homes = defaultHomes, readyWithinMs }) {
  createDataDir(resolve(dataDir));
  const folder = fs.realpathSync(dataDir);
  const place = findPlace(folder, homes, log);
  await prepareCluster(folder, place, log);
  const password = readPassword(place.cluster);
  const adopted = await adoptPostmaster(place.cluster, password);
  if (adopted) log(`adopted the PostgreSQL of an earlier start (process ${adopted.pid})`);
  const { pid, port } = adopted ?? (await startPostmaster(place, logFile(folder), readyWithinMs));
  const stop = (withinMs = stopWithinMs) => stopPostmaster(pid, withinMs);
  try {
    await ensureDatabase({ port, password });
  } catch (error) {
    await stop();
    const wrong = error.code === '28P01' ? 'the password in innkeeper.password does not fit' : error.message;
    throw new LaunchError(`the database in ${place.cluster} cannot be used: ${wrong}`);
  }
  return { url: urlOf(port, password), port, pid, adopted: adopted !== undefined, stop };
}

/**
 * The database that a launcher on the same DATA_DIR is running now.
 * @param {string} dataDir
 * @returns {Promise<string | undefined>} its address, undefined when it does not come up in time
 */
export async function runningDatabase(dataDir) {
  const cluster = join(dataDir, 'postgres');
  const ready = await readyPostmaster(cluster, joinWithinMs);
  return ready && urlOf(ready.port, readPassword(cluster));
}

function urlOf(port, password) {
  return `postgres://postgres:${password}@127.0.0.1:${port}/innkeeper`;
}

/**
 * @param {string} dataDir
 * @param {import('./place.mjs').Place} place
 * @param {(line: string) => void} log
 */
async function prepareCluster(dataDir, place, log) {
  if (place.home) {
    await stopLiving(place.cluster);
    putAside(place.cluster);
  }
  if (!clusterExists(place.cluster)) {
    await endStrays(place.cluster);
    log('creating the database (first start)');
    await createCluster(place);
  }
  if (place.home) fs.symlinkSync(place.cluster, join(dataDir, 'postgres'));
}

/** The name is ours, so it is not a parameter; an earlier start may have been killed before it came to this. */
async function ensureDatabase(address) {
  await withDatabase(address, async (ask) => {
    const found = await ask(`select 1 from pg_database where datname = 'innkeeper'`);
    if (found.length === 0) await ask('create database innkeeper');
  });
}

/** Standard error of PostgreSQL goes here; one earlier file is kept when it has grown large. */
function logFile(dataDir) {
  const path = join(dataDir, 'postgres.log');
  if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) fs.renameSync(path, `${path}.1`);
  return path;
}
