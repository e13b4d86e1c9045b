import { Argument, program } from 'commander';
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import { SCRIPT } from '../test/blackbox/launched.ts';
import { RUNTIME_COMMANDS } from './runtime-command.ts';

/** A part without a service: a program below load-tests/, under the runtime that the service would have. */
export function inProcess(path: string): () => void {
  const run = fileURLToPath(new URL(path, import.meta.url));
  const [command, ...args] = RUNTIME_COMMANDS[SCRIPT === 'start' ? 'deno' : 'node'];
  return () => {
    if (spawnSync(command, [...args, run], { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
  };
}

/**
 * Command line of a benchmark with parts: runs all, or the named ones. It prints figures and asserts nothing;
 * INNKEEPER_SCRIPT chooses the runtime.
 */
export async function runParts(
  name: string,
  description: string,
  parts: Record<string, () => Promise<void> | void>,
): Promise<void> {
  program
    .name(name)
    .description(description)
    .addArgument(new Argument('[parts...]', 'all when none is named').choices(Object.keys(parts)))
    .action(async (named: string[]) => {
      console.log(`npm run ${SCRIPT}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
      for (const [part, bench] of Object.entries(parts)) {
        if (named.length > 0 && !named.includes(part)) continue;
        console.log(part);
        await bench();
      }
    });
  await program.parseAsync();
}
