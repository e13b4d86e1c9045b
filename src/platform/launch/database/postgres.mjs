import * as fs from 'node:fs';
import { join, resolve } from 'node:path';

import { clusterExists, createCluster, readPassword } from '../cluster.mjs';
import { LaunchError } from '../launch-error.mjs';
import { defaultHomes, putAside } from '../process/home.mjs';
import { endBackends, endOrphans } from '../process/orphans.mjs';
import { pause } from '../process/pause.mjs';
import { findPlace } from '../process/place.mjs';
import { isRunning, lookUp } from '../process/processes.mjs';
import { createDataDir } from './data-dir.mjs';
import { withDatabase } from './database-client.mjs';
import { adoptPostmaster, readyPostmaster, stopLiving } from './orphaned-postgres.mjs';
import { readPostmaster } from './postmaster-file.mjs';
import { PortTaken, startPostmaster, stopPostmaster } from './postmaster.mjs';
import { StallWatch } from './stall-watch.mjs';

const stopWithinMs = 8_000;
const watchEveryMs = 250;
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
  const first = adopted ?? (await startPostmaster(place, logFile(folder), { readyWithinMs }));
  const server = new Server({ place, folder, password, adopted: adopted !== undefined }, first);
  try {
    await ensureDatabase({ port: first.port, password });
  } catch (error) {
    await server.stop();
    const wrong = error.code === '28P01' ? 'the password in innkeeper.password does not fit' : error.message;
    throw new LaunchError(`the database in ${place.cluster} cannot be used: ${wrong}`);
  }
  return server;
}

/** @implements {import('./postgres.d.mts').EmbeddedPostgres} */
class Server {
  #place;
  #folder;
  #password;
  /** @type {import('./postmaster.mjs').Started} */
  #now;
  /** Start time of the process, which distinguishes it from a later one with the same id. */
  #startedAt;
  /**
   * How it ended, if it has.
   * @type {string | undefined}
   */
  #how;

  constructor({ place, folder, password, adopted }, now) {
    this.#place = place;
    this.#folder = folder;
    this.#password = password;
    this.adopted = adopted;
    this.#take(now);
    this.logFile = join(folder, 'postgres.log');
  }

  get pid() {
    return this.#now.pid;
  }

  get cluster() {
    return this.#place.cluster;
  }

  async stop(withinMs = stopWithinMs) {
    // Its id may belong to another process by now.
    if (this.#how === undefined) await stopPostmaster(this.#now.pid, withinMs);
  }

  async ended(signal) {
    const watch = new StallWatch();
    while (!signal.aborted && this.#how === undefined) {
      // A child reports its end; an adopted process must be polled.
      if (!this.#now.exited && !this.#lives()) this.#how = 'it is gone';
      else if (watch.isStalled(this.pid, this.#place.cluster)) {
        await stopPostmaster(this.pid, stopWithinMs);
        this.#how = 'it neither served nor recovered, and was stopped';
      } else await pause(watchEveryMs, signal);
    }
    return this.#how ?? 'stopped';
  }

  async #noteEnd(now) {
    const how = await now.exited;
    if (this.#now === now) this.#how = how;
  }

  #lives() {
    return isRunning(this.pid) && lookUp(this.pid)?.startedAt === this.#startedAt;
  }

  /** @param {import('./postmaster.mjs').Started} now */
  #take(now) {
    this.#now = now;
    this.#how = undefined;
    this.#startedAt = lookUp(now.pid)?.startedAt;
    void this.#noteEnd(now);
    this.port = now.port;
    this.url = urlOf(now.port, this.#password);
  }

  async startAgain(signal) {
    const { cluster } = this.#place;
    const found = await adoptPostmaster(cluster, this.#password);
    if (found?.port === this.port) return this.#take(found);
    // Somebody has started it by hand, on another port.
    if (found) await stopLiving(cluster);
    await endBackends(cluster);
    const start = (port) => startPostmaster(this.#place, logFile(this.#folder), { port, signal });
    try {
      this.#take(await start(this.port));
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
      this.#take(await start());
    }
  }
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

/**
 * The database that another launcher runs on `dataDir` at this moment; waits for nothing.
 * @param {string} dataDir
 * @returns {string | undefined}
 */
export function databaseNow(dataDir) {
  const cluster = join(dataDir, 'postgres');
  const found = readPostmaster(cluster);
  return found?.status === 'ready' && isRunning(found.pid) ? urlOf(found.port, readPassword(cluster)) : undefined;
}

function urlOf(port, password) {
  return `postgres://postgres:${password}@127.0.0.1:${port}/innkeeper`;
}

/**
 * @param {string} dataDir
 * @param {import('../process/place.mjs').Place} place
 * @param {(line: string) => void} log
 */
async function prepareCluster(dataDir, place, log) {
  if (place.home) {
    await stopLiving(place.cluster);
    putAside(place.cluster);
  }
  if (!clusterExists(place.cluster)) {
    await endOrphans(place.cluster);
    log('creating the database (first start)');
    await createCluster(place);
  }
  if (place.home) fs.symlinkSync(place.cluster, join(dataDir, 'postgres'));
}

/** A constant name, so it is not a parameter; an earlier start may have been killed before creating it. */
async function ensureDatabase(address) {
  await withDatabase(address, async (ask) => {
    const found = await ask(`select 1 from pg_database where datname = 'innkeeper'`);
    if (found.length === 0) await ask('create database innkeeper');
  });
}

/** Log file of PostgreSQL's standard error; one earlier file is retained when it has grown large. */
function logFile(dataDir) {
  const path = join(dataDir, 'postgres.log');
  if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) fs.renameSync(path, `${path}.1`);
  return path;
}
