import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

/** Place of databases that the unprivileged account cannot reach in DATA_DIR. */
export const defaultHomes = '/var/lib/innkeeper';

/**
 * The folder for one DATA_DIR.
 * @param {string} homes
 * @param {string} dataDir real path
 */
export function homeFor(homes, dataDir) {
  return join(homes, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

/**
 * Creates both folders when absent. They belong to root: others may traverse, not list them.
 * @param {string} homes
 * @param {string} home
 */
export function openHome(homes, home) {
  for (const folder of [homes, home]) {
    if (fs.existsSync(folder)) continue;
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o711);
  }
}

/**
 * One copy per version of the programs, renamed into place so that it is complete or absent.
 * @param {string} installed
 * @param {string} home
 * @returns {string} folder with bin, lib and share
 */
export function copyPrograms(installed, home) {
  const { version } = JSON.parse(fs.readFileSync(join(installed, '..', 'package.json'), 'utf8'));
  const native = join(home, `programs-${version}`);
  if (fs.existsSync(native)) return native;
  const fresh = `${native}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.cpSync(installed, fresh, { recursive: true, verbatimSymlinks: true, mode: fs.constants.COPYFILE_FICLONE });
  for (const entry of fs.readdirSync(fresh, { recursive: true, withFileTypes: true })) openToAll(entry);
  fs.chmodSync(fresh, 0o755);
  fs.renameSync(fresh, native);
  return native;
}

/** npm may have unpacked under a strict umask. The copy contains only public programs. */
function openToAll(entry) {
  if (entry.isSymbolicLink()) return;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  fs.chmodSync(path, fs.statSync(path).mode | (entry.isDirectory() ? 0o755 : 0o444));
  if (entry.isFile() && fs.statSync(path).mode & 0o100) fs.chmodSync(path, 0o755);
}

/**
 * Moves a home aside that DATA_DIR does not link to: it belonged to a deleted DATA_DIR of the same path, and deleting
 * it means an empty database is wanted. The latest such home is retained, in case it was a mistake.
 * @param {string} cluster
 */
export function putAside(cluster) {
  if (!fs.existsSync(cluster)) return;
  fs.rmSync(`${cluster}.previous`, { recursive: true, force: true });
  fs.renameSync(cluster, `${cluster}.previous`);
}
