import { Argument, Option, program } from 'commander';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { type Role, Service } from '../../test/blackbox/service.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { findK6 } from './program.ts';

const FOLDER = fileURLToPath(new URL('../../k6/', import.meta.url));
/** In the order of a guest's journey. */
const SCRIPTS = ['read-rates', 'book-a-stay', 'modify-and-cancel', 'arrival-day', 'live-feed'] as const;
/** The first sets up the hotels. */
const USERS: readonly Role[] = ['ADMIN', 'OWNER', 'MANAGER', 'STAFF'];

type Target = { rateUrl: string; reservationUrl: string; liveUrl: string; token: string; tenant: string };
type Options = Partial<Target> & { baseUrl?: string; tenant: string; rate?: string; duration?: string };

program
  .name('k6')
  .description('Load tests of the performance targets, against a throw-away service or another one.')
  .addArgument(new Argument('[scripts...]', 'all when none is named').choices(SCRIPTS))
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
  const k6 = findK6();
  if (k6 === undefined) throw new Error('there is no k6 on the PATH; npm run k6:install builds one');
  const scripts = named.length > 0 ? named : SCRIPTS;
  const there = targetOf(options);
  if (there) {
    await runAll(k6, scripts, there, options);
    return;
  }
  console.log(`npm run ${SCRIPT}, on free ports, with data of its own`);
  const service = await Service.start(NO_LIMITS);
  try {
    const { rateUrl, reservationUrl, liveUrl } = service.dev;
    const token = USERS.map((role) => service.token(options.tenant, role)).join(',');
    await runAll(k6, scripts, { rateUrl, reservationUrl, liveUrl, token, tenant: options.tenant }, options);
  } finally {
    await service.remove();
  }
}

/** The service named by the options. @throws Error when they name only half of one */
function targetOf({
  baseUrl,
  rateUrl = baseUrl,
  reservationUrl = baseUrl,
  liveUrl = baseUrl ?? '',
  token,
  tenant,
}: Options): Target | undefined {
  if (rateUrl === undefined && reservationUrl === undefined) return undefined;
  if (rateUrl === undefined || reservationUrl === undefined)
    throw new Error('one service has no address: --base-url is for both, --rate-url and --reservation-url for each');
  if (token === undefined) throw new Error('a service that is there already wants a token (--token or TOKEN)');
  return { rateUrl: bare(rateUrl), reservationUrl: bare(reservationUrl), liveUrl: bare(liveUrl), token, tenant };
}

function bare(url: string): string {
  return url.replace(/\/+$/, '');
}

/** One after the other, so that they do not disturb each other. A missed threshold ends the whole with 1. */
async function runAll(k6: string, scripts: readonly string[], target: Target, options: Options): Promise<void> {
  const missed: string[] = [];
  for (const script of scripts) {
    console.log(`\n${script}`);
    if ((await run(k6, script, target, options)) !== 0) missed.push(script);
  }
  if (missed.length > 0) throw new Error(`${missed.join(', ')}: not all thresholds are green`);
  console.log('\nall thresholds are green');
}

function run(k6: string, script: string, target: Target, { rate, duration }: Options): Promise<number | null> {
  // Tokens are passed by the environment: arguments of a process are public.
  const env = {
    ...process.env,
    RATE_URL: target.rateUrl,
    RESERVATION_URL: target.reservationUrl,
    LIVE_URL: target.liveUrl,
    TOKEN: target.token,
    TENANT: target.tenant,
    ...(rate !== undefined && { RATE: rate }),
    ...(duration !== undefined && { DURATION: duration }),
    // With a thousand users Go would collect garbage all the time, on the cores of the service.
    GOGC: process.env.GOGC ?? '400',
    // No request goes anywhere but to the service.
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
  };
  const quiet = process.stdout.isTTY ? [] : ['--quiet', '--no-color'];
  const child = spawn(k6, ['run', ...quiet, `${FOLDER}${script}.js`], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}
