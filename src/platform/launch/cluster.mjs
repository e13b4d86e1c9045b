import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { LaunchError } from './launch-error.mjs';
import { spawnOptions } from './programs.mjs';

/** Inside the data directory, so that a database and its password appear together, by one rename. */
const passwordFile = 'innkeeper.password';
/** Files that initdb writes first and late, and the last one added here. */
const landmarks = ['PG_VERSION', 'global/pg_control', passwordFile];
export const majorVersion = '18';

/**
 * Whether a database exists. Ours appear completely or not at all; anything in between comes from outside.
 * @param {string} cluster
 * @returns {boolean} false when it is still to be created
 * @throws {LaunchError} when it is damaged or of another version
 */
export function clusterExists(cluster) {
  if (!fs.existsSync(cluster)) return false;
  if (fs.readdirSync(cluster).length === 0) {
    fs.rmdirSync(cluster);
    return false;
  }
  const missing = landmarks.find((name) => !fs.existsSync(join(cluster, name)));
  const advice = 'put a backup in its place, or delete it to start with an empty database';
  if (missing) throw new LaunchError(`the database in ${cluster} is incomplete (no ${missing}): ${advice}`);
  const version = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== majorVersion) {
    throw new LaunchError(
      `the database in ${cluster} was made by PostgreSQL ${version}, not ${majorVersion}: ${advice}`,
    );
  }
  return true;
}

/** @param {string} cluster */
export function readPassword(cluster) {
  return fs.readFileSync(join(cluster, passwordFile), 'utf8').trim();
}

/**
 * Creates the database beside its place and renames it into place last: an interrupted start leaves only a folder that
 * the next start removes.
 * @param {{ native: string, cluster: string, account?: import('./database/account.mjs').Account }} place
 */
export async function createCluster({ native, cluster, account }) {
  removeUnfinished(cluster);
  const workshop = fs.mkdtempSync(`${cluster}.new-`);
  const fresh = join(workshop, 'data');
  const secret = join(workshop, 'password');
  try {
    const password = randomBytes(24).toString('base64url');
    fs.writeFileSync(secret, password, { mode: 0o600 });
    if (account) for (const path of [workshop, secret]) fs.chownSync(path, account.uid, account.gid);
    await initdb(native, fresh, secret, account);
    keepPassword(join(fresh, passwordFile), password, account);
    fs.renameSync(fresh, cluster);
  } finally {
    fs.rmSync(workshop, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/**
 * Removes folders of interrupted starts.
 * @param {string} cluster
 */
function removeUnfinished(cluster) {
  const prefix = `${basename(cluster)}.new-`;
  for (const name of fs.readdirSync(dirname(cluster))) {
    if (!name.startsWith(prefix)) continue;
    // An orphaned initdb may still be writing for a moment.
    fs.rmSync(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The built-in C.UTF-8 sorts the same on every machine and needs no locale of the operating system. */
async function initdb(native, fresh, secret, account) {
  const args = ['-D', fresh, '-U', 'postgres', '--pwfile', secret, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums', '--no-instructions');
  const child = spawn(join(native, 'bin', 'initdb'), args, {
    ...spawnOptions(account),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2000)));
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  if (end === undefined) return;
  const reason = said.match(/^(?:initdb: error|FATAL|PANIC): .*$/m)?.[0];
  throw new LaunchError(`the database could not be created in ${dirname(dirname(fresh))}: ${reason ?? end}`);
}

function keepPassword(path, password, account) {
  const file = fs.openSync(path, 'wx', 0o600);
  fs.writeSync(file, `${password}\n`);
  if (account) fs.fchownSync(file, account.uid, account.gid);
  fs.fsyncSync(file);
  fs.closeSync(file);
}
