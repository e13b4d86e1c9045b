import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';

import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { partyOfPersons } from '../../src/rates/rules/stay.ts';
import { startDatabase } from '../../src/testing/database.ts';
import { type Chain, CHAIN_TYPES, chainProperty, chainToday, seedChain } from '../chain.ts';
import { seconds, figuresText } from '../first/figures.ts';
import { Actors, TENANT } from './contenders.ts';

/** `npm run bench:actor -- resident`: a chain with all of its properties in the memory of one process. */
const CHAIN: Chain = { tenantId: TENANT, prefix: 'house', properties: 10_000, nights: 400 };
/** Concurrent activations; more would only wait for a connection. */
const AT_ONCE = 6;
/** Files that are copied in parallel. */
const FILES = 2;

await using database = await startDatabase();
await seed(database.admin, database.url);
await using actors = await Actors.open(database.url);
await activate(actors);
process.exit();

/** Writes rows as a migration from another system would. */
async function seed(admin: Client, databaseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-seed-'));
  await chmod(folder, 0o755);
  const files = Array.from({ length: FILES }, (_, n) => join(folder, `${n}.csv`));
  await Promise.all(files.map((file, n) => writeRates(file, n)));
  const began = performance.now();
  await seedChain(admin, CHAIN, async () => {
    await Promise.all(files.map((file) => copyRates(new Client({ connectionString: databaseUrl }), file)));
  });
  const rows = CHAIN.properties * CHAIN_TYPES.length * CHAIN.nights;
  figuresText([
    {
      what: `${rows} rates of ${CHAIN.properties} properties by COPY (90 s promised)`,
      value: seconds(performance.now() - began),
    },
  ]);
  await rm(folder, { recursive: true });
}

/** One file of the rates: every n-th property. */
async function writeRates(file: string, n: number): Promise<void> {
  const out = createWriteStream(file);
  const at = new Date().toISOString();
  for (let property = n; property < CHAIN.properties; property += FILES) {
    const lines: string[] = [];
    for (const type of CHAIN_TYPES)
      for (let day: Day = chainToday; day < chainToday + CHAIN.nights; day++)
        lines.push(`${TENANT},${chainProperty(CHAIN, property)},${type},${formatDay(day)},100.00,EUR,${at},${at}\n`);
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

async function copyRates(client: Client, file: string): Promise<void> {
  await client.connect();
  await client.query(
    `copy base_rates (tenant_id, property_id, room_type, rate_date, rate, currency, created_at, updated_at)
     from '${file}' (format csv)`,
  );
  await client.end();
}

/** Activates every property with one quote, as its first guest would. */
async function activate({ host }: Actors): Promise<void> {
  const before = process.memoryUsage();
  const began = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < CHAIN.properties; n = next++) {
      const view = await host.view({ tenantId: TENANT, propertyId: chainProperty(CHAIN, n) });
      const stay = { checkIn: chainToday + 20, checkOut: chainToday + 23, ...partyOfPersons(2), rateCode: 'BAR' };
      if (view.quote(stay, Date.now()).rates.length !== CHAIN_TYPES.length)
        throw new Error(`${chainProperty(CHAIN, n)} is not whole`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
  figuresText([
    {
      what: `${CHAIN.properties} properties activated`,
      value: `${seconds(performance.now() - began)}, ${host.figures.actors} resident`,
    },
    { what: 'memory of the process (1 GB promised)', value: `${mb(rss)}, before ${mb(before.rss)}` },
    { what: 'of this', value: `${mb(heapUsed)} heap, ${mb(arrayBuffers)} typed arrays` },
  ]);
}
