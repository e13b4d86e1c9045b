import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const named = process.argv.slice(2);
const PART = named.includes('resident') ? 'resident.ts' : 'run.ts';
const RUN = fileURLToPath(new URL(PART, import.meta.url));
const BIN = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url));

/**
 * `npm run bench:actor`: the same figures under both runtimes, or under those that are named; `-- resident` is another
 * part, which takes minutes: 10,000 houses in memory.
 */
const RUNTIMES: Record<string, string[]> = {
  deno: [`${BIN}deno`, 'run', '-A', RUN],
  node: [`${BIN}node`, '--import', 'tsx', RUN],
};

const runtimes = named.filter((name) => name in RUNTIMES);
console.log(`in process, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const [runtime, [command, ...args]] of Object.entries(RUNTIMES)) {
  if (runtimes.length > 0 && !runtimes.includes(runtime)) continue;
  console.log(runtime);
  const { status } = spawnSync(command!, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
