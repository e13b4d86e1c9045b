import * as fs from 'node:fs';
import { join } from 'node:path';

import { databaseAccount } from '../database/account.mjs';
import { LaunchError } from '../launch-error.mjs';
import { installedPrograms, reach } from '../programs.mjs';
import { copyPrograms, homeFor, openHome } from './home.mjs';

/**
 * Where the database lies and who runs it. `home` is set when it lies outside DATA_DIR.
 * @typedef {{ native: string, cluster: string, account?: import('../database/account.mjs').Account, home?: string }}
 * Place
 */

/**
 * Usually DATA_DIR/postgres with npm's programs. Root's PostgreSQL runs under an unprivileged account, which may not
 * be able to enter a checkout below /root: its files are then in a separate home, and DATA_DIR/postgres is a link to
 * it. An existing database is always used where it is.
 * @param {string} dataDir real path
 * @param {string} homes folder for such homes
 * @param {(line: string) => void} log
 * @returns {Place}
 */
export function findPlace(dataDir, homes, log) {
  const installed = installedPrograms();
  const existing = existingCluster(dataDir);
  const account = accountFor(existing);
  const cluster = existing ?? join(dataDir, 'postgres');
  const reached = reach(installed, existing ?? dataDir, account);
  if (reached.folder) return { native: installed, cluster, account };
  if (!account) throw new LaunchError(`PostgreSQL cannot run here (${reached.why}): set DATABASE_URL`);
  const home = homeFor(homes, dataDir);
  openHome(homes, home);
  const native = reached.programs ? installed : copyPrograms(installed, home);
  const again = reach(native, existing ?? dataDir, account);
  if (!again.programs)
    throw new LaunchError(`PostgreSQL cannot run as ${account.name} (${again.why}): set DATABASE_URL`);
  log(`PostgreSQL runs as user ${account.name}, who cannot enter this folder; what it needs is kept in ${home}`);
  if (again.folder) return { native, cluster, account };
  if (!existing) return { native, cluster: join(home, 'postgres'), account, home };
  throw new LaunchError(`the user ${account.name} cannot enter ${existing}: let it, or move the database away`);
}

/**
 * @param {string} dataDir
 * @returns {string | undefined} real path of DATA_DIR/postgres
 */
function existingCluster(dataDir) {
  const entry = join(dataDir, 'postgres');
  if (fs.existsSync(entry)) return fs.realpathSync(entry);
  // A link without its target: somebody removed the home.
  fs.rmSync(entry, { force: true });
  return undefined;
}

/** @param {string} [existing] */
function accountFor(existing) {
  const owner = existing === undefined ? undefined : fs.statSync(existing).uid;
  const self = process.getuid?.();
  if (self !== 0 && owner !== undefined && owner !== self) {
    throw new LaunchError(`the database in ${existing} belongs to user id ${owner}: start as that user, or as root`);
  }
  const account = databaseAccount(owner);
  if (self === 0 && !account) {
    throw new LaunchError(
      'PostgreSQL does not run as root and there is no user postgres or nobody: set DATABASE_URL',
    );
  }
  return account;
}
