import { Option, program } from 'commander';
import { constants } from 'node:os';

import { stopSignal } from '../../src/platform/launch/process/stop-signal.mjs';
import { runService } from '../../src/platform/launch/service.mjs';
import { PARTS, type Part, VARIABLES } from './parts.ts';
import { type Services, startServices } from './start.ts';

type Options = { only: Part[]; dataDir?: string };

const say = (line: string): void => void process.stderr.write(`services: ${line}\n`);

/** How long a command has to end: a test suite ends services of its own. */
const COMMAND_ENDS_WITHIN_MS = 30_000;

program
  .name('npm run services --')
  .description('Real parts for tests on this machine, until Ctrl-C or for as long as a command runs.')
  .addOption(new Option('--only <parts>', 'some of them, with commas between').default([...PARTS]).argParser(partsOf))
  .option('--data-dir <folder>', 'stays afterwards; without it a temporary one')
  .argument('[command...]', 'is run with their addresses in its environment; ends with its exit code')
  .passThroughOptions()
  .action(async (command: string[], options: Options) => {
    process.exitCode = await run(command, options);
  });

function partsOf(list: string): Part[] {
  const named = list.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !PARTS.includes(name as Part));
  if (unknown !== undefined) program.error(`--only: "${unknown}" is none of ${PARTS.join(', ')}`);
  return named as Part[];
}

async function run(command: readonly string[], { only, dataDir }: Options): Promise<number> {
  const stop = stopSignal();
  await using services = await startServices({ only, dataDir, say });
  if (command.length > 0) {
    const env = { ...process.env, ...services.env };
    // Awaited here: the services are disposed of when this function is left, and not when its promise resolves.
    return await runService(command, { env, stop, drainMs: COMMAND_ENDS_WITHIN_MS });
  }
  show(services);
  // Timers alone keep a process alive; signals do not.
  const alive = setInterval(() => {}, 60_000);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  clearInterval(alive);
  return stop.reason === 'SIGINT' ? 128 + constants.signals.SIGINT : 0;
}

/** For a shell on standard output, for a person beside it. */
function show({ env, startedIn }: Services): void {
  for (const [name, value] of Object.entries(env)) process.stdout.write(`export ${name}=${value}\n`);
  if (!process.stderr.isTTY) return;
  process.stderr.write('\n');
  for (const part of PARTS) {
    const value = env[VARIABLES[part]];
    if (value !== undefined)
      process.stderr.write(
        `  ${part.padEnd(9)} ${value.padEnd(58)} ${((startedIn[part] ?? 0) / 1000).toFixed(1)} s\n`,
      );
  }
  process.stderr.write('\n  Copy the lines above into another shell. Ctrl-C stops all of it.\n\n');
}

try {
  await program.parseAsync();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
