import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { untilTime } from '../../src/testing/fake-clock.ts';
import { TestClient, CLIENT_TRANSPORTS } from '../../src/testing/live/client.ts';
import { FIRST_NIGHT } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import { follow, STEPS_PROPERTY, signIn, subscribeStep } from '../../src/testing/live/steps.ts';
import { LiveQuotas } from './quotas.ts';

const STAY = { roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1 };
const refusedOf = (world: Awaited<ReturnType<typeof scriptedWorld>>, what: string): number =>
  world.gateway.figures().refused.get(what) ?? 0;

t.test(
  'an address whose sockets end without a token opens no more for a second, and one with tokens does',
  async (t) => {
    await using world = await scriptedWorld({}, undefined, { strangers: 2 });
    for (let n = 0; n < 5; n += 1) {
      await using client = TestClient.connect(world.url, 'ws');
      await signIn(client);
    }
    // On a busy machine the second may be over before the check: then it is tried once more.
    const untilRefused = async (ask: () => Promise<boolean>): Promise<void> => {
      for (let isRefused = false; !isRefused; isRefused = await ask()) {
        const strangers = Array.from({ length: 2 }, () => TestClient.connect(world.url, 'ws'));
        for (const stranger of strangers) stranger.send({ t: 'auth', token: 'forged', tenantId: 'demo' });
        for (const stranger of strangers) await stranger.closing();
        await untilTime(() => world.gateway.stats().connections === 0, 'the end of all connections');
      }
    };
    await untilRefused(async () => /^HTTP\/1\.1 429 [^]*Retry-After: \d+/.test(await upgradeOf(world.url)));
    await untilRefused(async () => {
      await using late = TestClient.connect(world.url, 'socket.io');
      await Promise.race([late.closing(), late.next().catch(() => undefined)]);
      return late.closed !== undefined;
    });
    t.ok(refusedOf(world, 'connect') >= 2, 'over socket.io too');
  },
);

t.test('a client that resets before its handshake is decided ends nothing but its own connection', async (t) => {
  // The counters of a cluster are in Redis: meanwhile nobody but the gateway listens to the socket.
  const { promise: counted, resolve: count } = Promise.withResolvers<void>();
  t.intercept(LiveQuotas.prototype, 'connect', { value: () => counted });
  await using world = await scriptedWorld();
  const { port, hostname } = new URL(world.url);
  for (const path of ['/ws/v1', '/socket.io/?EIO=4&transport=websocket']) {
    const raw = connect(Number(port), hostname);
    await once(raw, 'connect');
    raw.write(HANDSHAKE.replace('/ws/v1', path));
    await pause(RECEIVED_MS);
    raw.resetAndDestroy();
  }
  await pause(RECEIVED_MS);
  count();
  t.match(await upgradeOf(world.url), /^HTTP\/1\.1 101/);
});

/** For bytes to arrive at a server in the same process. */
const RECEIVED_MS = 100;
const HANDSHAKE =
  'GET /ws/v1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Head of the answer to a plain WebSocket handshake. */
async function upgradeOf(url: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const raw = connect(Number(port), hostname);
  raw.write(HANDSHAKE);
  const [answer] = (await once(raw, 'data', { signal: AbortSignal.timeout(60_000) })) as [Buffer];
  raw.destroy();
  return answer.toString();
}

for (const transport of CLIENT_TRANSPORTS) {
  t.test(
    `${transport}: a client that sends too many frames gets one error, and is closed when it goes on`,
    async (t) => {
      const limits = { frames: { perSecond: 0.01, burst: 5 }, refusedFrames: 4 };
      await using world = await scriptedWorld(limits);
      await using client = TestClient.connect(world.url, transport);
      await signIn(client);
      for (let n = 0; n < 4; n += 1) client.send({ t: 'ping' });
      for (let n = 0; n < 4; n += 1) await client.take('pong');
      client.send({ t: 'ping' });
      const { problem } = await client.take('error');
      t.match(problem, { code: 'QUOTA_EXCEEDED', status: 429, retryable: true, retryAfterSeconds: 100 });
      for (let n = 0; n < 3; n += 1) client.send({ t: 'ping' });
      client.send({ t: 'ping' });
      t.equal(await client.closing(), 1013);
      t.strictSame(client.waiting, [], 'the others were not answered');
      t.equal(refusedOf(world, 'frame'), 5);
    },
  );
}

t.test('tokens are shown a few times, not as often as frames are sent', async (t) => {
  await using world = await scriptedWorld({ authFrames: { perSecond: 0.01, burst: 3 } });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client, 'VIEWER');
  const auth = { t: 'auth', token: 'forged', tenantId: 'demo' };
  client.send(auth, auth, auth, { t: 'ping' });
  t.match((await client.take('error')).problem, { code: 'QUOTA_EXCEEDED' }, 'without queueing');
  for (let n = 0; n < 2; n += 1) t.match((await client.take('error')).problem, { code: 'UNAUTHENTICATED' });
  await client.take('pong');
});

