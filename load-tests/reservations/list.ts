import { Client } from 'pg';
import { openDatabase } from '../../src/storage/database.ts';
import { databaseReservationReader } from '../../src/storage/reservation-reader.ts';
import { listQuery } from '../../src/contracts/reservations.ts';
import { timedPlansOf } from '../../src/testing/plans.ts';
import { House } from '../../test/blackbox/house.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Page, Reservation } from '../../test/blackbox/shapes.ts';
import { HttpClient } from '../client/http.ts';
import { percentiles } from '../client/latencies.ts';
import { embeddedDatabaseUrl } from '../first/database-url.ts';
import { seconds, tell } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { HOUSES, ManyReservations } from './many.ts';

/** `LIST_ROWS=100000` for a quick look. */
const ROWS = Number(process.env.LIST_ROWS ?? 1_000_000);
const WARM_UPS = 5;
const ROUNDS = 40;
/** A late page is this many full pages after the first, or the last but one. */
const LATE_PAGES = 25;
const PROMISED_MS = 20;
const DAY_MS = 86_400_000;
const TENANT = 'demo';

/** A page of 50 of a million reservations, by each filter; and how the database found them. */
export async function benchList(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  const admin = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  try {
    await admin.connect();
    const houses: string[] = [];
    for (let n = 0; n < HOUSES; n += 1)
      houses.push((await House.open(service, { rooms: { DLX: 1 }, pricedNights: 0 })).propertyId);
    const model = await (await House.open(service)).booked({ nights: 3 });
    const many = new ManyReservations(ROWS, houses);
    tell([{ what: `${ROWS} reservations and payments by COPY`, value: seconds(await many.load(admin, model)) }]);
    const queries = filters(many);
    await timed(service, queries);
    await explain(service, queries);
  } finally {
    await admin.end();
    await service.remove();
  }
}

/** Filters of `GET /reservations` (contracts.md 7), for a house, a guest and days in the midst of what was loaded. */
function filters(many: ManyReservations): [string, string][] {
  const middle = many.booked(Math.floor(ROWS / 2));
  const grouped = many.booked(Math.floor(ROWS / 100) * 50);
  const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);
  const house = `propertyId=${middle.propertyId}`;
  const [today, ago] = [day(0), new Date(Date.now() - 60_000).toISOString()];
  return [
    ['all', ''],
    ['house', house],
    ['house, CONFIRMED', `${house}&status=CONFIRMED`],
    ['house, CHECKED_IN', `${house}&status=CHECKED_IN`],
    ['house, PENDING', `${house}&status=PENDING`],
    ['house, NO_SHOW', `${house}&status=NO_SHOW`],
    ['house, arrivals of a day', `${house}&arrivalFrom=${today}&arrivalTo=${today}`],
    ['house, arrivals of a year', `${house}&arrivalFrom=${day(-365)}&arrivalTo=${today}`],
    ['house, departures of a day', `${house}&departureFrom=${today}&departureTo=${today}`],
    ['house, in house on a day', `${house}&inHouseOn=${today}`],
    ['house, in house a year ago', `${house}&inHouseOn=${day(-365)}`],
    ['house, GROUP', `${house}&channel=GROUP`],
    ['house, changed since a minute', `${house}&updatedSince=${ago}`],
    ['CONFIRMED', 'status=CONFIRMED'],
    ['CHECKED_IN', 'status=CHECKED_IN'],
    ['PENDING', 'status=PENDING'],
    ['NO_SHOW', 'status=NO_SHOW'],
    ['arrivals of a day', `arrivalFrom=${today}&arrivalTo=${today}`],
    ['departures of a day', `departureFrom=${today}&departureTo=${today}`],
    ['in house on a day', `inHouseOn=${today}`],
    ['in house a year ago', `inHouseOn=${day(-365)}`],
    ['OTA', 'channel=OTA'],
    ['GROUP', 'channel=GROUP'],
    ['WALKIN, of which there is none', 'channel=WALKIN'],
    ['changed since a minute', `updatedSince=${ago}`],
    ['changed since a month', `updatedSince=${new Date(Date.now() - 30 * DAY_MS).toISOString()}`],
    ['guest', `guestId=${middle.guestId}`],
    ['e-mail', `email=${middle.email}`],
    ['confirmation number', `confirmationNumber=${middle.confirmationNumber}`],
    ['group', `groupId=${grouped.groupId}`],
  ];
}

/** Over HTTP on one connection, the first page and a late one. */
async function timed(service: Service, queries: readonly [string, string][]): Promise<void> {
  using client = new HttpClient({
    sockets: 1,
    headers: { authorization: `Bearer ${service.token(TENANT, 'VIEWER')}`, 'x-tenant-id': TENANT },
  });
  const get = async (query: string): Promise<{ ms: number; page: Page<Reservation> }> => {
    const { status, text, ms } = await client.call({
      method: 'GET',
      url: `${service.dev.reservationUrl}/api/v1/reservations?${query}`,
    });
    if (status !== 200) throw new Error(`${query}: ${status} ${text.slice(0, 500)}`);
    return { ms, page: JSON.parse(text) };
  };
  const times = async (query: string): Promise<string> => {
    const all: number[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      const { ms } = await get(query);
      if (round >= 0) all.push(ms);
    }
    const { p50, p95 } = percentiles(all);
    return `p50 ${p50}, p95 ${p95} ms${p95 > PROMISED_MS ? ', TOO SLOW' : ''}`;
  };
  for (const [what, query] of queries) {
    const { page } = await get(query);
    const late = await lateCursor(get, query);
    const first = `${await times(query)}, ${page.items.length} items`;
    tell([
      { what: `50 of ${ROWS}: ${what} (${PROMISED_MS} ms promised)`, value: first },
      ...(late === undefined ? [] : [{ what: '  a late page', value: await times(`${query}&cursor=${late}`) }]),
    ]);
  }
}

async function lateCursor(
  get: (query: string) => Promise<{ page: Page<Reservation> }>,
  query: string,
): Promise<string | undefined> {
  let late: string | undefined;
  for (let pages = 0; pages < LATE_PAGES; pages += 1) {
    const { nextCursor } = (await get(`${query}&limit=200${late === undefined ? '' : `&cursor=${late}`}`)).page;
    if (!nextCursor) break;
    late = encodeURIComponent(nextCursor);
  }
  return late;
}

/** Plans of the first pages as EXPLAIN (ANALYZE) tells them, as the application's role and under its policies. */
async function explain(service: Service, queries: readonly [string, string][]): Promise<void> {
  await using database = await openDatabase(embeddedDatabaseUrl(service.dataDir), { poolSize: 2 });
  const reader = databaseReservationReader(database);
  for (const [what, query] of queries) {
    const { limit, cursor: _, ...filter } = listQuery.parse(Object.fromEntries(new URLSearchParams(query)));
    const [lines = []] = await timedPlansOf(database, TENANT, () => reader.list(TENANT, filter, limit));
    console.log(`  ${what}`);
    for (const line of lines) if (!/^ *(Planning|Buffers: shared hit=\d+$)/.test(line)) console.log(`    ${line}`);
  }
}
