import { Argument, Option, program } from 'commander';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { Service } from '../../test/blackbox/service.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { K6, requireGoProgram } from '../go-programs/go-program.ts';
import { k6Environment, K6_SCRIPTS, type K6Target, targetOf, targetOfService, type TargetOptions } from './target.ts';

const FOLDER = fileURLToPath(new URL('../../k6/', import.meta.url));
type Options = TargetOptions & { rate?: string; duration?: string };

program
  .name('k6')
  .description('Load tests of the performance targets, against a throw-away service or another one.')
  .addArgument(new Argument('[scripts...]', 'all when none is named').choices(K6_SCRIPTS))
  .addOption(new Option('--base-url <url>', 'a service that is there already').env('BASE_URL'))
  .addOption(new Option('--rate-url <url>', 'its rate service, where that has another address').env('RATE_URL'))
  .addOption(new Option('--reservation-url <url>', 'its reservation service, likewise').env('RESERVATION_URL'))
  .addOption(new Option('--live-url <url>', 'and its live gateway').env('LIVE_URL'))
  .addOption(new Option('--token <tokens>', 'access tokens for it, with commas; the first of an ADMIN').env('TOKEN'))
  .addOption(new Option('--tenant <id>', 'whose hotels').env('TENANT').default('demo'))
  .addOption(new Option('--rate <n>', 'iterations a second; each script has its own').env('RATE'))
  .addOption(new Option('--duration <time>', 'of a script, 30s or 2m').env('DURATION').default('30s'))
  .action(main);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`k6: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(named: string[], options: Options): Promise<void> {
  const k6 = requireGoProgram(K6);
  const scripts = named.length > 0 ? named : K6_SCRIPTS;
  const there = targetOf(options);
  if (there) {
    await runAll(k6, scripts, there, options);
    return;
  }
  console.log(`npm run ${SCRIPT}, on free ports, with data of its own`);
  const service = await Service.start(NO_LIMITS);
  try {
    await runAll(k6, scripts, targetOfService(service, options.tenant), options);
  } finally {
    await service.remove();
  }
}

/** One after the other, so that they do not disturb each other. A missed threshold ends the whole with 1. */
async function runAll(k6: string, scripts: readonly string[], target: K6Target, options: Options): Promise<void> {
  const missed: string[] = [];
  for (const script of scripts) {
    console.log(`\n${script}`);
    if ((await run(k6, script, target, options)) !== 0) missed.push(script);
  }
  if (missed.length > 0) throw new Error(`${missed.join(', ')}: not all thresholds are green`);
  console.log('\nall thresholds are green');
}

function run(k6: string, script: string, target: K6Target, { rate, duration }: Options): Promise<number | null> {
  const env = {
    ...k6Environment(target),
    ...(rate !== undefined && { RATE: rate }),
    ...(duration !== undefined && { DURATION: duration }),
  };
  const quiet = process.stdout.isTTY ? [] : ['--quiet', '--no-color'];
  const child = spawn(k6, ['run', ...quiet, `${FOLDER}${script}.js`], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}
