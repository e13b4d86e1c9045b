import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from '../launch-error.mjs';

/** @typedef {{ SECRET_KEYS: string, CLUSTER_SECRET: string }} Secrets */

/** The keys as a service of one process has them (src/platform/config/config.ts), so that tools and backups know them. */
const KEYS_FILE = 'secrets.json';

/**
 * Secrets shared by the nodes: created once and stored, so that quotes and cursors remain valid after a restart. The
 * environment takes precedence.
 * @param {string} dataDir
 * @param {import('../environment.mjs').Env} env
 * @returns {Secrets}
 */
export function sharedSecrets(dataDir, env) {
  const file = join(dataDir, 'cluster-secrets.json');
  if (!fs.existsSync(file)) writePrivate(file, { CLUSTER_SECRET: fresh() });
  const stored = readJson(file);
  if (!stored?.CLUSTER_SECRET) throw unreadable(file);
  return {
    SECRET_KEYS: env.SECRET_KEYS || storedKeys(dataDir, stored.SECRET_KEYS),
    CLUSTER_SECRET: env.CLUSTER_SECRET || stored.CLUSTER_SECRET,
  };
}

/** @param {string} [before] keys of a cluster that was made when they lay beside its secret */
function storedKeys(dataDir, before) {
  const file = join(dataDir, KEYS_FILE);
  if (!fs.existsSync(file)) {
    const keys = (before ?? `dev1:${fresh()}`).split(',').map((one) => one.split(':'));
    writePrivate(file, { keys: keys.map(([id, key]) => ({ id, key })) });
  }
  if (before) return before;
  const { keys } = readJson(file) ?? {};
  if (!Array.isArray(keys) || keys.length === 0) throw unreadable(file);
  return keys.map(({ id, key }) => `${id}:${key}`).join(',');
}

const fresh = () => randomBytes(32).toString('base64');

const unreadable = (file) => new LaunchError(`${file} has no keys that can be read: restore it from a backup`);

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
