import { readFileSync } from 'node:fs';
import type { Test } from 'tap';

import { arrival, type Frame, type LiveClient, TRANSPORTS } from '../live-client.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { Role, Service } from '../service.ts';
import { signedToken } from '../signed-token.ts';
import { pause } from '../waiting.ts';

type Open = (typeof TRANSPORTS)[keyof typeof TRANSPORTS];

const DAYS = 366;
/** Properties that a connection may follow. */
const FOLLOWED = 20;
const MANY = 10_000;
/** A few more frames may be queued. */
const AT_A_TIME = 200;

/** Bad input of the live protocol over both transports: it is answered or ends its connection, and nobody else's. */
export async function liveBadInput(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, {
    rooms: { DLX: 30, STD: 30, TRP: 30, FAM: 30 },
    pricedNights: 400,
  });
  const bystander = await TRANSPORTS['plain WebSocket'](service.dev.liveUrl);
  signIn(bystander, service);
  await follow(bystander, property);
  // These take their time: a minute to send a new token, half of one to take what was sent.
  const slow = Object.entries(TRANSPORTS).map(([name, open]) => ({
    name,
    expired: expiredMidStream(service, property, open),
    hung: doNotRead(service, property, open),
    silent: neverSignsIn(service, property, open),
  }));
  for (const [name, open] of Object.entries(TRANSPORTS)) {
    await group.test(`${name}: what is no frame is answered`, (t) => noFrames(t, service, open));
    await group.test(`${name}: a frame of 1 MB closes with 1009`, async (t) => {
      const client = await open(service.dev.liveUrl);
      client.sendRaw(JSON.stringify({ t: 'ping', more: 'x'.repeat(1_048_576) }));
      t.equal(await client.closed, 1009);
    });
    await group.test(`${name}: another tenant's property is not there`, async (t) => {
      const client = await open(service.dev.liveUrl);
      client.send({ t: 'auth', token: service.token('rival', 'OWNER'), tenantId: 'rival' });
      client.send(subscribe(property));
      const { problem } = await arrival(client, 'an error', (one) => one.t === 'error');
      t.equal(problem?.code, 'PROPERTY_NOT_FOUND');
      client.send({ t: 'resync', propertyId: property.propertyId, generation: 1, seq: 0 });
      await arrival(client, 'another', (one) => one.t === 'error' && one.problem?.code === 'INVALID_STATE');
      await property.booked({ from: 20 });
      await ponged(client);
      t.notOk(client.frames.some((one) => one.t === 'snapshot' || one.t === 'delta'));
      client.close();
    });
    await group.test(`${name}: 10,000 subscriptions follow 20 properties, or none`, (t) => many(t, service, open));
    await group.test(`${name}: a page of somebody else may not connect`, async (t) => {
      await t.rejects(open(service.dev.liveUrl, { origin: 'https://evil.example' }));
      await t.rejects(open(service.dev.liveUrl, { origin: 'null' }));
      const own = await open(service.dev.liveUrl, { origin: service.dev.liveUrl });
      await arrival(own, 'hello', (one) => one.t === 'hello');
      own.close();
    });
  }
  for (const { name, expired, hung, silent } of slow) {
    await group.test(`${name}: without a token the connection gets an error, and is closed with 4401`, async (t) =>
      t.same(await silent, { codes: ['UNAUTHENTICATED'], snapshots: 0, closed: 4401 }),
    );
    await group.test(`${name}: a token that ends mid-stream can be renewed, or ends it a minute later`, async (t) =>
      t.match(await expired, { renewed: { gaps: 0, deltas: Number, isOpen: true }, closed: 4401 }),
    );
    await group.test(`${name}: who does not read costs little, and is closed with 1013 in the end`, async (t) => {
      const { closed, heardMb, gaps: missed, grownMb } = await hung;
      t.ok(heardMb < MAX_HEARD_MB, `${heardMb} MB of ${ASKED_MB} MB were buffered for each`);
      t.equal(missed, 0, 'who reads again gets to the present without a gap');
      t.ok(grownMb < MAX_GROWN_MB, `the service has grown by ${grownMb} MB, of ${READERS * ASKED_MB} MB requested`);
      // socket.io has a patience of its own, which ends at about the same time, and no code for it.
      t.same(new Set(closed), new Set([name === 'socket.io' ? 0 : 1013]));
    });
  }
  await group.test('nobody else has noticed', async (t) => {
    await property.booked({ from: 40 });
    const seq = Number((await property.quote()).headers['x-property-seq']);
    await arrival(bystander, `seq ${seq}`, (one) => one.t === 'delta' && one.to === seq);
    t.equal(gaps(bystander.frames), 0);
    t.equal(bystander.frames.filter((one) => one.t === 'snapshot').length, 1);
    bystander.close();
  });
}

