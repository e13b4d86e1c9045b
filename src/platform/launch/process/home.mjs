import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

/** Where a database goes that the unprivileged account cannot reach in DATA_DIR. */
export const defaultHomes = '/var/lib/innkeeper';

/**
 * The folder for what the lent account cannot reach in DATA_DIR.
 * @param {string} homes
 * @param {string} dataDir real path
 */
export function homeFor(homes, dataDir) {
  return join(homes, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

/**
 * Creates both folders when they are absent. They are ours then: others may pass through, not look around.
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
 * One copy per version of the programs, renamed into place so that it is whole or absent.
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

/** npm may have unpacked under a strict umask. The copy is ours and holds nothing but public programs. */
function openToAll(entry) {
  if (entry.isSymbolicLink()) return;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  fs.chmodSync(path, fs.statSync(path).mode | (entry.isDirectory() ? 0o755 : 0o444));
  if (entry.isFile() && fs.statSync(path).mode & 0o100) fs.chmodSync(path, 0o755);
}

/**
 * A home that DATA_DIR does not link to belonged to a DATA_DIR of the same path that somebody deleted, and whoever
 * deletes DATA_DIR wants an empty database. The latest such one is kept, in case they did not.
 * @param {string} cluster
 */
export function putAside(cluster) {
  if (!fs.existsSync(cluster)) return;
  fs.rmSync(`${cluster}.previous`, { recursive: true, force: true });
  fs.renameSync(cluster, `${cluster}.previous`);
}
