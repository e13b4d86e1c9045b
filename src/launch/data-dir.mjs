import * as fs from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates DATA_DIR when it is absent. Folders that root makes here may be passed through by others (the account that
 * PostgreSQL runs as); a folder that somebody else made is never touched.
 * @param {string} dataDir absolute
 */
export function createDataDir(dataDir) {
  const first = fs.mkdirSync(dataDir, { recursive: true });
  if (first === undefined) return;
  if (process.getuid?.() !== 0) {
    fs.chmodSync(dataDir, 0o700);
    return;
  }
  let folder = dataDir;
  fs.chmodSync(folder, 0o711);
  while (folder !== first) {
    folder = dirname(folder);
    fs.chmodSync(folder, 0o711);
  }
}
