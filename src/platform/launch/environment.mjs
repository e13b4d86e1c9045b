import { join, resolve } from 'node:path';

import { LaunchError } from './launch-error.mjs';
import { missingMode } from './mode.mjs';
import { openFilesLimit } from './process/open-files.mjs';
import { projectRoot } from './project-root.mjs';

/** @typedef {Record<string, string | undefined>} Env */

/** Variables required in production. The service checks all of them; here they only complete the error line. */
const production = [
  'DATABASE_URL',
  'OIDC_ISSUER',
  'SECRET_KEYS',
  'PUBLIC_RATE_URL',
  'PUBLIC_RESERVATION_URL',
  'PUBLIC_LIVE_URL',
  'STRIPE_SECRET_KEY',
];

/**
 * @param {Env} env
 * @returns {string} absolute
 */
export function dataDirOf(env) {
  return env.DATA_DIR ? resolve(env.DATA_DIR) : join(projectRoot, '.data');
}

/**
 * @param {Env} env
 * @throws {LaunchError} when the mode is not stated
 */
export function refuseUnclearMode(env) {
  // Not inherited from the caller: the launcher itself decides whether the database is embedded.
  const unclear = missingMode({ ...env, INNKEEPER_EMBEDDED_POSTGRES: undefined });
  if (unclear) throw new LaunchError(unclear);
}

/**
 * @param {Env} env
 * @throws {LaunchError} when production would run on the embedded database
 */
export function refuseEmbeddedInProduction(env) {
  if (env.NODE_ENV !== 'production' || env.DATABASE_URL) return;
  const missing = production.filter((name) => !env[name]).join(', ');
  throw new LaunchError(`NODE_ENV=production does not start the embedded PostgreSQL; missing: ${missing}`);
}

/**
 * Environment of the service: everything, plus what the launcher has determined.
 * @param {Env} env
 * @param {string} dataDir
 * @param {string} [embeddedUrl] address of the embedded database, when that is used
 * @returns {Env}
 */
export function serviceEnv(env, dataDir, embeddedUrl) {
  const { INNKEEPER_EMBEDDED_POSTGRES: _inherited, ...rest } = env;
  const limit = openFilesLimit();
  const all = {
    ...rest,
    ...(limit !== undefined && { INNKEEPER_OPEN_FILES: String(limit) }),
    DATA_DIR: dataDir,
    DASHBOARD_DIR: join(dataDir, 'dashboard'),
  };
  return embeddedUrl ? { ...all, DATABASE_URL: embeddedUrl, INNKEEPER_EMBEDDED_POSTGRES: '1' } : all;
}
