import { Option, program } from 'commander';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { busyCores, loadOfMachine } from '../load/machine.ts';
import { busyNote } from '../load/outcome.ts';
import { commitNow, machineFacts, mustBeWritable } from '../load/run-head.ts';
import type { GrowthRun } from './growth-run.ts';
import { growthPage } from './page.ts';
import { FULL, type GrowthPart, type GrowthPlan, PARTS, QUICK, TINY } from './plan.ts';
import { runGrowth } from './run.ts';

const LOOK_MS = 1_500;
const MAX_MINUTES = 240;

type Options = { quick?: boolean; tiny?: boolean; minutes?: number; only?: GrowthPart[]; out: string };

program
  .name('growth')
  .description('How costs and memory grow with properties, clients, sockets and reservations, and what nodes carry.')
  .option('--quick', 'small sizes, under three minutes, without a cluster')
  .addOption(new Option('--tiny', 'so small that it only shows that it runs').hideHelp())
  .addOption(new Option('--minutes <n>', 'after which no further point begins').argParser(minutes))
  .addOption(new Option('--only <parts...>', 'some parts, without a calculation').choices(PARTS))
  .addOption(new Option('--out <folder>', 'of growth.html and growth.json').default('.data/growth'))
  .action(main);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`growth: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// Connections to ended processes still wait.
process.exit();

async function main(options: Options): Promise<void> {
  mustBeWritable(options.out);
  const chosen = options.tiny ? TINY : options.quick ? QUICK : FULL;
  const plan: GrowthPlan = {
    ...chosen,
    minutes: options.minutes ?? chosen.minutes,
    parts: options.only ?? chosen.parts,
  };
  const began = { startedAt: new Date().toISOString(), commit: commitNow(), load: loadOfMachine() };
  const warnings = busyNote(await busyCores(LOOK_MS), cpus().length) ?? [];
  for (const warning of warnings) console.log(warning);
  const growth = await runGrowth(plan, (line) => console.log(line));
  const { load, ...head } = began;
  write(options.out, {
    format: 1,
    ...head,
    endedAt: new Date().toISOString(),
    command:
      `npm run growth ${process.argv.slice(2).length > 0 ? `-- ${process.argv.slice(2).join(' ')}` : ''}`.trim(),
    runtime: SCRIPT === 'start' ? 'Deno; memory on Node' : 'Node',
    machine: { ...machineFacts(), load },
    data: `properties of 3 room types and 40 rooms each`,
    warnings,
    ...growth,
  });
  printed(growth);
}

function printed({ curves, notHad, problems }: Pick<GrowthRun, 'curves' | 'notHad' | 'problems'>): void {
  for (const { axis, what, fit, wanted, verdict } of curves) {
    if (fit === null || !/CPU|start|search after/.test(what)) continue;
    const interval = `${fit.exponent.toFixed(2)} (${fit.low.toFixed(2)} to ${fit.high.toFixed(2)})`;
    console.log(
      `${axis.padEnd(13)} ${what.padEnd(44)} ${interval.padEnd(24)} ${verdict}${wanted === 'constant' && verdict === 'grows' ? ', should be constant' : ''}`,
    );
  }
  for (const what of notHad) console.log(`not had: ${what}`);
  for (const what of problems) console.log(`problem: ${what}`);
}

function write(folder: string, run: GrowthRun): void {
  const to = resolve(folder);
  writeFileSync(join(to, 'growth.json'), `${JSON.stringify(run, null, 1)}\n`);
  writeFileSync(join(to, 'growth.html'), growthPage(run));
  console.log(`${join(folder, 'growth.html')} and growth.json`);
}

function minutes(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= MAX_MINUTES)) throw new Error(`${text} is no number of minutes up to ${MAX_MINUTES}`);
  return value;
}
