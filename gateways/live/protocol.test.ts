import t from 'tap';

import { overWebSocket } from '../../packages/client/src/live/live-transports.ts';
import { Replica } from '../../packages/client/src/live/replica.ts';
import { TestClient, CLIENT_TRANSPORTS } from '../../src/testing/live/client.ts';
import { FIRST_NIGHT } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import {
  contentOf,
  follow,
  fresh,
  STEPS_PROPERTY,
  replay,
  signIn,
  subscribeStep,
} from '../../src/testing/live/steps.ts';

for (const transport of CLIENT_TRANSPORTS) {
  t.test(`${transport}: frames are handled in the order sent, nothing has to be waited for`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    client.send({ t: 'auth', token: 'demo:STAFF', tenantId: 'demo' }, subscribeStep(), { t: 'ping' });
    const hello = await client.take('hello');
    t.equal(hello.protocol, 1);
    t.equal(hello.heartbeatMs, 10_000);
    t.match(await client.take('ready'), { tenantId: 'demo', role: 'STAFF', expiresAt: Number });
    t.match(await client.take('snapshot'), { propertyId: STEPS_PROPERTY, generation: 1, seq: 0, asOf: Number });
    t.equal((await client.next()).t, 'pong');
  });

  t.test(`${transport}: a snapshot, then every change once and without a gap`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    const snapshot = await follow(client);
    t.equal(snapshot.grid.length, 60, 'two room types, thirty days');
    t.strictSame(snapshot.grid[0], {
      roomType: 'STD',
      date: '2026-03-01',
      totalRooms: 10,
      bookedRooms: 0,
      heldRooms: 0,
      blockedRooms: 0,
      availableRooms: 10,
      rate: 100.5,
      currency: 'EUR',
    });
    t.equal(snapshot.kpi.length, 30);
    t.strictSame(snapshot.rooms, [{ roomNumber: '101', roomType: 'STD', status: 'CLEAN' }]);
    t.strictSame(snapshot.competitors, []);

    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + 2, nights: 2, guestName: 'Ada Lovelace' });
    const first = await client.take('delta');
    t.match(first, {
      generation: 1,
      from: 1,
      to: 1,
      ts: Number,
      cause: { type: 'CONFIRM_BOOKING', id: 'res-0001' },
      patches: [
        { topic: 'grid', roomType: 'STD', date: '2026-03-03', bookedRooms: 1, availableRooms: 9, rate: 100.5 },
        { topic: 'grid', roomType: 'STD', date: '2026-03-04', bookedRooms: 1, availableRooms: 9 },
        { topic: 'kpi', date: '2026-03-03', roomsSold: 1, roomsAvailable: 14, occupancyRate: 7.14 },
        { topic: 'kpi', date: '2026-03-04' },
        {
          topic: 'feed',
          type: 'CREATED',
          reservationId: 'res-0001',
          checkIn: '2026-03-03',
          checkOut: '2026-03-05',
          nights: 2,
          guestName: 'Ada Lovelace',
          totalAmount: 301.5,
        },
      ],
    });
    world.property.setRoomStatus('101', 'DIRTY');
    t.match(await client.take('delta'), { from: 2, to: 2, patches: [{ topic: 'rooms', status: 'DIRTY' }] });
  });

  t.test(`${transport}: what lies outside the window or the topics arrives as a number only`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    await follow(client, { topics: ['feed', 'grid'], offset: 10, days: 5 });
    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + 8, nights: 2 });
    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + 15, nights: 2 });
    world.property.setRoomStatus('101', 'DIRTY');
    const outside = await client.take('delta');
    t.match(outside, { from: 1, to: 3 });
    t.strictSame(outside.patches, []);
    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + 9, nights: 3 });
    const { patches } = await client.take('delta');
    t.strictSame(
      patches.map((patch) => [patch.topic, 'date' in patch && patch.date]),
      [
        ['grid', '2026-03-11'],
        ['grid', '2026-03-12'],
        ['feed', false],
      ],
    );
  });

  t.test(`${transport}: a client that was away gets exactly what it missed`, async (t) => {
    await using world = await scriptedWorld();
    await using watcher = TestClient.connect(world.url, transport);
    await signIn(watcher);
    const seen = new Replica(STEPS_PROPERTY);
    seen.applySnapshot(await follow(watcher));
    for (let night = 0; night < 4; night++)
      world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + night, nights: 2 });
    await replay(watcher, seen, 4);

    await using back = TestClient.connect(world.url, transport);
    await signIn(back);
    back.send(subscribeStep({ from: { generation: 1, seq: 1 } }));
    t.match(await back.take('delta'), { from: 2, to: 4 });

    back.send(subscribeStep({ from: { generation: 1, seq: 4 } }));
    const beat = await back.next();
    t.match(beat, { t: 'heartbeat', positions: { [STEPS_PROPERTY]: { generation: 1, seq: 4 } } }, 'nothing missed');

    back.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 2 });
    t.match(await back.take('delta'), { from: 3, to: 4 });
    back.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 4 });
    t.match(await back.next(), { t: 'heartbeat' }, 'nor has a resync an answer other than that');

    back.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 7, seq: 2 });
    t.match(await back.take('snapshot'), { generation: 1, seq: 4 }, 'another generation is another history');
    back.send(subscribeStep({ from: { generation: 1, seq: 99 } }));
    t.match(await back.take('snapshot'), { seq: 4 }, 'a position that nobody has reached');
    t.strictSame(contentOf(seen), await fresh(back));
  });

  t.test(`${transport}: after unsubscribe nothing comes, and the connection stays`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    await follow(client);
    client.send({ t: 'unsubscribe', propertyId: STEPS_PROPERTY }, { t: 'ping' });
    await client.take('pong');
    world.property.nothing();
    client.send({ t: 'ping' });
    await client.take('pong');
    client.send({ t: 'unsubscribe', propertyId: STEPS_PROPERTY });
    t.match(await client.take('error'), { problem: { code: 'INVALID_STATE', frame: 'unsubscribe' } });
  });

  t.test(`${transport}: a second subscribe moves the window`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    await follow(client, { days: 2 });
    t.equal((await follow(client, { offset: 20, days: 3, topics: ['grid'] })).grid.length, 6);
    world.property.setRate('STD', FIRST_NIGHT + 21, null);
    t.match(await client.take('delta'), { patches: [{ topic: 'grid', rate: null }] });
    world.property.nothing();
    t.match(await client.take('delta'), { from: 2, to: 2 }, 'one delta a change, not two');
  });

  t.test(`${transport}: heartbeats carry the position of every followed property`, async (t) => {
    await using world = await scriptedWorld({ heartbeatMs: 20 });
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    t.strictSame((await client.take('heartbeat')).positions, {});
    await follow(client);
    world.property.nothing();
    await client.take('delta');
    t.strictSame((await client.take('heartbeat')).positions, { [STEPS_PROPERTY]: { generation: 1, seq: 1 } });
  });

  t.test(`${transport}: wrong frames are answered by an error frame that names every wrong field`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    const wrong = [
      [
        {
          t: 'subscribe',
          propertyId: STEPS_PROPERTY,
          topics: ['grid', 'grid'],
          window: { start: '2026-02-30', days: 367 },
        },
        3,
      ],
      [{ ...subscribeStep(), color: 'red' }, 1],
      [{ ...subscribeStep(), window: { start: '2026-03-01', days: 0, end: 1 } }, 2],
      [{ ...subscribeStep(), from: { generation: 1, seq: -1 } }, 1],
      [{ t: 'dance' }, 1],
      [['ping'], 1],
    ] as const;
    for (const [frame, errors] of wrong) {
      client.send(frame as Record<string, unknown>);
      const { problem } = await client.take('error');
      t.match(problem, { code: 'VALIDATION_FAILED', status: 400, retryable: false, requestId: String });
      t.equal((problem.errors as unknown[]).length, errors, JSON.stringify(problem.errors));
    }
    client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: '2026-01-01T00:00:00Z' });
    t.match((await client.take('error')).problem, { code: 'INVALID_STATE' });
    client.send({ ...subscribeStep(), propertyId: 'nowhere' });
    t.match((await client.take('error')).problem, { code: 'PROPERTY_NOT_FOUND', propertyId: 'nowhere', status: 404 });
    client.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 0 });
    t.match((await client.take('error')).problem, { code: 'INVALID_STATE' });
    client.send({ t: 'ping' });
    await client.take('pong');
  });
}

