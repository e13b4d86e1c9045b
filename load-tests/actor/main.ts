import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import { RUNTIME_COMMANDS } from '../runtime-command.ts';

const named = process.argv.slice(2);
const PART = named.includes('resident') ? 'resident.ts' : 'run.ts';
const RUN = fileURLToPath(new URL(PART, import.meta.url));

/**
 * `npm run bench:actor`: the figures under both runtimes, or the named ones; `-- resident` is another part, which takes
 * minutes: 10,000 properties in memory.
 */
const runtimes = named.filter((name) => name in RUNTIME_COMMANDS);
console.log(`in process, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const [runtime, [command, ...args]] of Object.entries(RUNTIME_COMMANDS)) {
  if (runtimes.length > 0 && !runtimes.includes(runtime)) continue;
  console.log(runtime);
  const { status } = spawnSync(command, [...args, RUN], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
