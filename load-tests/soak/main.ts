import { Command, InvalidArgumentError, Option } from 'commander';

import { report } from './report.ts';
import { runSoak, type SoakOptions } from './run.ts';

const number = (text: string): number => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('a number');
  return Number(text);
};

/**
 * A real cluster on Redis at real pace: no clock is moved, and every regular round and every night audit must run by
 * itself. Ends with 0 when all were on time.
 */
const program = new Command('soak')
  .description(
    'Three nodes on Redis and PostgreSQL at real pace; how old each regular round gets, and each night audit.',
  )
  .option('--minutes <count>', 'how long', number, 60)
  .option('--nodes <count>', 'how many', number, 3)
  .addOption(new Option('--runtime <name>', 'of the nodes').choices(['deno', 'node']).default('deno'))
  .action(async ({ minutes, nodes, runtime }: SoakOptions) => {
    console.log(`${runtime}, ${nodes} nodes, ${minutes} minutes at real pace`);
    process.exitCode = report(await runSoak({ minutes, nodes, runtime })) ? 0 : 1;
  });

await program.parseAsync();
process.exit();
