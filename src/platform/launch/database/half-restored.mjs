import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from '../launch-error.mjs';

/**
 * Marker file in DATA_DIR from the moment a restore starts to move data until all of it is in place.
 * @param {string} dataDir
 */
export function restoreMarker(dataDir) {
  return join(dataDir, 'restore.unfinished');
}

/**
 * @param {string} dataDir
 * @throws {LaunchError} when a restore was interrupted, or is under way
 */
export function refuseHalfRestored(dataDir) {
  if (!existsSync(restoreMarker(dataDir))) return;
  throw new LaunchError(
    `a restore into ${dataDir} is not finished: run it again (npm run restore -- --from <backup>), it starts over`,
  );
}
