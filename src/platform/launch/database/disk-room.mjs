import * as fs from 'node:fs';

import { pause } from '../process/pause.mjs';

/** Two files of the log of PostgreSQL: with less it may not be able to start. */
const leastBytes = 32 * 2 ** 20;
const lookEveryMs = 1_000;

/**
 * Whether the disk of a folder has too little room for a start of PostgreSQL.
 * @param {string} folder
 */
export function isDiskFull(folder) {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize < leastBytes;
  } catch {
    return false;
  }
}

/**
 * Waits until there is room again, however long that takes.
 * @param {string} folder
 * @param {AbortSignal} signal
 */
export async function untilDiskRoom(folder, signal) {
  while (!signal.aborted && isDiskFull(folder)) await pause(lookEveryMs, signal);
}
