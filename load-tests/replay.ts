import { SingleBar } from 'cli-progress';
import { InvalidArgumentError, program } from 'commander';
import { randomUUID } from 'node:crypto';

import { readDevFile, tokenOf } from './client/dev-file.ts';
import { HttpClient } from './client/http.ts';
import { live } from './day-by-day/live.ts';
import { dayByDayLines, summariseLife } from './day-by-day/summary.ts';
import { auditProperty } from './replay/audit.ts';
import { readBookings } from './replay/bookings.ts';
import { type Plan, planReplay } from './replay/plan.ts';
import { playEvents } from './replay/player.ts';
import { createHotel, type Target } from './replay/property.ts';
import { serviceDay } from './replay/service-time.ts';
import { summarise, summaryLines } from './replay/summary.ts';

type Options = {
  file: string;
  property: string;
  urlFile: string;
  concurrency: number;
  limit?: number;
  lived?: boolean;
  days?: number;
  json?: boolean;
};

type Report = { summary: { ok: boolean }; lines: string[] };

const TENANT = 'demo';

program
  .name('replay')
  .description(
    'Plays real bookings through the REST API of a running service and audits what came of them. Data: N. Antonio, ' +
      'A. de Almeida, L. Nunes, "Hotel booking demand datasets", Data in Brief 22 (2019) 41-49, CC BY 4.0.',
  )
  .requiredOption('--file <csv>', 'bookings in the format of shared/data, plain or .gz')
  .requiredOption('--property <id>', 'id of the property to create; must be free', propertyId)
  .option('--url-file <path>', 'dev.json of the running service', '.data/dev.json')
  .option('--concurrency <n>', 'requests at a time', positive, 32)
  .option('--limit <n>', 'play only the first n bookings', positive)
  .option(
    '--lived',
    'live the bookings day by day, with check-ins, check-outs and no-shows, on the development clock. It puts the ' +
      'clock of the whole service forward for good: only for a service that is thrown away afterwards',
  )
  .option('--days <n>', 'with --lived: only the first n days', positive)
  .option('--json', 'print the summary as JSON')
  .action(main);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`replay: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(options: Options): Promise<void> {
  if (options.days !== undefined && !options.lived) throw new Error('--days goes with --lived');
  const dev = readDevFile(options.urlFile);
  const bookings = await readBookings(options.file);
  using client = new HttpClient({
    sockets: options.concurrency,
    headers: { authorization: `Bearer ${tokenOf(dev, TENANT, 'ADMIN')}`, 'x-tenant-id': TENANT },
  });
  const { rateUrl, reservationUrl } = dev;
  const target = { client, rateUrl, reservationUrl, tenantId: TENANT, propertyId: options.property };
  const plan = planReplay(bookings, await serviceDay(target), options.limit);
  const play = options.lived
    ? playDayByDay(plan, target, { ...options, operatorToken: dev.operatorToken })
    : playAtOnce(plan, target, options);
  const { summary, lines } = await play;
  console.log(options.json ? JSON.stringify(summary, null, 2) : lines.join('\n'));
  if (!summary.ok) process.exitCode = 1;
}

/** All requests at once, at today's date. */
async function playAtOnce(plan: Plan, target: Target, options: Options): Promise<Report> {
  await createHotel(plan, target);
  const bar = progressBar(plan.events.length);
  const started = performance.now();
  const tally = await playEvents(plan.events, {
    ...target,
    concurrency: options.concurrency,
    runId: randomUUID(),
    progress: (now) => bar?.update(now.answered + now.passedOver),
  }).finally(() => bar?.stop());
  const seconds = (performance.now() - started) / 1000;
  const audit = await auditProperty(plan, await serviceDay(target), target);
  const summary = summarise(tally, seconds, audit);
  return { summary, lines: summaryLines(summary) };
}

type PlayedWith = Pick<Options, 'concurrency' | 'days'> & { operatorToken: string };

/** Day by day, on the development clock. */
async function playDayByDay(plan: Plan, target: Target, { operatorToken, ...options }: PlayedWith): Promise<Report> {
  const bar = progressBar(plan.events.length);
  const outcome = await live(plan, target, {
    ...options,
    operatorToken,
    runId: randomUUID(),
    progress: (over, of) => {
      bar?.setTotal(of);
      bar?.update(over);
    },
  }).finally(() => bar?.stop());
  const summary = summariseLife(outcome);
  return { summary, lines: dayByDayLines(summary) };
}

function progressBar(total: number): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined;
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {value}/{total} | {eta_formatted} left',
    hideCursor: true,
  });
  bar.start(total, 0);
  return bar;
}

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('a whole number from 1 is needed');
  return number;
}

function propertyId(value: string): string {
  if (!/^[a-z0-9-]{1,50}$/.test(value)) throw new InvalidArgumentError('1 to 50 of a-z, 0-9 and -');
  return value;
}
