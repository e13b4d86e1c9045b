import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { type Day, formatDay } from '../../src/domain/dates.ts';
import { businessDate } from '../../src/domain/property-time.ts';
import { startDatabase } from '../../src/testing/database.ts';
import { property } from '../../src/testing/property-world.ts';
import { seconds, tell } from '../first/figures.ts';
import { Actors, TENANT } from './parties.ts';

/** `npm run bench:actor -- resident`: a chain with all of its houses in the memory of one process. */
const HOUSES = 10_000;
const TYPES = ['A', 'B', 'C'];
const NIGHTS = 400;
/** Activations under way; more would only wait for a connection. */
const AT_ONCE = 6;
/** Files that are copied beside each other. */
const FILES = 2;

const today = businessDate(Date.now(), { timezone: 'Europe/Berlin', nightAuditHour: 3 });
const houseId = (n: number): string => `house-${String(n).padStart(5, '0')}`;

await using database = await startDatabase();
await seed(database.admin, database.url);
await using actors = await Actors.open(database.url);
await activate(actors);
process.exit();

/** Rows as a migration from another system would bring them. */
async function seed(admin: Client, databaseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-seed-'));
  await chmod(folder, 0o755);
  const files = Array.from({ length: FILES }, (_, n) => join(folder, `${n}.csv`));
  await Promise.all(files.map((file, n) => writeRates(file, n)));
  const began = performance.now();
  await setUp(admin);
  await Promise.all(files.map((file) => copyRates(new Client({ connectionString: databaseUrl }), file)));
  await admin.query('alter table base_rates enable trigger all');
  await admin.query('analyze base_rates');
  const rows = HOUSES * TYPES.length * NIGHTS;
  tell([
    { what: `${rows} rates of ${HOUSES} houses by COPY (90 s promised)`, value: seconds(performance.now() - began) },
  ]);
  await rm(folder, { recursive: true });
}

/** One file of the rates: every n-th house. */
async function writeRates(file: string, n: number): Promise<void> {
  const out = createWriteStream(file);
  const at = new Date().toISOString();
  for (let house = n; house < HOUSES; house += FILES) {
    const lines: string[] = [];
    for (const type of TYPES)
      for (let day: Day = today; day < today + NIGHTS; day++)
        lines.push(`${TENANT},${houseId(house)},${type},${formatDay(day)},100.00,EUR,${at},${at}\n`);
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

/** Houses with their types and plans; who copies rates tells nobody of it, since nobody is awake. */
async function setUp(admin: Client): Promise<void> {
  const { metadata } = property({ policies: { horizonNights: NIGHTS } });
  const houses = `generate_series(0, ${HOUSES - 1}) n, lateral (select 'house-' || lpad(n::text, 5, '0') as id) h`;
  await admin.query('alter table base_rates disable trigger all');
  await admin.query('alter table rates disable trigger all');
  await admin.query(
    `insert into properties (tenant_id, property_id, name, metadata) select '${TENANT}', h.id, h.id, $1 from ${houses}`,
    [JSON.stringify(metadata)],
  );
  await admin.query(
    `insert into property_actor (tenant_id, property_id, business_date) select '${TENANT}', h.id, $1 from ${houses}`,
    [formatDay(today)],
  );
  await admin.query(
    `insert into room_types (tenant_id, property_id, room_type, name, max_adults, max_children, max_guests, total_rooms)
     select '${TENANT}', h.id, t, t, 2, 1, 3, 40 from ${houses}, unnest($1::text[]) t`,
    [TYPES],
  );
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, currency)
     select '${TENANT}', gen_random_uuid(), h.id, c, c, 'EUR' from ${houses}, unnest('{BAR,FLEX,NRF}'::text[]) c`,
  );
  await admin.query('alter table rates enable trigger all');
}

/** Wakes every house and quotes once, as its first guest would. */
async function activate({ host }: Actors): Promise<void> {
  const before = process.memoryUsage();
  const began = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < HOUSES; n = next++) {
      const view = await host.view({ tenantId: TENANT, propertyId: houseId(n) });
      const stay = { checkIn: today + 20, checkOut: today + 23, adults: 2, children: 0, rateCode: 'BAR' };
      if (view.quote(stay, Date.now()).rates.length !== TYPES.length) throw new Error(`${houseId(n)} is not whole`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
  tell([
    {
      what: `${HOUSES} houses woken`,
      value: `${seconds(performance.now() - began)}, ${host.figures.actors} resident`,
    },
    { what: 'memory of the process (1 GB promised)', value: `${mb(rss)}, before ${mb(before.rss)}` },
    { what: 'of this', value: `${mb(heapUsed)} heap, ${mb(arrayBuffers)} typed arrays` },
  ]);
}
