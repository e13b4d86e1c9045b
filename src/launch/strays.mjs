import { readdirSync } from 'node:fs';
import { isRunning, lookUp, workingDirectory } from './processes.mjs';
import { until } from './until.mjs';

const endWithinMs = 3_000;

/**
 * Ends a PostgreSQL whose data directory was deleted under it. It would notice within a minute, but until then it may
 * hold the shared memory that a new database in the same place asks for. Linux only: elsewhere it has that minute.
 * @param {string} cluster path of the data directory that is gone
 */
export async function endStrays(cluster) {
  if (process.platform !== 'linux') return;
  const strays = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && workingDirectory(pid) === `${cluster} (deleted)`);
  // A postmaster ends its own children, and it is the one whose parent is not among them.
  for (const pid of strays.filter((stray) => !strays.includes(lookUp(stray)?.parent ?? 0))) {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has just ended by itself.
    }
  }
  await until(() => !strays.some(isRunning), endWithinMs);
}
