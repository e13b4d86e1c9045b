import { randomUUID } from 'node:crypto';
import tap, { type Test, test } from 'tap';

import type { Topic } from '../../src/events/rules/topics.ts';
import { isNightly } from '../loop/nightly.ts';
import { ownServicesOrSkip } from '../services/needed.ts';
import { Outside, wire } from './outside.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { pause, until } from './waiting.ts';

/** A broker and a registry that go away and come back. */
tap.setTimeout(300_000);

const SOON_MS = 60_000;
const MANY = 300;

/** A service that reads topics of a real broker with a real registry, and somebody outside who writes to them. */
async function open(t: Test) {
  const services = await ownServicesOrSkip(t, ['kafka', 'registry']);
  if (!services) return undefined;
  const service = await Service.start({ ...services.env }, { isWatched: true });
  t.teardown(() => service.remove());
  const outside = await Outside.open(services.env['KAFKA_BROKERS']!, services.env['SCHEMA_REGISTRY_URL']!);
  t.teardown(() => outside[Symbol.asyncDispose]());
  return { services, service, outside };
}

type World = NonNullable<Awaited<ReturnType<typeof open>>>;
type Waiting = { id: string; paymentId: string; total: string; now: () => Promise<Reservation> };

/** A booking that waits for its payment, as somebody who pays for it sees it. */
async function waiting(property: BlackboxProperty): Promise<Waiting> {
  const { reservationId: id } = await property.booked({ card: null });
  const now = async () => must(await property.service.reservations<Reservation>('GET', `/${id}`), 200).json;
  const [awaited] = (await now()).financial.paymentDetails ?? [];
  return { id, paymentId: awaited!.paymentId, total: awaited!.amount.toFixed(2), now };
}

const paid = ({ paymentId, total }: Waiting, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  tenantId: 'demo',
  paymentId,
  amount: total,
  currency: 'EUR',
  status: 'SUCCESS',
  ...more,
});

function becomes({ now }: Waiting, status: string): Promise<Reservation> {
  return until(`the reservation is ${status}`, SOON_MS, async () => {
    const found = await now();
    return found.status === status ? found : undefined;
  });
}

const events = ({ timeline }: Reservation): string[] => timeline.map(({ event }) => event);

void test('records that others send are taken, put aside, or wait', async (t) => {
  const world = await open(t);
  if (!world) return;
  await t.test('schemas of topics that are only read are registered at start', (t) => registered(t, world));
  await t.test('payments', (t) => payments(t, world));
  await t.test('availability and rates', (t) => counts(t, world));
  await t.test('what cannot be taken is put aside, and stops nobody', (t) => putAside(t, world));
  await t.test('the event test reaches its topic, and nobody acts on it', (t) => tested(t, world));
  // Four restarts of the service and three of its partners; Kafka out has its outage in CI (kafka.test.ts).
  if (isNightly()) await t.test('a registry and a broker that go away', (t) => troubles(t, world));
});

/** Before anybody has written: a partner finds the schema to write with. */
async function registered(t: Test, { services }: World): Promise<void> {
  const wanted = ['availability.updated-value', 'competitor.rates.updated-value', 'payment.processed-value'];
  const found = await until('the subjects are registered', SOON_MS, async () => {
    const answer = await fetch(`${services.env['SCHEMA_REGISTRY_URL']}/subjects`);
    const subjects = (await answer.json()) as string[];
    return wanted.every((subject) => subjects.includes(subject)) ? subjects : undefined;
  });
  t.ok(found.length >= wanted.length);
}

async function payments(t: Test, { service, outside }: World): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const booking = await waiting(property);
  const declined = await waiting(property);
  const parts = await waiting(property);
  const eventId = randomUUID();
  for (let n = 0; n < 2; n++) await outside.send('payment.processed', paid(booking, { eventId }));
  t.match((await becomes(booking, 'CONFIRMED')).financial, { paymentStatus: 'PAID' });

  const failed = { eventId: randomUUID(), status: 'FAILED' };
  for (let n = 0; n < 2; n++) await outside.send('payment.processed', paid(declined, failed), { partition: 1 });
  await outside.send('payment.processed', paid(declined), { partition: 1 });
  t.same(
    events(await becomes(declined, 'CONFIRMED')),
    ['CREATED', 'PAYMENT_FAILED', 'PAYMENT_RECEIVED', 'CONFIRMED'],
    'each event once, in order',
  );

  await outside.send('payment.processed', paid(parts, { amount: '1.00', tenantId: null }), {
    headers: { tenantId: 'demo' },
  });
  await until('a part is paid', SOON_MS, async () =>
    (await parts.now()).financial.paymentStatus === 'PARTIALLY_PAID' ? true : undefined,
  );
  t.equal((await parts.now()).status, 'PENDING');
  must(await service.reservations('DELETE', `/${parts.id}`, { body: {} }), 200);
  await outside.send('payment.processed', paid(parts));
  const late = await until('money that comes too late goes back', SOON_MS, async () => {
    const now = await parts.now();
    return now.financial.paymentStatus === 'REFUNDED' && events(now).length > 2 ? now : undefined;
  });
  t.equal(late.status, 'CANCELLED');
}

