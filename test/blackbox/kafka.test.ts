import t, { type Test } from 'tap';

import { loadKafkaJs } from '../../src/platform/messaging/kafkajs.ts';
import { isNightly } from '../loop/nightly.ts';
import { ownServicesOrSkip } from '../services/needed.ts';
import { type ReadRecord, readTopics } from '../services/reader.ts';
import type { Services } from '../services/start.ts';
import { kafkaExample } from './kafka-example.ts';
import { BlackboxProperty, must } from './property.ts';
import { RunbookPage } from './runbook-page.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

/** Topics that the service publishes (docs/reference/events.md#topics). */
/** A broker that goes away, one that says nothing, and a property that is tried again after half a minute. */
t.setTimeout(360_000);

const PUBLISHED = [
  'rate.updated',
  'promotion.created',
  'availability.updated',
  'reservation.created',
  'reservation.modified',
  'reservation.cancelled',
  'guest.checkedin',
  'guest.checkedout',
];
const { ConfigResourceTypes, Kafka, logLevel } = loadKafkaJs();
const DRAINED_MS = 60_000;
/** Bytes of the largest batch that a topic takes: none, and Kafka's own default. */
const LESS_THAN_A_RECORD = 64;
const A_RECORD = 1_048_588;

type Health = { status: string; components: Record<string, { status: string; details?: Record<string, unknown> }> };

/** What is in the topics of a property, as somebody else reads it: neither kafkajs nor avsc. */
async function recordsOf(property: BlackboxProperty, { env }: Services): Promise<ReadRecord[]> {
  const at = { kafka: env['KAFKA_BROKERS']!, registry: env['SCHEMA_REGISTRY_URL']! };
  const all: ReadRecord[] = [];
  for await (const record of readTopics(at, PUBLISHED))
    if (record.key === `demo:${property.propertyId}`) all.push(record);
  return all;
}

async function healthOf(service: Service): Promise<Health> {
  const answer = await fetch(`${service.dev.reservationUrl}/actuator/health`);
  return (await answer.json()) as Health;
}

/** Consumers may have noticed before producers. */
function relayMisses({ components: { kafka } }: Health): boolean {
  return kafka?.status === 'DOWN' && kafka.details?.['error'] !== undefined;
}

async function published(service: Service): Promise<void> {
  await until('everything is published', DRAINED_MS, async () => {
    const kafka = (await healthOf(service)).components['kafka'];
    // Looked at every 2 s: two looks that both find nothing have seen what was there before the first.
    if (kafka?.status !== 'UP' || kafka.details?.['rowsBehind'] !== 0) return undefined;
    await new Promise((later) => setTimeout(later, 2_500));
    return (await healthOf(service)).components['kafka']?.details?.['rowsBehind'] === 0 ? true : undefined;
  });
}

const seqOf = ({ headers }: ReadRecord): number => Number(headers['seq']);

async function suite(parts: Services): Promise<void> {
  const service = await Service.start({ ...parts.env }, { isWatched: true });
  t.teardown(() => service.remove());
  const property = await BlackboxProperty.open(service, { rooms: { STD: 500, DLX: 500 } });

  await t.test('a stranger reads every topic', (t) => everyTopic(t, parts, service));
  await t.test('the example of a consumer', (t) => kafkaExample(t, parts, service));
  await t.test('the page of events shows what is sent', (t) => samePage(t, parts, service, property));
  await t.test('bookings go on without a broker, and their events come when it is back', (t) =>
    withoutBroker(t, parts, service, property),
  );
  await t.test('RelayStopped: a topic takes no record of a property', (t) =>
    relayStopped(t, parts, service, property),
  );
  await t.test('a killed service publishes what it had committed, in order', (t) =>
    killed(t, parts, service, property),
  );
  if (!isNightly()) return;
  await t.test('a broker that says nothing holds up neither bookings nor the end', (t) =>
    silentBroker(t, parts, service, property),
  );
  await t.test('events wait for a registry', (t) => withoutRegistry(t, parts, service, property));
}