t.test('amounts are written with two decimals', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  const texts: string[] = [];
  client.onText = (text) => texts.push(text);
  await signIn(client);
  world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1, total: 30_000 });
  await follow(client, { days: 1 });
  t.match(texts.at(-1), /"rate":100\.50,/);
  t.match(texts.at(-1), /"totalAmount":300\.00}/);
});

t.test('a frame that is not JSON gets an error', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await client.take('hello');
  client.sendText('{"t":');
  t.match((await client.take('error')).problem, { code: 'BODY_UNREADABLE' });
});

t.test('socket.io over long polling speaks the same protocol', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.poll(world.url);
  await signIn(client);
  await follow(client);
  world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1 });
  t.match(await client.take('delta'), { from: 1, to: 1 });
});

t.test('a method that long polling does not know is 405, also of a session that is open', async (t) => {
  await using world = await scriptedWorld();
  const url = `${world.url}/socket.io/?EIO=4&transport=polling`;
  const opening = await (await fetch(url)).text();
  const { sid } = JSON.parse(opening.slice(1)) as { sid: string };
  for (const method of ['DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const { status, headers } = await fetch(`${url}&sid=${sid}`, { method });
    t.equal(status, 405, method);
    t.equal(headers.get('allow'), 'GET, POST');
  }
});

t.test('large frames come compressed to a client that reads them, and in their order', async (t) => {
  await using world = await scriptedWorld();
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/v1?compress=deflate-raw`);
  t.teardown(() => socket.close());
  const sent: { isText: boolean; bytes: number }[] = [];
  const heard: unknown[] = [];
  await new Promise<void>((done) => {
    const transport = overWebSocket(() => socket)({
      opened: () => {
        transport.send({ t: 'auth', token: 'demo:STAFF', tenantId: 'demo' });
        transport.send(subscribeStep());
        transport.send({ t: 'ping' });
      },
      heard: (frame) => {
        heard.push(frame);
        if (Reflect.get(frame as object, 't') === 'pong') done();
      },
      lost: () => undefined,
    });
    socket.addEventListener('message', ({ data }: { data: string | Blob }) => {
      sent.push(
        typeof data === 'string' ? { isText: true, bytes: data.length } : { isText: false, bytes: data.size },
      );
    });
  });
  t.match(heard, [{ t: 'hello' }, { t: 'ready' }, { t: 'snapshot', seq: 0 }, { t: 'pong' }]);
  t.same(
    sent.map(({ isText }) => isText),
    [true, true, false, true],
  );
  const { bytes } = sent[2]!;
  t.ok(bytes * 5 < JSON.stringify(heard[2]).length, `${bytes} bytes`);
});
