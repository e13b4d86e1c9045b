import { Client } from 'pg';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { middle, figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { at, bookings, type Steady, steady } from '../reservations/bookings.ts';
import { TopicReader } from './topic-reader.ts';

const PROPERTIES = 20;
const PER_SECOND = 300;
/** Bookings that make 1,000 events a second: one makes 7, a reservation, and three nights held and sold. */
const FOR_A_THOUSAND = 143;
const ROUNDS = 3;
const DRAINED_WITHIN_MS = 60_000;

type Party = { service: Service; properties: BlackboxProperty[] };

/**
 * Bookings over HTTP with and without Kafka, alternating in one run, and the delay of their events: until the lag is 0
 * again, and from commit to a reader of the topics.
 */
export async function benchBeside(env: Record<string, string>): Promise<void> {
  const without = await open({});
  const beside = await open(env);
  try {
    const p95: { without: number[]; beside: number[] } = { without: [], beside: [] };
    let drained = 0;
    for (let round = 0; round < ROUNDS; round++) {
      p95.without.push((await book(without, PER_SECOND)).ms.p95);
      p95.beside.push((await book(beside, PER_SECOND)).ms.p95);
      drained = Math.max(drained, await drain(beside));
    }
    const alone = middle(p95.without);
    const sent = middle(p95.beside);
    const ratio = (sent / alone).toFixed(2);
    await using reader = await TopicReader.open(env['KAFKA_BROKERS']!);
    await reader.quiet();
    const from = Date.now();
    const report = await book(beside, FOR_A_THOUSAND);
    await drain(beside);
    await reader.quiet();
    const fresh = reader.records.filter(({ timestamp }) => timestamp >= from);
    const { p50, p99 } = percentiles(fresh.map(({ receivedAt, timestamp }) => receivedAt - timestamp));
    const seconds = report.inAll.requests / FOR_A_THOUSAND;
    figuresText([
      {
        what: `paid booking, ${PER_SECOND} a second, p95 with Kafka (1.3 times promised)`,
        value: `${ratio} times: ${p95.beside.join(', ')} ms beside ${p95.without.join(', ')} ms`,
      },
      { what: '  lag back to 0 afterwards (5 s promised)', value: `${(drained / 1000).toFixed(1)} s at most` },
      {
        what: 'commit to reader, p99 at 1,000 events/s (250 ms promised)',
        value: `p50 ${p50}, p99 ${p99} ms, ${fresh.length} events at ${Math.round(fresh.length / seconds)}/s`,
      },
    ]);
  } finally {
    await Promise.all([without, beside].map(({ service }) => service.remove()));
  }
}

async function open(env: Record<string, string>): Promise<Party> {
  const service = await Service.start({ ...NO_LIMITS, ...env });
  const properties: BlackboxProperty[] = [];
  for (let n = 0; n < PROPERTIES; n++)
    properties.push(await BlackboxProperty.open(service, { rooms: { DLX: 20_000 }, policies: { taxPercent: 6 } }));
  return { service, properties };
}

function book({ service, properties }: Party, perSecond: number): Promise<Steady> {
  return steady({ ...at(service, service.dev.reservationUrl), ...bookings(properties) }, perSecond);
}

/** Waits until the relay has published everything; returns milliseconds. */
async function drain({ service }: Party): Promise<number> {
  const began = performance.now();
  const database = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await database.connect();
  try {
    while (performance.now() - began < DRAINED_WITHIN_MS) {
      if ((await lagOf(database)) === 0) return performance.now() - began;
      await pause(50);
    }
  } finally {
    await database.end();
  }
  throw new Error('the relay does not come to an end');
}

const LAG = `
  select coalesce(sum(a.seq - coalesce(c.seq, 0)), 0)::int as rows
  from property_actor a left join relay_cursor c using (tenant_id, property_id)`;

/** Unpublished rows, from the database itself: the metric lags a little. */
async function lagOf(database: Client): Promise<number> {
  return (await database.query<{ rows: number }>(LAG)).rows[0]!.rows;
}
