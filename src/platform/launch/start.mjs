import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { bundleDashboard, hasDashboard } from './dashboard.mjs';
import { createDataDir } from './database/data-dir.mjs';
import { DatabaseSupervisor } from './database/database-supervisor.mjs';
import { refuseHalfRestored } from './database/half-restored.mjs';
import { startPostgres } from './database/postgres.mjs';
import { dataDirOf, refuseEmbeddedInProduction, refuseUnclearMode, serviceEnv } from './environment.mjs';
import { LaunchError } from './launch-error.mjs';
import { endProcess } from './process/end-process.mjs';
import { takeLock } from './process/lock.mjs';
import { following } from './process/pause.mjs';
import { superviseService } from './process/service-supervisor.mjs';
import { denoEnv, requireInstalled, serviceCommand } from './runtimes.mjs';
import { drainWithinMs, runService } from './service.mjs';

/** From the signal to our exit: the contract says 10 s. */
const stopWithinMs = 9_500;
/** An immediate shutdown needs this at least, however long the service drained. */
const databaseStopMs = 1_500;
const leftoverDrainMs = 9_000;
/** The launcher whose place we take has 10 s for its end. */
const holderEndsWithinMs = 12_000;

/**
 * @typedef {object} Launch
 * @property {import('./environment.mjs').Env} env
 * @property {AbortSignal} stop
 * @property {(line: string) => void} log
 */

/**
 * Database, page, service; and back, in the opposite order. Database and service are started again when they end by
 * themselves, within bounds.
 * @param {Launch & { runtime: import('./runtimes.mjs').Runtime, watch: boolean, script?: string, limits?: Limits }} launch
 * @typedef {{ service?: import('./process/restart-budget.mjs').RestartLimits,
 *   database?: import('./process/restart-budget.mjs').RestartLimits }} Limits
 * @returns {Promise<number>} exit code of the service
 */
export async function start({ env, stop, log, runtime, watch, script = 'src/main.ts', limits = {} }) {
  requireInstalled(runtime);
  refuseUnclearMode(env);
  refuseEmbeddedInProduction(env);
  const dataDir = dataDirOf(env);
  createDataDir(dataDir);
  const lock = await lockOf(dataDir, log);
  try {
    refuseHalfRestored(dataDir);
    rmSync(join(dataDir, 'dev.json'), { force: true });
    await endLeftover(lock.leftover, log);
    let move = new AbortController();
    const onMoved = () => {
      move.abort('SIGTERM');
      move = new AbortController();
    };
    return await withDatabase({ env, stop, log, limits: limits.database, onMoved }, dataDir, async (database) => {
      const given = () => serviceEnv(env, dataDir, database?.url);
      await bundleDashboard(given().DASHBOARD_DIR);
      const command = async () => {
        // Somebody may have removed it since.
        if (!hasDashboard(given().DASHBOARD_DIR)) await bundleDashboard(given().DASHBOARD_DIR);
        const own = runtime === 'deno' ? { ...given(), ...denoEnv(given()) } : given();
        return { words: serviceCommand(runtime, script, { env: own, watch }), env: own };
      };
      // A database that is not ours need not be stopped after it.
      const drainMs = database === undefined ? stopWithinMs : drainWithinMs;
      const { signal, end } = following(stop, database?.failed);
      const run = { command, stop: signal, drainMs, lock };
      const code = watch
        ? await watchService(run)
        : await superviseService({
            ...run,
            dataDir,
            log,
            database,
            moved: () => move.signal,
            limits: limits.service,
          });
      end();
      return database?.failed.aborted && !stop.aborted ? 1 : code;
    });
  } finally {
    lock.release();
  }
}

/** A watcher starts its program again by itself, on the next change. */
async function watchService({ command, stop, drainMs, lock }) {
  const { words, env } = await command();
  return runService(words, { env, stop, watch: true, drainMs, onStart: (pid) => lock.noteService(pid) });
}

/** DATA_DIR for us alone. A launcher whose service is down at the moment makes room for a person who starts it. */
async function lockOf(dataDir, log) {
  let lock = await takeLock(dataDir);
  if ('holder' in lock && lock.isDown) {
    log(`the service of process ${lock.holder} is down; stopping that process and taking its place`);
    await endProcess(lock.holder, [['SIGTERM', holderEndsWithinMs]]);
    lock = await takeLock(dataDir);
  }
  if ('holder' in lock)
    throw new LaunchError(`process ${lock.holder} already runs on ${dataDir}: stop it, or set another DATA_DIR`);
  return lock;
}

/**
 * Runs the work with the database there: the one of DATABASE_URL, or the embedded one, which is watched meanwhile and
 * stopped afterwards.
 * @template T
 * @param {Launch & { limits?: import('./process/restart-budget.mjs').RestartLimits, onMoved: () => void }} launch
 * @param {string} dataDir
 * @param {(database?: DatabaseSupervisor) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withDatabase({ env, stop, log, limits, onMoved }, dataDir, work) {
  if (env.DATABASE_URL) return work();
  const database = new DatabaseSupervisor(await startPostgres({ dataDir, log }), { log, stop, limits, onMoved });
  let stoppingSince = Infinity;
  stop.addEventListener('abort', () => (stoppingSince = Date.now()));
  try {
    return await work(database);
  } finally {
    const spent = Math.max(0, Date.now() - stoppingSince);
    await database.stop(Math.max(databaseStopMs, stopWithinMs - spent));
  }
}

/** The launcher of that service was killed; its ports and its database would be ours. */
async function endLeftover(pid, log) {
  if (pid === undefined) return;
  log(`stopping the service of an earlier start (process ${pid}), whose launcher is gone`);
  await endProcess(pid, [
    ['SIGTERM', leftoverDrainMs],
    ['SIGKILL', databaseStopMs],
  ]);
}
