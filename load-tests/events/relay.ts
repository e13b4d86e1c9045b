import { Relay } from '../../src/events/jobs/relay.ts';
import { relayEvents } from '../../src/events/operations/relay-events.ts';
import { AvroCodec } from '../../src/events/partners/avro-codec.ts';
import { KafkaSender } from '../../src/events/partners/kafka-sender.ts';
import { RegistryClient } from '../../src/events/partners/registry-client.ts';
import { databaseOutbox } from '../../src/events/storage/outbox.ts';
import { businessDate } from '../../src/kernel/rules/property-time.ts';
import { connect } from '../../src/platform/database/connection.ts';
import { kafkaClient } from '../../src/platform/messaging/kafka-client.ts';
import { quiet } from '../../src/testing/actors/running-host.ts';
import { WHOLE } from '../../src/testing/cluster/whole-partition.ts';
import { startDatabase } from '../../src/testing/database.ts';
import { Actors, type Party, TENANT } from '../actor/contenders.ts';
import { drive } from '../actor/drive.ts';
import { stallsDuring } from '../actor/stalls.ts';
import { figuresText } from '../first/figures.ts';

const PROPERTIES = 20;
const CALLERS = 64;
const SECONDS = 8;
const AT_MOST_MS = 120_000;

const today = businessDate(Date.now(), { timezone: 'Europe/Berlin', nightAuditHour: 3 });

/**
 * Throughput of the relay alone over an unpublished journal, in this process; needs running KAFKA_BROKERS and registry.
 */
async function bench(): Promise<void> {
  await using database = await startDatabase();
  await using actors = await Actors.open(database.url);
  const parties: Party[] = [];
  for (let n = 0; n < PROPERTIES; n++) parties.push(actors.party(await actors.property(`house-${n}`, today, ['A'])));
  await drive(CALLERS, SECONDS, (n) =>
    parties[n % PROPERTIES]!.book({ roomType: 'A', checkIn: today + 1 + ((n * 37) % 360) }),
  );
  const system = await connect(database.url, 'innkeeper_system');
  const queue = databaseOutbox(async () => system, WHOLE);
  await using sender = new KafkaSender(kafkaClient(process.env['KAFKA_BROKERS']!.split(','), quiet));
  const codec = new AvroCodec(new RegistryClient(process.env['SCHEMA_REGISTRY_URL']!));
  const relaying = { queue, codec, sender };
  // The first events create their topics and register their schemas.
  await untilSent(() => relayEvents(relaying, [{ tenantId: TENANT, propertyId: 'house-0' }]));
  await using relay = new Relay({
    relay: (of) => relayEvents(relaying, of),
    behind: (limit) => queue.behind(limit),
    mayWork: () => true,
    now: () => Date.now(),
    log: quiet,
  });
  const waits = (await queue.behind(1_000)).filter(({ to }) => to.tenantId === TENANT);
  const rows = waits.reduce((sum, one) => sum + one.rows, 0);
  const before = process.cpuUsage();
  const began = performance.now();
  const stalls = await stallsDuring(async () => {
    relay.begin();
    while ((await queue.behind(1)).length > 0 && performance.now() - began < AT_MOST_MS)
      await new Promise((later) => setTimeout(later, 100));
  });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system: kernel } = process.cpuUsage(before);
  const { sent } = relay.figures;
  figuresText([
    {
      what: 'relay alone, a journal that has waited (10,000/s promised)',
      value: `${Math.round(sent / seconds)} events/s`,
    },
    { what: '  rows and events, and how long', value: `${rows} and ${sent}, ${seconds.toFixed(1)} s` },
    { what: '  CPU of an event', value: `${((user + kernel) / sent).toFixed(0)} us` },
    { what: '  the loop stands still meanwhile', value: `${stalls.longest} ms at most, p99 ${stalls.p99} ms` },
  ]);
  await system.end();
}

/** Brokers need a moment to elect leaders of new topics. */
async function untilSent(send: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await send();
      return;
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((later) => setTimeout(later, 500));
    }
}

await bench();
