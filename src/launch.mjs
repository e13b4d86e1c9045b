import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from './platform/launch/launch-error.mjs';
import { startCluster } from './platform/launch/local-cluster/start.mjs';
import { stopSignal } from './platform/launch/process/stop-signal.mjs';
import { projectRoot } from './platform/launch/project-root.mjs';
import { start } from './platform/launch/start.mjs';
import { backup, databaseTool, doctor, restore, token } from './platform/launch/tools.mjs';
import { helpFor, refuseUnknownOptions } from './platform/launch/usage.mjs';

/** Tools that work on a database, by their subcommand. */
const databaseTools = {
  migrate: 'src/commands/migrate.ts',
  verify: 'src/commands/verify-audit.ts',
  size: 'src/commands/size.ts',
};

const usage =
  'usage: node src/launch.mjs deno|node [--watch], cluster [--nodes 3], migrate, verify, size, backup [--to <folder>], ' +
  'doctor [--json], export --tenant <tenant> [--to <folder>], ' +
  'restore --from <folder>, restore --recovered, or token --tenant <tenant> --role <role>';

/** A terminal that was closed must not keep us from stopping the database. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const [task = '', ...args] = process.argv.slice(2);
const help = helpFor(task, args);
if (help !== undefined) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
const stop = stopSignal();

try {
  process.exit(await run({ env: process.env, stop, log: say }));
} catch (error) {
  // A child that the same Ctrl-C ended (initdb) looks like a failure, and is none.
  if (stop.aborted) process.exit(0);
  if (error instanceof LaunchError) say(error.message);
  else console.error(error);
  process.exit(1);
}

/** @param {import('./platform/launch/start.mjs').Launch} launch */
async function run(launch) {
  refuseUnknownOptions(task, args);
  if (!existsSync(join(projectRoot, 'node_modules'))) throw new LaunchError('no node_modules: run npm ci first');
  if (task === 'deno' || task === 'node') return start({ ...launch, runtime: task, watch: args.includes('--watch') });
  if (task === 'cluster') return startCluster({ ...launch, args });
  if (Object.hasOwn(databaseTools, task)) return databaseTool({ ...launch, script: databaseTools[task] });
  if (task === 'doctor') return doctor({ ...launch, args });
  if (task === 'token') return token({ ...launch, args });
  if (task === 'export') return databaseTool({ ...launch, script: 'src/commands/export-tenant.ts', args });
  if (task === 'backup') return backup({ ...launch, args });
  if (task === 'restore') return restore({ ...launch, args });
  throw new LaunchError(usage);
}

/** Standard error, because what the tools print on standard output is piped on. */
function say(line) {
  console.error(`innkeeper: ${line}`);
}
