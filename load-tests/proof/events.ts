import { join } from 'node:path';
import { Client } from 'pg';

import { eventIdOf } from '../../src/events/contracts/event-id.ts';
import type { RelayRow } from '../../src/events/ports.ts';
import { batchesOf, recordsOf } from '../../src/events/rules/event-records.ts';
import { addressKey } from '../../src/kernel/rules/caller.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { Launched } from '../../test/blackbox/launched.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { type Services, startServices } from '../../test/services/start.ts';
import { type ReadRecord, TopicReader } from '../events/topic-reader.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { emptyTally, keepBooking, type Tally } from './clients.ts';
import { readByOthers } from './event-readers.ts';
import type { ProofResult } from './kills.ts';

const CLIENTS = 24;
const PROPERTIES = 10;
const MANY = 60_000;
const KILLS_OF_EACH = 3;
const DRAINED_WITHIN_MS = 180_000;

/** An event that must be in Kafka, and its position among those of its property. */
type Expected = { eventId: string; key: string; place: number };

/** What a look at all topics found. */
type Looked = { isWhole: boolean; read: number; missing: number; foreign: number; disorder: number };

/**
 * Bookings over HTTP while the service and the broker die by kill -9; then every event of the journal must be in its
 * topic, first occurrences in order per property. Then a restore rewinds the history, and bookings continue: a reader
 * that drops duplicates by eventId misses no new event.
 */
export async function proveEvents(bookings: number): Promise<ProofResult> {
  await using services = await startServices({ only: ['kafka', 'registry'] });
  const service = await Service.start({ ...NO_LIMITS, ...services.env });
  try {
    const properties: BlackboxProperty[] = [];
    for (let n = 0; n < PROPERTIES; n++)
      properties.push(await BlackboxProperty.open(service, { rooms: { DLX: MANY } }));
    const tally = await bookAmongKills(service, services, properties, bookings);
    console.log(
      `${tally.acknowledged.length} bookings acknowledged, ${tally.repeats} repeats, ${tally.strange.length} strange`,
    );
    const killed = await check(service, services, 'after the kills');
    const rewound = await rewind(service, services, properties);
    return {
      held: killed.isWhole && rewound.isWhole && tally.strange.length === 0,
      counts: {
        kills: 2 * KILLS_OF_EACH,
        restores: 1,
        'bookings acknowledged': tally.acknowledged.length,
        // The topics of the second look hold the records of the first.
        'events read by ours and others': rewound.read,
        missing: killed.missing + rewound.missing,
        'of nobody': killed.foreign + rewound.foreign,
        'out of order': killed.disorder + rewound.disorder,
      },
    };
  } finally {
    await service.remove();
  }
}

/** Kills the service and the broker alternately, spread over the bookings. */
async function bookAmongKills(
  service: Service,
  { kafka }: Services,
  properties: readonly BlackboxProperty[],
  bookings: number,
): Promise<Tally> {
  const tally = emptyTally();
  await booking(service, properties, tally, async () => {
    for (let n = 1; n <= 2 * KILLS_OF_EACH; n++) {
      await reached(tally, (n * bookings) / (2 * KILLS_OF_EACH + 1));
      if (n % 2 === 1) {
        await service.killHard();
        await service.up();
      } else {
        await kafka!.kill();
        await pause(1_000);
        await kafka!.start();
      }
      console.log(`kill -9 of the ${n % 2 === 1 ? 'service' : 'broker'} at ${tally.acknowledged.length} bookings`);
    }
    await reached(tally, bookings);
  });
  return tally;
}

async function booking(
  service: Service,
  properties: readonly BlackboxProperty[],
  tally: Tally,
  work: () => Promise<void>,
) {
  const stop = { now: false };
  let round = 0;
  const next = (): BlackboxProperty => properties[round++ % properties.length]!;
  const clients = Array.from({ length: CLIENTS }, () => keepBooking(service, next, tally, stop));
  await work();
  stop.now = true;
  await Promise.all(clients);
}

async function reached({ acknowledged }: Tally, count: number): Promise<void> {
  while (acknowledged.length < count) await pause(20);
}

/** A backup, more bookings, the restore, and bookings that take the same numbers again. */
async function rewind(
  service: Service,
  services: Services,
  properties: readonly BlackboxProperty[],
): Promise<Looked> {
  const backup = join(service.dataDir, 'backups', 'proof');
  const tally = emptyTally();
  await booking(service, properties, tally, async () => {
    await reached(tally, 500);
    await tool(service, 'backup', ['--', '--to', backup]);
    await reached(tally, tally.acknowledged.length + 1_000);
  });
  await service.terminate();
  const before = await everything(services);
  await tool(service, 'restore', ['--', '--from', backup]);
  await service.up();
  await booking(service, properties, tally, () => reached(tally, tally.acknowledged.length + 1_000));
  const seen = new Set(before.map(({ eventId }) => eventId));
  const { expected, read, known } = await readAll(service, services);
  const fresh = expected.filter(({ eventId }) => !seen.has(eventId));
  const again = expected.length - fresh.length;
  console.log(`restored: ${again} events of before have the ids that they had, ${fresh.length} are new`);
  return judged(services, report('after the restore', expected, read, known.union(seen)), read);
}

