import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleDashboard } from './dashboard.mjs';
import { createDataDir } from './data-dir.mjs';
import { endProcess } from './end-process.mjs';
import { dataDirOf, refuseEmbeddedInProduction, serviceEnv } from './environment.mjs';
import { refuseHalfRestored } from './half-restored.mjs';
import { LaunchError } from './launch-error.mjs';
import { takeLock } from './lock.mjs';
import { startPostgres } from './postgres.mjs';
import { denoEnv, requireInstalled, serviceCommand } from './runtimes.mjs';
import { drainWithinMs, runService } from './service.mjs';

/** From the signal to our exit: the contract says 10 s. */
const stopWithinMs = 9_500;
/** An immediate shutdown needs this at least, however long the service drained. */
const databaseStopMs = 1_500;
const leftoverDrainMs = 9_000;

/**
 * @typedef {object} Launch
 * @property {import('./environment.mjs').Env} env
 * @property {AbortSignal} stop
 * @property {(line: string) => void} log
 */

/**
 * Database, page, service; and back, in the opposite order.
 * @param {Launch & { runtime: import('./runtimes.mjs').Runtime, watch: boolean, script?: string }} launch
 * @returns {Promise<number>} exit code of the service
 */
export async function start({ env, stop, log, runtime, watch, script = 'src/main.ts' }) {
  requireInstalled(runtime);
  refuseEmbeddedInProduction(env);
  const dataDir = dataDirOf(env);
  createDataDir(dataDir);
  const lock = await takeLock(dataDir);
  if ('holder' in lock) {
    throw new LaunchError(`process ${lock.holder} already runs on ${dataDir}: stop it, or set another DATA_DIR`);
  }
  try {
    refuseHalfRestored(dataDir);
    rmSync(join(dataDir, 'dev.json'), { force: true });
    await endLeftover(lock.leftover, log);
    return await withDatabase({ env, stop, log }, dataDir, async (embeddedUrl) => {
      const given = serviceEnv(env, dataDir, embeddedUrl);
      await bundleDashboard(given.DASHBOARD_DIR);
      const own = runtime === 'deno' ? { ...given, ...denoEnv(given) } : given;
      const command = serviceCommand(runtime, script, { env: own, watch });
      // A database that is not ours need not be stopped after it.
      const drainMs = embeddedUrl === undefined ? stopWithinMs : drainWithinMs;
      return runService(command, { env: own, stop, watch, drainMs, onStart: (pid) => lock.noteService(pid) });
    });
  } finally {
    lock.release();
  }
}

/**
 * Runs the work with the database there: the one of DATABASE_URL, or the embedded one, which is stopped afterwards.
 * @template T
 * @param {Launch} launch
 * @param {string} dataDir
 * @param {(embeddedUrl?: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withDatabase({ env, stop, log }, dataDir, work) {
  if (env.DATABASE_URL) return work();
  const database = await startPostgres({ dataDir, log });
  let stoppingSince = Infinity;
  stop.addEventListener('abort', () => (stoppingSince = Date.now()));
  try {
    return await work(database.url);
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