async function everyTopic(t: Test, parts: Services, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 5, DLX: 5 } });
  const { propertyId } = property;
  const put = (path: string, body: unknown) => service.tenants('POST', `/properties/${propertyId}${path}`, { body });
  must(await put('/rooms', { roomNumber: '101', roomType: 'STD', floor: 1 }), 201);
  must(await property.price('DLX', 10, 2, 250), 200);
  const discount = { type: 'PERCENTAGE', value: 10 };
  const validity = { startDate: property.day(0), endDate: property.day(30) };
  const promotion = { propertyId, promotionName: 'Autumn', discount, validity };
  const { promoCode } = must(
    await service.rates<{ promoCode: string }>('POST', '/promotional', { body: promotion }),
    201,
  ).json;
  const guest = {
    firstName: 'Kafka',
    lastName: 'Reader',
    email: 'kafka.reader@example.com',
    phone: '+49 30 5550199',
  };
  const stay = await property.booked({ from: 0, nights: 1, roomType: 'STD', guest });
  const { reservationId } = stay;
  const checkIn = { identificationVerified: true, keyCards: 1 };
  must(await service.reservations('POST', `/${reservationId}/checkin`, { body: checkIn }), 200);
  must(await service.reservations('POST', `/${reservationId}/checkout`, { body: {} }), 200);
  const other = await property.booked({ from: 20, nights: 2, guest });
  const later = { modifications: { stayDetails: { checkOut: property.day(23) } } };
  must(await service.reservations('PUT', `/${other.reservationId}`, { body: later }), 200);
  must(await service.reservations('DELETE', `/${other.reservationId}`, { body: {} }), 200);
  await published(service);
  const records = await recordsOf(property, parts);
  const of = (topic: string): ReadRecord[] => records.filter((record) => record.topic === topic);
  t.same([...new Set(records.map(({ topic }) => topic))].toSorted(), PUBLISHED.toSorted());
  t.same(
    records.filter(({ error }) => error !== undefined),
    [],
    'each is Avro of a registered schema',
  );
  for (const { topic, headers, value } of records) {
    t.match(headers, { tenantId: 'demo', propertyId, seq: /^\d+$/, generation: '1', requestId: /./ }, topic);
    const eventType = topic.toUpperCase().replaceAll('.', '_');
    const version = topic === 'reservation.created' ? 2 : 1;
    t.match(value, { eventId: /^[0-9a-f-]{36}$/, eventType, timestamp: Number, version, tenantId: 'demo' }, topic);
  }
  t.match(of('promotion.created')[0]?.value, { promoCode, discount: { type: 'PERCENTAGE', value: '10.00' } });
  t.match(of('guest.checkedin')[0]?.value, { reservationId, roomNumber: '101' });
  t.match(of('guest.checkedout')[0]?.value, { reservationId, finalAmount: stay.financial.totalAmount.toFixed(2) });
  t.match(
    of('reservation.modified').map(({ value }) => value),
    { length: /./ },
  );
  t.match(of('reservation.cancelled')[0]?.value, { reservationId: other.reservationId, reason: 'GUEST_REQUEST' });
  const created = of('reservation.created').find(({ value }) => value?.['reservationId'] === reservationId)?.value;
  t.match(created, {
    propertyId,
    roomTypeId: 'STD',
    roomType: 'STD',
    checkInDate: property.day(0),
    checkIn: property.day(0),
    totalAmount: stay.financial.totalAmount.toFixed(2),
    status: 'CONFIRMED',
    numberOfGuests: 2,
    currency: 'EUR',
  });
  const rates = of('rate.updated').filter(({ value }) => value?.['newRate'] === '250.00');
  t.same(rates.map(({ value }) => String(value?.['effectiveDate'])).toSorted(), [property.day(10), property.day(11)]);
  for (const topic of PUBLISHED) {
    const seqs = of(topic).map(seqOf);
    t.same(
      seqs,
      seqs.toSorted((a, b) => a - b),
      `${topic} is in order`,
    );
  }
  t.notMatch(JSON.stringify(records), /Reader|kafka\.reader|5550199/, 'nobody is named');
}

type Shown = { items: { topic: string; headers: Record<string, string>; value: { eventId: string } }[] };

async function samePage(t: Test, parts: Services, service: Service, property: BlackboxProperty): Promise<void> {
  await property.booked({ from: 40, nights: 1 });
  await published(service);
  const url = `${service.dev.reservationUrl}/dev/events?propertyId=${property.propertyId}&limit=200`;
  const { items } = must(await service.call<Shown>('GET', url), 200).json;
  const records = await recordsOf(property, parts);
  const ids = new Set(records.map(({ value }) => value?.['eventId']));
  t.ok(items.length > 0);
  t.same(
    items.filter(({ value }) => !ids.has(value.eventId)),
    [],
  );
}

