import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from '../launch-error.mjs';

/** @typedef {{ SECRET_KEYS: string, CLUSTER_SECRET: string }} Secrets */

/**
 * Secrets shared by the nodes: created once and stored, so that quotes and cursors remain valid after a restart. The
 * environment takes precedence.
 * @param {string} dataDir
 * @param {import('../environment.mjs').Env} env
 * @returns {Secrets}
 */
export function sharedSecrets(dataDir, env) {
  const file = join(dataDir, 'cluster-secrets.json');
  if (!fs.existsSync(file)) {
    const fresh = () => randomBytes(32).toString('base64');
    writePrivate(file, { SECRET_KEYS: `dev1:${fresh()}`, CLUSTER_SECRET: fresh() });
  }
  const stored = readJson(file);
  if (!stored?.SECRET_KEYS || !stored.CLUSTER_SECRET)
    throw new LaunchError(`${file} has no keys that can be read: restore it from a backup`);
  return {
    SECRET_KEYS: env.SECRET_KEYS || stored.SECRET_KEYS,
    CLUSTER_SECRET: env.CLUSTER_SECRET || stored.CLUSTER_SECRET,
  };
}

/** Renamed into place, so that no reader sees half of it; readable by the owner only. */
export function writePrivate(file, content) {
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** @returns {any} undefined when the file is missing or invalid */
export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
