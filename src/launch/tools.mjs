import { createDataDir } from './data-dir.mjs';
import { dataDirOf, refuseEmbeddedInProduction, serviceEnv } from './environment.mjs';
import { LaunchError } from './launch-error.mjs';
import { takeLock } from './lock.mjs';
import { runningDatabase, startPostgres } from './postgres.mjs';
import { nodeCommand } from './runtimes.mjs';
import { runService } from './service.mjs';

/**
 * Runs a tool on a database: that of DATABASE_URL, that of a running launcher, or one that is started for it and
 * stopped again.
 * @param {import('./start.mjs').Launch & { script: string }} launch
 * @returns {Promise<number>} exit code
 */
export async function databaseTool({ env, stop, log, script }) {
  const command = nodeCommand(script);
  refuseEmbeddedInProduction(env);
  const dataDir = dataDirOf(env);
  const run = (url) => runService(command, { env: serviceEnv(env, dataDir, url), stop });
  createDataDir(dataDir);
  if (env.DATABASE_URL) return run();
  const lock = await takeLock(dataDir);
  if ('holder' in lock) {
    const url = await runningDatabase(dataDir);
    if (!url) throw new LaunchError(`process ${lock.holder} runs on ${dataDir}, but its database does not come up`);
    return run(url);
  }
  try {
    const database = await startPostgres({ dataDir, log });
    try {
      return await run(database.url);
    } finally {
      if (!database.adopted) await database.stop();
    }
  } finally {
    lock.release();
  }
}

/**
 * Prints an access token; the signing keys lie in DATA_DIR, so no database is needed.
 * @param {import('./start.mjs').Launch & { args: string[], script?: string }} launch
 * @returns {Promise<number>} exit code
 */
export function token({ env, stop, args, script = 'src/token.ts' }) {
  return runService(nodeCommand(script, args), { env: serviceEnv(env, dataDirOf(env)), stop });
}