async function tool(service: Service, script: string, args: string[]): Promise<void> {
  const launched = new Launched({ ...service.env, DATA_DIR: service.dataDir }, script, args);
  if ((await launched.exited) !== 0) throw new Error(`npm run ${script} failed: ${launched.output}`);
}

async function check(service: Service, services: Services, what: string): Promise<Looked> {
  const { expected, read, known } = await readAll(service, services);
  return judged(services, report(what, expected, read, known), read);
}

/** Programs of others must see the same. */
async function judged(services: Services, found: Looked, read: readonly ReadRecord[]): Promise<Looked> {
  const isSeen = await readByOthers(services, read);
  return { ...found, isWhole: found.isWhole && isSeen };
}

/** Expected events by the journals, and the content of the topics, after the relay has finished. */
async function readAll(
  service: Service,
  services: Services,
): Promise<{ expected: Expected[]; read: readonly ReadRecord[]; known: Set<string> }> {
  const database = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await database.connect();
  try {
    await drained(database);
    const expected = await expectedOf(database);
    const read = await everything(services);
    // Prices that follow the market may have moved meanwhile.
    const known = new Set((await expectedOf(database)).map(({ eventId }) => eventId));
    return { expected, read, known };
  } finally {
    await database.end();
  }
}

/** All records in the topics. */
async function everything({ env }: Services): Promise<readonly ReadRecord[]> {
  await using reader = await TopicReader.open(env['KAFKA_BROKERS']!);
  await reader.quiet();
  return reader.records;
}

const WAITING = `
  select count(*)::int as rows from property_actor a
  left join relay_cursor c using (tenant_id, property_id) where a.seq > coalesce(c.seq, 0)`;

async function drained(database: Client): Promise<void> {
  const until = performance.now() + DRAINED_WITHIN_MS;
  while ((await database.query<{ rows: number }>(WAITING)).rows[0]!.rows > 0) {
    if (performance.now() > until) throw new Error('the relay does not come to its end');
    await pause(100);
  }
}

const JOURNAL = `
  select j.seq::int, (extract(epoch from j.at) * 1000)::float8 as at, j.type, j.request_id as "requestId", j.entity, j.facts,
    generation_of(j.tenant_id, j.property_id, j.seq, a.generation) as generation
  from journal j join property_actor a using (tenant_id, property_id)
  where j.tenant_id = $1 and j.property_id = $2 order by j.seq`;

/** Events of the database's journals: the same function as the relay's, over all commits. */
async function expectedOf(database: Client): Promise<Expected[]> {
  const { rows: actors } = await database.query<{ tenantId: string; propertyId: string }>(
    'select tenant_id as "tenantId", property_id as "propertyId" from property_actor',
  );
  const all: Expected[] = [];
  for (const to of actors) {
    const { rows } = await database.query<RelayRow>(JOURNAL, [to.tenantId, to.propertyId]);
    const records = batchesOf(rows).flatMap((batch) =>
      recordsOf({ ...to, generation: batch[0]!.generation }, batch, eventIdOf),
    );
    all.push(...records.map(({ value }, place) => ({ eventId: value.eventId, key: addressKey(to), place })));
  }
  return all;
}

/** @param known ids that may be in the topics: those of the journals, and those that the restore removed */
function report(
  what: string,
  expected: readonly Expected[],
  read: readonly ReadRecord[],
  known: ReadonlySet<string>,
): Looked {
  const places = new Map(expected.map((one) => [one.eventId, one]));
  const seen = new Set<string>();
  const reached = new Map<string, number>();
  let foreign = 0;
  let disorder = 0;
  let wrongKey = 0;
  const inOrder = read.toSorted((a, b) => a.partition - b.partition || a.offset - b.offset);
  for (const { eventId, topic, key } of inOrder) {
    const one = places.get(eventId);
    if (!known.has(eventId)) foreign += 1;
    if (!one || seen.has(eventId)) continue;
    seen.add(eventId);
    if (one.key !== key) wrongKey += 1;
    const lane = `${topic} ${key}`;
    if (one.place < (reached.get(lane) ?? -1)) disorder += 1;
    reached.set(lane, one.place);
  }
  const missing = expected.length - seen.size;
  const twice = read.length - new Set(read.map(({ eventId }) => eventId)).size;
  console.log(`${what}: ${expected.length} events of the journals, ${read.length} records in the topics`);
  console.log(
    `  missing ${missing}, of nobody ${foreign}, first occurrences out of order ${disorder}, wrong key ${wrongKey}`,
  );
  console.log(`  published more than once (declared: what a crash leaves unnoted) ${twice}`);
  const isWhole = missing === 0 && foreign === 0 && disorder === 0 && wrongKey === 0;
  return { isWhole, read: read.length, missing, foreign, disorder };
}
