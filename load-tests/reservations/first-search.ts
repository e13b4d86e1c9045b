import { Client } from 'pg';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { postgresPid } from '../../test/blackbox/launched.ts';
import { must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { type Chain, chainToday, seedPricedChain } from '../chain.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { at } from './bookings.ts';
import { chainBookings } from './chain-search.ts';

/** Properties of the tenant, as a list with commas. */
const SIZES = (process.env.CHAIN_SIZES ?? '200,500,1000').split(',').map(Number);
/** As in the growth report. */
const NIGHTS = 90;
/** Work of a start that is no search's. */
const SETTLED_MS = 5_000;
const BOOKED = { properties: 20, perSecond: 20, connections: 16, seconds: 8 };
/** Jobs of each day, which would otherwise run beside what is measured. */
const DAILY_JOBS = ['CHARGE_DUES', 'LEARN_DEMAND', 'NIGHT_AUDIT'];

/**
 * The first search of a tenant after a start, by the number of its properties, none of which is resident; the last size
 * again beside bookings.
 */
export async function benchFirstSearch(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  const restart = async (): Promise<void> => {
    await service.terminate();
    await service.up();
    await pause(SETTLED_MS);
  };
  try {
    let chain: Chain | undefined;
    let properties = 0;
    for (const size of SIZES) {
      chain = { tenantId: 'demo', prefix: `first-${size}`, properties: size - properties, nights: NIGHTS };
      await seeded(service, chain);
      properties = size;
      await restart();
      figuresText([{ what: `first search over ${size} properties`, value: await firstSearch(service, size) }]);
    }
    if (!chain) return;
    await restart();
    const warm = await booked(service, chain);
    const alone = await booked(service, chain);
    const [beside, search] = await Promise.all([booked(service, chain), firstSearch(service, properties)]);
    figuresText([
      { what: `${BOOKED.perSecond} bookings a second, just started`, value: warm },
      { what: 'then', value: alone },
      { what: 'beside a first search', value: beside },
      { what: 'that search', value: search },
    ]);
  } finally {
    await service.remove();
  }
}

async function seeded(service: Service, chain: Chain): Promise<void> {
  const admin = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await admin.connect();
  await seedPricedChain(admin, chain);
  await admin.query(
    `insert into daily_jobs (tenant_id, property_id, job, date)
     select p.tenant_id, p.property_id, job, current_date + days
     from properties p, unnest($1::text[]) job, generate_series(-2, 1) days on conflict do nothing`,
    [DAILY_JOBS],
  );
  await admin.end();
}

async function booked(service: Service, chain: Chain): Promise<string> {
  const { properties, ...load } = BOOKED;
  const { body, ...requests } = chainBookings({ ...chain, properties: Math.min(properties, chain.properties) });
  const named = body!.map((text) => text.replaceAll('{load}', String(performance.now())));
  const target = at(service, service.dev.reservationUrl);
  const headers = { ...target.headers, 'idempotency-key': `first-${performance.now()}-{n}` };
  const { ms, statuses } = await pumpApart({ ...target, ...requests, headers, body: named, ...load });
  return `p50 ${ms.p50}, p99 ${ms.p99} ms, answers ${JSON.stringify(statuses)}`;
}

async function firstSearch(service: Service, size: number): Promise<string> {
  const url = `${service.dev.reservationUrl}/api/v1/availability/search`;
  const stay = { checkIn: formatDay(chainToday + 20), checkOut: formatDay(chainToday + 22), adults: 2 };
  const postgres = postgresPid(service.dataDir) ?? 0;
  const before = { at: performance.now(), service: cpuMs(service.dev.pid), postgres: cpuMsOfFamily(postgres) };
  for (;;) {
    const answer = await service.call<{ items: unknown[] }>('POST', url, { body: stay });
    if (answer.status !== 503) {
      must(answer, 200);
      break;
    }
    await pause(50);
  }
  const ms = performance.now() - before.at;
  const own = cpuMs(service.dev.pid) - before.service;
  const theirs = cpuMsOfFamily(postgres) - before.postgres;
  return `${Math.round(ms)} ms; of each property ${(ms / size).toFixed(2)} ms, CPU ${(own / size).toFixed(2)} + ${(theirs / size).toFixed(2)} ms`;
}