/** JSON that is no frame, and text that is no JSON. */
const NO_FRAMES = ['{"t":"dance"}', '{}', '[]', '[[[]]]', '5', 'null', '"ping"', '{"t":["ping"]}', '{"t":"auth"}'];
const WRONG = new Set(['VALIDATION_FAILED', 'BODY_UNREADABLE']);

async function noFrames(t: Test, service: Service, open: Open): Promise<void> {
  const client = await open(service.dev.liveUrl);
  signIn(client, service);
  for (const text of NO_FRAMES) {
    const before = client.frames.length;
    client.sendRaw(text);
    const { problem } = await arrival(client, `an error for ${text}`, (one) => one.t === 'error', before);
    t.ok(WRONG.has(problem?.code ?? ''), `${text}: ${problem?.code}`);
  }
  await ponged(client);
  client.sendRaw('{"t":');
  // socket.io itself hangs up on what it cannot decode.
  if (open === TRANSPORTS['socket.io']) await client.closed;
  else await arrival(client, 'an error', (one) => one.problem?.code === 'BODY_UNREADABLE');
  client.close();
}

async function many(t: Test, service: Service, open: Open): Promise<void> {
  const ids = await Promise.all(
    Array.from({ length: FOLLOWED + 1 }, async () => {
      const propertyId = `many-${crypto.randomUUID().slice(0, 8)}`;
      must(await service.tenants('POST', '/properties', { body: propertyBody(propertyId) }), 201);
      return propertyId;
    }),
  );
  const day = new Date().toISOString().slice(0, 10);
  const wanted = (n: number) => ({
    t: 'subscribe',
    propertyId: ids[n] ?? `nobodys-${n}`,
    topics: ['grid'],
    window: { start: day, days: 1 },
  });
  const hasty = await open(service.dev.liveUrl);
  signIn(hasty, service);
  for (let n = 0; n < MANY; n++) hasty.send(wanted(n));
  t.equal(await hasty.closed, 1013, 'all at once');

  const patient = await open(service.dev.liveUrl);
  signIn(patient, service);
  for (let from = 0; from < MANY; from += AT_A_TIME) {
    for (let n = from; n < from + AT_A_TIME; n++) patient.send(wanted(n));
    await ponged(patient);
  }
  const codes = patient.frames.filter((one) => one.t === 'error').map(({ problem }) => problem?.code);
  t.equal(patient.frames.filter((one) => one.t === 'snapshot').length, FOLLOWED);
  t.same(new Set(codes), new Set(['QUOTA_EXCEEDED']));
  t.equal(codes.length, MANY - FOLLOWED, 'each of the others gets an error');
  patient.close();
}

type Silent = { codes: (string | undefined)[]; snapshots: number; closed: number };

async function neverSignsIn(service: Service, property: BlackboxProperty, open: Open): Promise<Silent> {
  const client = await open(service.dev.liveUrl);
  client.send(subscribe(property));
  const closed = await client.closed;
  const errors = client.frames.filter((one) => one.t === 'error');
  const snapshots = client.frames.filter((one) => one.t === 'snapshot').length;
  return { codes: errors.map(({ problem }) => problem?.code), snapshots, closed };
}

const TOKEN_SECONDS = 5;

type Expired = { renewed: { gaps: number; deltas: number; isOpen: boolean }; closed: number };

/** One gets a new token when the old one has ended, the other does not care. */
async function expiredMidStream(service: Service, property: BlackboxProperty, open: Open): Promise<Expired> {
  const pattern = service.token('demo', 'STAFF');
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
  const token = await signedToken(service.dataDir, pattern, { claims: { exp } });
  const [renewed, careless] = await Promise.all(
    [0, 1].map(async () => {
      const client = await open(service.dev.liveUrl);
      client.send({ t: 'auth', token, tenantId: 'demo' });
      await follow(client, property);
      return client;
    }),
  );
  await arrival(renewed!, 'that the token has ended', (one) => one.problem?.code === 'UNAUTHENTICATED');
  const before = renewed!.frames.length;
  signIn(renewed!, service);
  await arrival(renewed!, 'ready', (one) => one.t === 'ready', before);
  const closed = await careless!.closed;
  const received = renewed!.frames.length;
  await property.booked({ from: 50 });
  await arrival(renewed!, 'a delta', (one) => one.t === 'delta', received);
  const isOpen = (await Promise.race([renewed!.closed, pause(0).then(() => 'open')])) === 'open';
  const deltas = renewed!.frames.filter((one) => one.t === 'delta').length;
  const result = { renewed: { gaps: gaps(renewed!.frames), deltas, isOpen }, closed };
  renewed!.close();
  return result;
}

