import { randomUUID } from 'node:crypto';
import { SingleBar } from 'cli-progress';
import { InvalidArgumentError, program } from 'commander';
import type { Day } from '../src/domain/dates.ts';
import { businessDate } from '../src/domain/property-time.ts';
import { type DevFile, readDevFile, tokenOf } from './client/dev-file.ts';
import { HttpClient } from './client/http.ts';
import { auditProperty } from './replay/audit.ts';
import { readBookings } from './replay/bookings.ts';
import { planReplay } from './replay/plan.ts';
import { playEvents } from './replay/player.ts';
import { createHotel, TIMEZONE } from './replay/property.ts';
import { summarise, type Summary, summaryLines } from './replay/summary.ts';

type Options = {
  file: string;
  property: string;
  urlFile: string;
  concurrency: number;
  limit?: number;
  json?: boolean;
};

const TENANT = 'demo';
const NIGHT_AUDIT_HOUR = 3;

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
  .option('--json', 'print the summary as JSON')
  .action(main);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`replay: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(options: Options): Promise<void> {
  const dev = readDevFile(options.urlFile);
  const bookings = await readBookings(options.file);
  using client = new HttpClient({
    sockets: options.concurrency,
    headers: { authorization: `Bearer ${tokenOf(dev, TENANT, 'ADMIN')}`, 'x-tenant-id': TENANT },
  });
  const { rateUrl, reservationUrl } = dev;
  const target = { client, rateUrl, reservationUrl, tenantId: TENANT, propertyId: options.property };
  const plan = planReplay(bookings, await serviceDay(client, dev), options.limit);
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
  const audit = await auditProperty(plan, await serviceDay(client, dev), target);
  report(summarise(tally, seconds, audit), options.json ?? false);
}

function report(summary: Summary, json: boolean): void {
  console.log(json ? JSON.stringify(summary, null, 2) : summaryLines(summary).join('\n'));
  if (!summary.ok) process.exitCode = 1;
}

/** The property's business date by the service's clock, which in development may have been moved (contracts.md 1). */
async function serviceDay(client: HttpClient, dev: DevFile): Promise<Day> {
  const clock = { timezone: TIMEZONE, nightAuditHour: NIGHT_AUDIT_HOUR };
  const answer = await client.call({ method: 'GET', url: `${dev.reservationUrl}/dev/clock` });
  if (answer.status !== 200) return businessDate(Date.now(), clock);
  const { now }: { now: string } = JSON.parse(answer.text);
  return businessDate(Date.parse(now), clock);
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
