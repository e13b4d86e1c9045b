import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { createDataDir } from './database/data-dir.mjs';
import { refuseHalfRestored } from './database/half-restored.mjs';
import { databaseNow, runningDatabase, startPostgres } from './database/postgres.mjs';
import { dataDirOf, refuseEmbeddedInProduction, serviceEnv } from './environment.mjs';
import { LaunchError } from './launch-error.mjs';
import { settingsOfNode } from './local-cluster/settings-of-node.mjs';
import { takeLock } from './process/lock.mjs';
import { nodeCommand, toolCommand } from './runtimes.mjs';
import { runService } from './service.mjs';

/** A restore that is interrupted stops the database that it has started. */
const restoreDrainMs = 60_000;

/**
 * Runs a tool on a database: that of DATABASE_URL, that of a running launcher, or one that is started for it and
 * stopped again.
 * @param {import('./start.mjs').Launch & { script: string, args?: string[] }} launch
 * @returns {Promise<number>} exit code
 */
export async function databaseTool({ env, stop, log, script, args = [] }) {
  refuseEmbeddedInProduction(env);
  const dataDir = dataDirOf(env);
  const run = (url) => {
    const given = serviceEnv(env, dataDir, url);
    return runService(toolCommand(script, args, given), { env: given, stop });
  };
  createDataDir(dataDir);
  refuseHalfRestored(dataDir);
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
 * Copies the embedded database and what belongs to it, while it works or while it rests.
 * @param {import('./start.mjs').Launch & { args: string[] }} launch
 * @returns {Promise<number>} exit code
 */
export async function backup(launch) {
  const { env } = launch;
  refuseEmbeddedInProduction(env);
  if (env.DATABASE_URL) {
    throw new LaunchError(
      'this command copies the embedded PostgreSQL; the server of DATABASE_URL has tools of its own (base backups, ' +
        'point-in-time recovery: see docs/guide/backup.md)',
    );
  }
  const dataDir = dataDirOf(env);
  refuseHalfRestored(dataDir);
  if (!existsSync(join(dataDir, 'postgres'))) throw new LaunchError(`there is no database in ${dataDir} yet`);
  return databaseTool({ ...launch, script: 'src/commands/backup.ts' });
}

/**
 * Puts a backup in the place of what is in DATA_DIR, or makes a recovered server of DATABASE_URL fit for service. It
 * takes DATA_DIR and starts the database itself.
 * @param {import('./start.mjs').Launch & { args: string[] }} launch
 * @returns {Promise<number>} exit code
 */
export async function restore({ env, stop, args }) {
  refuseEmbeddedInProduction(env);
  const command = nodeCommand('src/commands/restore.ts', args);
  return runService(command, { env: serviceEnv(env, dataDirOf(env)), stop, drainMs: restoreDrainMs });
}

/**
 * Prints an access token; the signing keys lie in DATA_DIR, so no database is needed.
 * @param {import('./start.mjs').Launch & { args: string[], script?: string }} launch
 * @returns {Promise<number>} exit code
 */
export async function token({ env, stop, args, script = 'src/commands/token.ts' }) {
  refuseHalfRestored(dataDirOf(env));
  return runService(nodeCommand(script, args), { env: serviceEnv(env, dataDirOf(env)), stop });
}

/**
 * Examines the installation as it is, and starts or creates nothing: the embedded database only where it runs.
 * @param {import('./start.mjs').Launch & { args: string[] }} launch
 * @returns {Promise<number>} exit code
 */
export async function doctor({ env, stop, args }) {
  const dataDir = dataDirOf(env);
  const isEmbedded = !env.DATABASE_URL && env.NODE_ENV !== 'production';
  const all = { ...settingsOfNode(dataDir), ...env };
  const given = serviceEnv(all, dataDir, isEmbedded ? databaseNow(dataDir) : undefined);
  return runService(toolCommand('src/commands/doctor.ts', args, given), { env: given, stop });
}
