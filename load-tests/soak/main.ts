import { Command, InvalidArgumentError, Option } from 'commander';
import { join } from 'node:path';

import { countOption, numberOption } from '../options.ts';
import { type LivingOptions, soakLiving } from './living/run.ts';
import { report } from './rounds/report.ts';
import { runSoak, type SoakOptions } from './rounds/run.ts';

const positive = (text: string): number => {
  const value = numberOption(text);
  if (value === 0) throw new InvalidArgumentError('more than 0');
  return value;
};

const runtime = (): Option =>
  new Option('--runtime <name>', 'of the nodes').choices(['deno', 'node']).default('deno');

/** Clusters that run for hours. */
const program = new Command('soak').description('What grows, gets slower or goes wrong only after hours.');

program
  .command('living', { isDefault: true })
  .description(
    'Three nodes on Redis and PostgreSQL with hotels that live faster than time, and mishaps at random; each business ' +
      'day is audited to the cent and to the cell, and memory, descriptors, WAL, tables and p99 must stay flat.',
  )
  .option('--minutes <count>', 'how long', positive, 120)
  .option('--nodes <count>', 'how many', countOption, 3)
  .option('--pace <times>', 'how much faster than time the hotels live', positive, 60)
  .option('--hotels <count>', 'with books of their own', countOption, 3)
  .option('--every <seconds>', 'between two samples', positive, 10)
  .option('--seed <n>', 'of the mishaps', numberOption, Date.now() % 1_000_000)
  .option('--no-mishaps', 'without them')
  .option('--out <folder>', 'for report.html and report.json', join('.data', 'soak'))
  .addOption(runtime())
  .action(async (options: LivingOptions) => {
    process.exitCode = (await soakLiving(options)) ? 0 : 1;
  });

program
  .command('rounds')
  .description(
    'A cluster at real pace: no clock is moved, and every regular round and every night audit must run by itself.',
  )
  .option('--minutes <count>', 'how long', positive, 60)
  .option('--nodes <count>', 'how many', countOption, 3)
  .addOption(runtime())
  .action(async ({ minutes, nodes, runtime: name }: SoakOptions) => {
    console.log(`${name}, ${nodes} nodes, ${minutes} minutes at real pace`);
    process.exitCode = report(await runSoak({ minutes, nodes, runtime: name })) ? 0 : 1;
  });

await program.parseAsync();
process.exit();