t.test('a user, a tenant and an address have so many sockets', async (t) => {
  for (const [of, second] of [
    ['subject', 'MANAGER'],
    ['tenant', 'STAFF'],
  ] as const) {
    const none = { subject: 0, tenant: 0, address: 0 };
    await using world = await scriptedWorld({}, undefined, { sockets: { ...none, [of]: 1 } });
    await using first = TestClient.connect(world.url, 'ws');
    await signIn(first, 'MANAGER');
    await using another = TestClient.connect(world.url, 'ws');
    another.send({ t: 'auth', token: `demo:${second}`, tenantId: 'demo' }, subscribeStep());
    await another.take('hello');
    t.match((await another.take('error')).problem, { code: 'QUOTA_EXCEEDED', retryAfterSeconds: 5 }, of);
    t.equal(await another.closing(), 1013);
    await untilTime(() => world.gateway.stats().connections <= 1, 'the end of the other connection');
    t.same(
      [...world.gateway.figures().sockets],
      [
        ['pending', 0],
        ['admitted', 1],
      ],
    );
    await first[Symbol.asyncDispose]();
    await untilTime(() => world.gateway.stats().connections === 0, 'the end of all connections');
    await using next = TestClient.connect(world.url, 'ws');
    await signIn(next, 'MANAGER');
  }
  const sockets = { subject: 0, tenant: 0, address: 1 };
  await using world = await scriptedWorld({}, undefined, { sockets });
  await using first = TestClient.connect(world.url, 'ws');
  await first.take('hello');
  await using another = TestClient.connect(world.url, 'ws');
  await another.closing();
  t.strictSame(another.waiting, []);
});

t.test('among many without a token the oldest is closed, and a client with a token gets in', async (t) => {
  await using world = await scriptedWorld({ pendingPerAddress: 2 });
  const idle = Array.from({ length: 2 }, () => TestClient.connect(world.url, 'ws'));
  for (const client of idle) await client.take('hello');
  await using honest = TestClient.connect(world.url, 'ws');
  await signIn(honest);
  t.equal(await Promise.race(idle.map((client) => client.closing())), 1013);
  t.equal(refusedOf(world, 'pending'), 1);
  for (const client of idle) await client[Symbol.asyncDispose]();
});

t.test('looks back of a user are queued over all of his sockets, and refused when that takes long', async (t) => {
  await using world = await scriptedWorld({}, undefined, { seeks: { subject: 1, tenant: 0 } });
  world.property.book(STAY);
  const seek = { t: 'seek', propertyId: STEPS_PROPERTY, asOf: Date.now() };
  const clients = Array.from({ length: 12 }, () => TestClient.connect(world.url, 'ws'));
  for (const client of clients) {
    await signIn(client);
    await follow(client);
  }
  for (const client of clients) client.send(seek);
  const refused: unknown[] = [];
  for (const client of clients) {
    const answer = await client.next();
    if (answer.t === 'error') refused.push(answer.problem);
    else t.equal(answer.t, 'snapshot');
  }
  t.ok(clients.length - refused.length > 2, 'some have waited');
  t.ok(refused.length > 0, 'not all of them');
  const said = { code: 'QUOTA_EXCEEDED', frame: 'seek', propertyId: STEPS_PROPERTY, retryAfterSeconds: Number };
  for (const problem of refused) t.match(problem, { ...said, detail: 'More than 1 looks back a second.' });
  t.equal(refusedOf(world, 'seek'), refused.length);
  for (const client of clients) await client[Symbol.asyncDispose]();
});

t.test('the cache of the past is bounded, and what was dropped is built again', async (t) => {
  const onePast = 30_000;
  await using world = await scriptedWorld({ pastBytes: onePast });
  world.property.book(STAY);
  const asOf = Date.now();
  const clients = Array.from({ length: 8 }, () => TestClient.connect(world.url, 'ws'));
  for (const client of clients) {
    await signIn(client);
    await follow(client);
    client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf });
    await client.take('snapshot');
  }
  const { lookingBack } = world.gateway.figures();
  t.ok(lookingBack.bytes <= onePast, `${lookingBack.bytes} bytes`);
  t.ok(lookingBack.count < clients.length, `${lookingBack.count} are cached`);
  for (const client of clients) {
    client.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 0 });
    t.match(await client.take('snapshot'), { seq: 1 });
  }
  for (const client of clients) await client[Symbol.asyncDispose]();
  await untilTime(() => world.gateway.stats().connections === 0, 'the end of all connections');
  t.equal(world.gateway.figures().lookingBack.bytes, 0);
});
