import * as fs from 'node:fs';
import { dirname } from 'node:path';

import { LaunchError } from '../launch-error.mjs';

/**
 * Creates DATA_DIR when it is absent. Folders that root makes here may be passed through by others (the account that
 * PostgreSQL runs as); a folder that somebody else made is never touched.
 * @param {string} dataDir absolute
 */
export function createDataDir(dataDir) {
  const first = make(dataDir);
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

/** @returns {string | undefined} the first folder that was made, undefined when all were there */
function make(dataDir) {
  try {
    return fs.mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw new LaunchError(`DATA_DIR cannot be created: ${error.message}`);
  }
}
