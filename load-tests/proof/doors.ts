import { Client } from 'pg';

import { eventIdOf } from '../../src/events/contracts/event-id.ts';
import type { RelayRow } from '../../src/events/ports.ts';
import { batchesOf, recordsOf } from '../../src/events/rules/event-records.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { webhooksOf } from '../../test/blackbox/groups/webhooks.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { Receiver } from '../../test/blackbox/webhook-receiver.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { emptyTally, keepBooking, type Tally } from './clients.ts';
import { DoorsChannels } from './doors-channels.ts';

const CLIENTS = 16;
const PROPERTIES = 10;
const MANY = 60_000;
const KILLS_OF_EACH = 4;
const AWAY_MS = 1_500;
const CAUGHT_UP_WITHIN_MS = 600_000;
const TOPICS = ['reservation.created', 'reservation.modified', 'availability.updated'];

const JOURNAL = `
  select j.seq::int, (extract(epoch from j.at) * 1000)::float8 as at, j.type, j.request_id as "requestId", j.entity, j.facts,
    generation_of(j.tenant_id, j.property_id, j.seq, a.generation) as generation
  from journal j join property_actor a using (tenant_id, property_id)
  where j.tenant_id = 'demo' and j.property_id = $1 order by j.seq`;

/**
 * Bookings over HTTP while the service, the receiver of a webhook and a channel are killed one after the other: every event of the
 * journals must arrive, the first of each in order per property, and each channel must have what its property has.
 */
export async function proveDoors(bookings: number): Promise<boolean> {
  const service = await Service.start({
    ...NO_LIMITS,
    DEMO: 'empty',
    WEBHOOK_ALLOW_PRIVATE: '1',
    CHANNEL_ALLOW_PRIVATE: '1',
  });
  const receiver = await Receiver.open();
  const channels = await DoorsChannels.open(service);
  try {
    const call = webhooksOf(service);
    const body = { url: receiver.url, events: TOPICS };
    // Before the properties: it has all of their journals.
    const { webhookId } = must(await call('POST', '', { body }), 201).json;
    const properties: BlackboxProperty[] = [];
    for (let n = 0; n < PROPERTIES; n++)
      properties.push(await BlackboxProperty.open(service, { rooms: { DLX: MANY } }));
    for (const property of properties) await channels.connect(property);
    const tally = await bookAmongKills({ service, receiver, channels }, properties, bookings);
    const began = performance.now();
    const { requests } = receiver;
    await until('nothing is behind', CAUGHT_UP_WITHIN_MS, async () => {
      const { behind } = must(await call('GET', `/${webhookId}`), 200).json;
      return behind === 0 || undefined;
    });
    const seconds = (performance.now() - began) / 1_000;
    console.log(
      `${tally.acknowledged.length} bookings acknowledged, ${tally.strange.length} strange; ` +
        `caught up ${receiver.requests - requests} requests in ${seconds.toFixed(1)} s after the last one`,
    );
    const isSame = await channels.isWhole();
    return (await isWhole(service, receiver, properties)) && isSame && tally.strange.length === 0;
  } finally {
    await channels[Symbol.asyncDispose]();
    await receiver.kill();
    await service.remove();
  }
}

type Killed = { service: Service; receiver: Receiver; channels: DoorsChannels };
const VICTIMS = ['service', 'receiver', 'channel'] as const;

/** Kills the service, the receiver and the channel one after the other, spread over the bookings. */
async function bookAmongKills(
  { service, receiver, channels }: Killed,
  properties: readonly BlackboxProperty[],
  bookings: number,
): Promise<Tally> {
  const tally = emptyTally();
  const stop = { now: false };
  let round = 0;
  const next = (): BlackboxProperty => properties[round++ % properties.length]!;
  const clients = Array.from({ length: CLIENTS }, () => keepBooking(service, next, tally, stop));
  const kills = VICTIMS.length * KILLS_OF_EACH;
  for (let n = 1; n <= kills; n++) {
    while (tally.acknowledged.length < (n * bookings) / (kills + 1)) await pause(20);
    const victim = VICTIMS[n % VICTIMS.length]!;
    if (victim === 'service') {
      await service.killHard();
      await service.up();
    } else if (victim === 'receiver') {
      await receiver.kill();
      await pause(AWAY_MS);
      await receiver.begin();
    } else await channels.away();
    console.log(`kill -9 of the ${victim} at ${tally.acknowledged.length} bookings`);
  }
  while (tally.acknowledged.length < bookings) await pause(20);
  stop.now = true;
  await Promise.all(clients);
  return tally;
}

/** Compares what the receiver has with the events of the journals: the same function as the sender's. */
async function isWhole(
  service: Service,
  receiver: Receiver,
  properties: readonly BlackboxProperty[],
): Promise<boolean> {
  const database = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await database.connect();
  const found = { expected: 0, missing: 0, disorder: 0 };
  try {
    for (const { propertyId } of properties) {
      const { rows } = await database.query<RelayRow>(JOURNAL, [propertyId]);
      const records = batchesOf(rows).flatMap((batch) =>
        recordsOf({ tenantId: 'demo', propertyId, generation: batch[0]!.generation }, batch, eventIdOf),
      );
      const ids = records.filter(({ topic }) => TOPICS.includes(topic)).map(({ value }) => value.eventId);
      const places = new Map(ids.map((id, place) => [id, place]));
      const taken = receiver.of(propertyId).map(({ id }) => places.get(id) ?? -1);
      found.expected += ids.length;
      found.missing += ids.length - new Set(taken.filter((place) => place >= 0)).size;
      found.disorder += taken.filter((place, n) => n > 0 && place < taken[n - 1]!).length;
    }
  } finally {
    await database.end();
  }
  const { expected, missing, disorder } = found;
  console.log(`${expected} events of the journals, ${receiver.taken.length} messages taken`);
  console.log(`  missing ${missing}, first occurrences out of order ${disorder}`);
  return expected > 0 && missing === 0 && disorder === 0;
}
