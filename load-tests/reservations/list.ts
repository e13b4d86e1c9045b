import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

import { nextCursor } from '../../src/kernel/operations/cursor.ts';
import { SignedText } from '../../src/kernel/operations/signed-text.ts';
import type { PagePosition } from '../../src/kernel/ports.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { listQuery } from '../../src/stay/contracts/reservations.ts';
import { databaseReservationReader } from '../../src/stay/storage/reservation-reader.ts';
import { plansOf, timedPlansOf } from '../../src/testing/plans.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Page, Reservation } from '../../test/blackbox/shapes.ts';
import { HttpClient } from '../client/http.ts';
import { percentiles } from '../client/latencies.ts';
import { threadCpuMs } from '../first/cpu-time.ts';
import { middle, figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { type Asked, lists } from './lists.ts';
import { ManyReservations, withoutIndexes } from './many.ts';

/** `LIST_ROWS=100000` for a quick run. */
const ROWS = Number(process.env.LIST_ROWS ?? 1_000_000);
const PROPERTIES = 20;

/** Rows of another tenant in the same table. */
const ROWS_BESIDE = ROWS / 20;
const WARM_UPS = 5;
const ROUNDS = 40;
const CPU_ROUNDS = 9;

/** A slow list is requested fewer times, so that the benchmark ends. */
const MAX_MS_A_PAGE = 1_500;
const PROMISED_MS = 20;

/** A late page has at least as many reservations after it as it shows itself. */
const PAGE = 50;
const TENANT = 'demo';

/** With `LIST_PLANS=1` slow pages are explained in full. */
const EXPLAINED = process.env.LIST_PLANS === '1';

/** A page of 50 of a million reservations, by each filter, and the indexes that the database used. */
export async function benchList(): Promise<void> {
  const key = { id: 'bench', secret: randomBytes(32) };
  const SECRET_KEYS = `${key.id}:${key.secret.toString('base64')}`;
  const service = await Service.start({ ...NO_LIMITS, SECRET_KEYS });
  const admin = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  try {
    await admin.connect();
    const many = await loaded(service, admin);
    await using database = await openDatabase(embeddedDatabaseUrl(service.dataDir), { poolSize: 1 });
    const reader = databaseReservationReader(database);
    const signed = new SignedText([key]);
    using client = new HttpClient({
      sockets: 1,
      headers: { authorization: `Bearer ${service.token(TENANT, 'VIEWER')}`, 'x-tenant-id': TENANT },
    });
    const url = `${service.dev.reservationUrl}/api/v1/reservations`;
    console.log(`  over HTTP on one connection, ${PROMISED_MS} ms promised; CPU of the database for one page; index`);
    for (const list of lists(many, ROWS)) {
      const { limit, cursor: _, ...filter } = listQuery.parse(Object.fromEntries(new URLSearchParams(list.query)));
      const late = await latePosition(admin, list);
      for (const after of late ? [undefined, late] : [undefined]) {
        const which = after ? 'late' : 'first';
        const cursor = after ? `&cursor=${encodeURIComponent(nextCursor(signed, after)!)}` : '';
        const { shown, p95 } = await timed(client, `${url}?${list.query}${cursor}`);
        const ask = () => reader.list(TENANT, filter, limit, after);
        const cpu = await databaseCpu(database, ask);
        figuresText([
          { what: `${list.what}, ${which}`, value: `${shown}, ${cpu} ms of CPU, ${await indexesOf(database, ask)}` },
        ]);
        if (EXPLAINED && p95 > PROMISED_MS)
          for (const line of (await timedPlansOf(database, TENANT, ask)).flat()) console.log(`      ${line}`);
      }
    }
  } finally {
    await admin.end();
    await service.remove();
  }
}

/** The reservations of {@link TENANT}, in a table that has another tenant's too. */
async function loaded(service: Service, admin: Client): Promise<ManyReservations> {
  const began = performance.now();
  const progress = (what: string): void =>
    console.error(`  ${Math.round((performance.now() - began) / 1000)} s: ${what}`);
  const model = await (await BlackboxProperty.open(service)).booked({ nights: 3 });
  const properties = Array.from({ length: PROPERTIES }, (_, n) => `house-${n}`);
  const many = new ManyReservations({ tenant: TENANT, rows: ROWS, properties, mark: 'A' });
  const beside = new ManyReservations({ tenant: 'rival', rows: ROWS_BESIDE, properties: ['rival-1'], mark: 'B' });
  const load = async (): Promise<void> => {
    await many.load(admin, model, (rows) => progress(`${rows} reservations of ${ROWS}`));
    await beside.load(admin, model, (rows) => progress(`${rows} of another tenant`));
    figuresText([
      {
        what: `${ROWS + ROWS_BESIDE} reservations and payments by COPY`,
        value: `${Math.round((performance.now() - began) / 1000)} s`,
      },
    ]);
  };
  await withoutIndexes(admin, load, progress);
  return many;
}

/** Position after which almost the last full page begins; none for a list of one page. */
async function latePosition(admin: Client, { where }: Asked): Promise<PagePosition | undefined> {
  const { rows } = await admin.query<{ at: number; id: string }>(
    `select (extract(epoch from created_at) * 1000)::float8 as at, id from reservations
     where tenant_id = '${TENANT}' and deleted_at is null and ${where}
     order by created_at, id offset ${PAGE} limit 1`,
  );
  const [last] = rows;
  return last && { createdAt: last.at, id: last.id };
}

/** Over HTTP on one connection. */
async function timed(client: HttpClient, url: string): Promise<{ shown: string; p95: number }> {
  const times: number[] = [];
  let items = 0;
  const until = performance.now() + MAX_MS_A_PAGE;
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const { status, text, ms } = await client.call({ method: 'GET', url });
    if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 500)}`);
    items = (JSON.parse(text) as Page<Reservation>).items.length;
    if (round >= 0) times.push(ms);
    if (performance.now() > until && round > 2) break;
  }
  const { p50, p95 } = percentiles(times);
  const shown = `${items} items, p50 ${p50}, p95 ${p95} ms${p95 > PROMISED_MS ? ` (over ${PROMISED_MS})` : ''}`;
  return { shown, p95 };
}

/**
 * Server CPU of a page on the one connection of `database`, which other load on the machine does not change; the median
 * of some.
 */
async function databaseCpu(database: Database, ask: () => Promise<unknown>): Promise<number> {
  const [backend] = (await database.readTenant(TENANT, (em) =>
    em.execute('select pg_backend_pid() as pid'),
  )) as unknown as { pid: number }[];
  const times: number[] = [];
  for (let round = 0; round < CPU_ROUNDS; round += 1) {
    const before = threadCpuMs(backend!.pid);
    await ask();
    times.push(threadCpuMs(backend!.pid) - before);
  }
  return Math.round(middle(times) * 10) / 10;
}

/** Indexes of `reservations` that EXPLAIN names, as the application's role under row security. */
async function indexesOf(database: Database, ask: () => Promise<unknown>): Promise<string> {
  const { indexes } = await plansOf(database, TENANT, ask);
  const names = new Set(indexes.filter((name) => name.startsWith('reservations_') && name !== 'reservations_pkey'));
  return [...names].map((name) => name.replace('reservations_', '')).join(' and ') || 'no index';
}