async function counts(t: Test, { service, outside }: World): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const date = property.day(10);
  const cell = async () => (await property.cells(10, 1, 'DLX'))[0]!;
  const update = { tenantId: 'demo', propertyId: property.propertyId, roomType: 'DLX', date, blockedRooms: 1 };
  const key = `demo:${property.propertyId}`;
  const timestamp = Date.now();
  await outside.send('availability.updated', { ...update, totalRooms: 7, timestamp }, { key });
  await outside.send('availability.updated', { ...update, totalRooms: 9, timestamp: timestamp - 1_000 }, { key });
  await outside.send('availability.updated', { ...update, totalRooms: 9, origin: 'innkeeper' }, { key });
  await outside.send('availability.updated', { ...update, date: property.day(11), totalRooms: 8 }, { key });
  await until('the last of them', SOON_MS, async () =>
    (await property.cells(11, 1, 'DLX'))[0]?.totalRooms === 8 ? true : undefined,
  );
  t.match(await cell(), { totalRooms: 7, blockedRooms: 1 }, 'older records, and our own, changed nothing');

  const rate = { tenantId: 'demo', propertyId: property.propertyId, roomType: 'DLX', date, competitorId: 'plaza' };
  const observed = { ...rate, currency: 'EUR', rate: '150.00', observedAt: Date.now() };
  await outside.send('competitor.rates.updated', { ...observed, rate: '90.00', observedAt: Date.now() - 60_000 });
  await outside.send('competitor.rates.updated', observed);
  // Analyses are cached for an hour, so each read is of another period.
  let looks = 0;
  await until('the market of the property', SOON_MS, async () => {
    const query = `propertyId=${property.propertyId}&startDate=${date}&endDate=${property.day(10 + (looks++ % 90))}`;
    const { json } = await service.rates<{ competitors: { averageMarketRate: number | null } }>(
      'GET',
      `/analysis?${query}`,
    );
    return json.competitors.averageMarketRate === 150 ? true : undefined;
  });
}

/** Every kind of bad input; each record has a mark, and comes before one that is good. */
async function putAside(t: Test, { service, outside }: World): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const good = await waiting(property);
  const future = await waiting(property);
  const topic: Topic = 'payment.processed';
  const right = await outside.encode(topic, paid(good));
  const foreign = { type: 'record', name: 'Ping', fields: [{ name: 'id', type: 'string' }] };
  const ofForeign = wire(await outside.register('ping-value', foreign), Buffer.from([2, 65]));
  const bad: Record<
    string,
    { reason: string; fields?: Record<string, unknown>; bytes?: Buffer | null; headers?: object }
  > = {
    foreign: { reason: 'FOREIGN_SCHEMA', bytes: ofForeign },
    truncated: { reason: 'BROKEN_BYTES', bytes: right.subarray(0, -3) },
    magic: { reason: 'WRONG_MAGIC_BYTE', bytes: Buffer.concat([Buffer.from([9]), right.subarray(1)]) },
    unknownId: { reason: 'UNKNOWN_SCHEMA_ID', bytes: wire(2_000_000_000, right.subarray(5)) },
    empty: { reason: 'TOO_SHORT', bytes: Buffer.alloc(0) },
    nothing: { reason: 'TOO_SHORT', bytes: null },
    large: { reason: 'WRONG_MAGIC_BYTE', bytes: Buffer.alloc(1_000_000, 7) },
    noTenant: { reason: 'NO_TENANT', fields: { tenantId: null } },
    twoTenants: { reason: 'NO_TENANT', headers: { tenantId: 'rival' } },
    otherTenant: { reason: 'UNKNOWN_PAYMENT', fields: { tenantId: 'rival' } },
    unknownTenant: { reason: 'UNKNOWN_PAYMENT', fields: { tenantId: 'nobody-at-all' } },
    unknown: { reason: 'UNKNOWN_PAYMENT', fields: { paymentId: randomUUID() } },
    currency: { reason: 'CURRENCY_MISMATCH', fields: { currency: 'USD' } },
    amount: { reason: 'MALFORMED', fields: { amount: 'much' } },
  };
  for (const [mark, { fields, bytes, headers }] of Object.entries(bad))
    await outside.send(topic, paid(good, fields), { key: 'k', partition: 0, bytes, headers: { mark, ...headers } });
  const cell = { tenantId: 'demo', propertyId: property.propertyId, roomType: 'DLX', date: property.day(1) };
  const cells: Record<string, [string, Record<string, unknown>]> = {
    property: ['UNKNOWN_PROPERTY', { propertyId: 'nowhere' }],
    type: ['UNKNOWN_ROOM_TYPE', { roomType: 'NONE' }],
    past: ['DATE_OUTSIDE_HORIZON', { date: property.day(-3) }],
    blocked: ['ROOM_NOT_AVAILABLE', { totalRooms: 1, blockedRooms: 2 }],
  };
  for (const [mark, [, fields]] of Object.entries(cells))
    await outside.send(
      'availability.updated',
      { ...cell, totalRooms: 5, blockedRooms: 0, ...fields },
      { headers: { mark } },
    );
  await outside.send(topic, {}, { partition: 0, bytes: right });
  await becomes(good, 'CONFIRMED');
  for (const [mark, { reason, bytes }] of Object.entries(bad)) {
    const letter = await outside.deadLetter(mark);
    t.match(letter, { topic: `${topic}.dlq`, key: 'k' });
    t.match(
      letter.headers,
      { mark, reason, originalTopic: topic, originalPartition: '0', originalOffset: /^\d+$/ },
      mark,
    );
    if (bytes) t.ok(bytes.equals(letter.value!), `${mark}: what came is there`);
  }
  for (const [mark, [reason]] of Object.entries(cells))
    t.equal((await outside.deadLetter(mark)).headers['reason'], reason, mark);
  await outside.send(topic, {}, { bytes: await outside.encodeNext(topic, paid(future)) });
  await becomes(future, 'CONFIRMED');
  t.equal(outside.dead.length, Object.keys(bad).length + Object.keys(cells).length, 'nothing else is there');
}