async function withoutBroker(t: Test, parts: Services, service: Service, property: BlackboxProperty): Promise<void> {
  const page = new RunbookPage(t, service, 'KafkaDown');
  const behind = new RunbookPage(t, service, 'RelayBehind');
  await parts.kafka!.kill();
  const booked: string[] = [];
  for (let n = 0; n < 30; n++) booked.push((await property.booked({ from: n, nights: 1 })).reservationId);
  const { status, components } = await until('the broker is missed', 30_000, async () => {
    const health = await healthOf(service);
    return relayMisses(health) ? health : undefined;
  });
  t.equal(status, 'UP', 'the service is well without it');
  t.match(components['kafka'], { details: { error: /brokers cannot be reached/, rowsBehind: Number } });
  const looked = 'curl -s $RESERVATION/actuator/health/kafka';
  await page.shows(/"error":".*brokers cannot be reached.*"rowsBehind":[1-9]/, () => page.shell(looked));
  t.equal(await page.figureIs('health_kafka', (value) => value === 0), 0);
  const level = { headers: {}, authorization: `Bearer ${service.dev.operatorToken}`, tenantHeader: null };
  const louder = 'POST /actuator/loggers/relay {"configuredLevel":"DEBUG"}';
  t.equal((await page.request(louder, {}, { ...level, body: { configuredLevel: 'DEBUG' } })).status, 204);
  t.ok((await behind.figureIs('relay_oldest_age', (seconds) => seconds > 0)) > 0);
  t.match(await behind.shell(looked), /"rowsBehind":[1-9]/);
  await parts.kafka!.start();
  await published(service);
  t.equal(await page.figureIs('health_kafka', (value) => value === 1), 1);
  t.equal(await behind.figureIs('relay_oldest_age', (seconds) => seconds === 0), 0);
  await sameOrder(t, await recordsOf(property, parts), booked);
}

async function relayStopped(t: Test, parts: Services, service: Service, property: BlackboxProperty): Promise<void> {
  const page = new RunbookPage(t, service, 'RelayStopped');
  const admin = new Kafka({ brokers: parts.env['KAFKA_BROKERS']!.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  t.teardown(() => admin.disconnect());
  const setting = page.command('max.message.bytes');
  const largest = async (bytes: number): Promise<void> => {
    const configEntries = [{ name: setting, value: String(bytes) }];
    const topic = { type: ConfigResourceTypes.TOPIC, name: 'reservation.created', configEntries };
    await admin.alterConfigs({ validateOnly: false, resources: [topic] });
  };
  await largest(LESS_THAN_A_RECORD);
  const { reservationId } = await property.booked({ from: 70, nights: 1 });
  t.equal(await page.figureIs('relay_stopped', (count) => count > 0), 1);
  page.command('stopped[]');
  // The health looks once in a while.
  await page.shows(new RegExp(`"stopped":\\[.*"${property.propertyId}".*"why":"the broker refuses`), () =>
    page.shell('curl -s $RESERVATION/actuator/health/kafka'),
  );
  t.match(await page.shell('npm run schemas:check'), /as registered/, 'the schemas are no reason');
  await largest(A_RECORD);
  t.equal(await page.figureIs('relay_stopped', (count) => count === 0), 0, 'it goes on by itself');
  await published(service);
  await sameOrder(t, await recordsOf(property, parts), [reservationId]);
}

async function killed(t: Test, parts: Services, service: Service, property: BlackboxProperty): Promise<void> {
  const booked: string[] = [];
  for (let round = 0; round < 2; round++) {
    const many = await Promise.all(Array.from({ length: 40 }, () => property.booked({ from: 50, nights: 2 })));
    booked.push(...many.map(({ reservationId }) => reservationId));
    await service.killHard();
    await service.up();
  }
  await published(service);
  await sameOrder(t, await recordsOf(property, parts), booked);
}

async function silentBroker(t: Test, parts: Services, service: Service, property: BlackboxProperty): Promise<void> {
  parts.kafka!.pause();
  const booked: string[] = [];
  for (let n = 0; n < 10; n++) booked.push((await property.booked({ from: n, nights: 1 })).reservationId);
  const { code, ms } = await service.terminate();
  t.equal(code, 0);
  t.comment(`drained in ${ms} ms`);
  parts.kafka!.resume();
  await service.up();
  await published(service);
  await sameOrder(t, await recordsOf(property, parts), booked);
}

async function withoutRegistry(
  t: Test,
  parts: Services,
  service: Service,
  property: BlackboxProperty,
): Promise<void> {
  await service.terminate();
  await parts.registry!.stop();
  await service.up();
  const { reservationId } = await property.booked({ from: 60, nights: 1 });
  const health = await until('the registry is missed', 60_000, async () => {
    const now = await healthOf(service);
    return relayMisses(now) ? now : undefined;
  });
  t.equal(health.status, 'UP');
  t.match(health.components['schemaRegistry'], { status: 'DOWN', details: { error: 'Schema not found' } });
  t.match(health.components['kafka'], { details: { error: 'Failed to serialize event' } });
  await parts.registry!.start();
  await published(service);
  await sameOrder(t, await recordsOf(property, parts), [reservationId]);
}

/** Each of these was published, once for every eventId, and first deliveries are in order. */
async function sameOrder(t: Test, records: readonly ReadRecord[], booked: readonly string[]): Promise<void> {
  const created = records.filter(({ topic }) => topic === 'reservation.created');
  const ids = new Set(created.map(({ value }) => value?.['reservationId']));
  t.same(
    booked.filter((id) => !ids.has(id)),
    [],
    'all are published',
  );
  for (const topic of PUBLISHED) {
    const seen = new Set<unknown>();
    const first = records.filter(({ topic: of, value }) => {
      if (of !== topic || seen.has(value?.['eventId'])) return false;
      return seen.add(value?.['eventId']);
    });
    const seqs = first.map(seqOf);
    t.same(
      seqs,
      seqs.toSorted((a, b) => a - b),
      `first occurrences of ${topic} are in order`,
    );
  }
}

const services = await ownServicesOrSkip(t, ['kafka', 'registry']);
if (services) await suite(services);