const READERS = 6;
/** Each requests this many snapshots and reads none of them. */
const RESYNCS = 400;
const RESYNCS_AT_A_TIME = 50;
/** Half of them read again before anybody gives them up. */
const AWAY_MS = 5_000;
/** A client that takes nothing for so long is closed; some more for the machine. */
const BLOCKED_MS = 30_000 + 4_000;
const STILL_OPEN_MS = 5_000;
/** A snapshot of the property, at least. */
const SNAPSHOT_MB = 0.2;
const ASKED_MB = RESYNCS * SNAPSHOT_MB;
/** The bound of the gateway is 1 MB; the rest is what two kernels take for the network. */
const MAX_HEARD_MB = 16;
const MAX_GROWN_MB = 200;

/** How those ended that never read; of those that read again how much they got, and their gaps up to the present. */
type Hung = { closed: number[]; heardMb: number; gaps: number; grownMb: number };

async function doNotRead(service: Service, property: BlackboxProperty, open: Open): Promise<Hung> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => open(service.dev.liveUrl)));
  for (const reader of readers) {
    signIn(reader, service);
    await follow(reader, property);
  }
  const before = residentMb(service);
  const known = readers.map(({ frames }) => frames.length);
  for (const reader of readers) reader.stopReading();
  for (let n = 0; n < RESYNCS; n += RESYNCS_AT_A_TIME) {
    for (const reader of readers)
      for (let more = 0; more < RESYNCS_AT_A_TIME; more++)
        reader.send({ t: 'resync', propertyId: property.propertyId, generation: 999, seq: 1 });
    await pause(300);
  }
  const grownMb = residentMb(service) - before;
  await pause(AWAY_MS);
  const away = readers.slice(0, READERS / 2);
  const gone = readers.slice(READERS / 2);
  for (const reader of away) reader.readAgain();
  const now = Number((await property.quote()).headers['x-property-seq']);
  for (const reader of away) await arrival(reader, `the present, ${now}`, (one) => (one.to ?? one.seq ?? -1) >= now);
  const gapsOfAll = away.reduce((sum, { frames }) => sum + gaps(frames), 0);
  const heard = away.map(({ frames }, n) => JSON.stringify(frames.slice(known[n])).length / 1_048_576);
  for (const reader of away) reader.close();
  await pause(BLOCKED_MS - AWAY_MS);
  for (const reader of gone) reader.readAgain();
  const still = pause(STILL_OPEN_MS).then(() => -1);
  const closed = await Promise.all(gone.map((reader) => Promise.race([reader.closed, still])));
  return { closed, heardMb: Math.round(Math.max(...heard)), gaps: gapsOfAll, grownMb };
}

function residentMb(service: Service): number {
  const kb = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${service.dev.pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / 1024);
}

function signIn(client: LiveClient, service: Service, role: Role = 'STAFF'): void {
  client.send({ t: 'auth', token: service.token('demo', role), tenantId: 'demo' });
}

const subscribe = (property: BlackboxProperty) => ({
  t: 'subscribe',
  propertyId: property.propertyId,
  topics: ['grid', 'feed'],
  window: { start: property.day(0), days: DAYS },
});

async function follow(client: LiveClient, property: BlackboxProperty): Promise<void> {
  client.send(subscribe(property));
  await arrival(client, 'snapshot', (one) => one.t === 'snapshot');
}

async function ponged(client: LiveClient): Promise<void> {
  const before = client.frames.length;
  client.send({ t: 'ping' });
  await arrival(client, 'pong', (one) => one.t === 'pong', before);
}

/** Deltas that do not go on where the frame before them ended. */
function gaps(frames: readonly Frame[]): number {
  let seq = -1;
  let found = 0;
  for (const one of frames) {
    if (one.t === 'delta' && one.from !== seq + 1) found += 1;
    seq = (one.t === 'snapshot' ? one.seq : one.t === 'delta' ? one.to : seq) ?? seq;
  }
  return found;
}