async function tested(t: Test, { service, outside }: World): Promise<void> {
  const { user, password } = service.dev.basic;
  const dead = outside.dead.length;
  const answer = await service.call<{ message: string; eventId: string }>(
    'GET',
    `${service.dev.reservationUrl}/reservation-engine/api/test/kafka`,
    { tenantHeader: null, authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
  );
  t.match(must(answer, 200).json, { message: /acknowledged/ });
  await pause(1_000);
  t.equal(outside.dead.length, dead);
}

async function troubles(t: Test, { services, service, outside }: World): Promise<void> {
  const { kafka, registry } = services;
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 400 } });
  const first = await waiting(property);
  const second = await waiting(property);
  const third = await waiting(property);
  // A schema that nobody has read yet has to be fetched.
  const bytes = await outside.encodeNext('payment.processed', paid(first));
  await registry!.stop();
  await service.terminate();
  await service.up();
  await outside.send('payment.processed', {}, { bytes });
  await pause(2_000);
  t.equal((await first.now()).status, 'PENDING', 'the record waits for the registry, and the service serves');
  await registry!.start();
  await becomes(first, 'CONFIRMED');

  const update = { tenantId: 'demo', propertyId: property.propertyId, roomType: 'DLX', blockedRooms: 0 };
  const key = `demo:${property.propertyId}`;
  const send = (n: number) =>
    outside.send('availability.updated', { ...update, date: property.day(n % 100), totalRooms: 500 + n }, { key });
  for (let n = 0; n < MANY / 2; n++) await send(n);
  const restarted = kafka!.restart();
  for (let n = MANY / 2; n < MANY; n++) await send(n);
  await restarted;
  await until('all of them', SOON_MS, async () => {
    const cells = await property.cells(0, 100, 'DLX');
    return cells.every(({ totalRooms }, n) => totalRooms === 500 + MANY - 100 + n) || undefined;
  });

  await kafka!.stop();
  const health = async () =>
    (await service.call<{ status: string }>('GET', `${service.dev.reservationUrl}/actuator/health/kafka`)).json;
  await until('health says so', SOON_MS, async () => ((await health()).status === 'DOWN' ? true : undefined));
  const { ms, code } = await service.terminate();
  t.equal(code, 0);
  t.ok(ms < 10_000, `stopped after ${ms} ms without a broker`);
  await service.up();
  t.equal((await second.now()).status, 'PENDING', 'it serves while the broker is away');
  await kafka!.start();
  await outside.send('payment.processed', paid(second));
  await becomes(second, 'CONFIRMED');
  await until('health says so', SOON_MS, async () => ((await health()).status === 'UP' ? true : undefined));

  await registry!.stop();
  await outside.send('payment.processed', {}, { bytes: wire(1_999_999_999, bytes.subarray(5)) });
  await pause(1_000);
  const stopped = await service.terminate();
  t.ok(stopped.ms < 10_000, `stopped after ${stopped.ms} ms in the middle of a retry`);
  await registry!.start();
  await service.up();
  await outside.send('payment.processed', paid(third));
  await becomes(third, 'CONFIRMED');
}
