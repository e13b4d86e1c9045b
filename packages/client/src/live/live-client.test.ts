import t from 'tap';

import { freePorts } from '../../../../src/testing/launch/free-ports.ts';
import {
  delta,
  type ScriptedClient,
  heartbeat,
  SCRIPTED_PROPERTY,
  READY,
  errorFrame,
  ScriptedServer,
  snapshot,
  SCRIPTED_TRANSPORTS,
  type Transport,
} from '../../../../src/testing/live/scripted-server.ts';
import { LiveClient, type LiveClientOptions, type StreamState, type WantedProperty } from './live-client.ts';
import { pauseBefore } from './reconnecting.ts';
import type { Replica } from './replica.ts';

const WANTED: WantedProperty = {
  propertyId: SCRIPTED_PROPERTY,
  topics: ['grid'],
  window: { start: '2026-03-01', days: 1 },
};
const LATER: WantedProperty = { ...WANTED, window: { start: '2026-04-01', days: 1 } };

/** A client and its reported state. */
class Watched implements Disposable {
  readonly states: StreamState[] = [];
  readonly outcomes: string[] = [];
  readonly problems: string[] = [];
  readonly client: LiveClient;

  constructor(server: ScriptedServer, transport: Transport, options: Partial<LiveClientOptions> = {}) {
    const note = <T>(into: T[], item: T): void => {
      into.push(item);
      server.changed();
    };
    this.client = new LiveClient({
      connect: server.connect(transport),
      token: 'first',
      tenantId: 'demo',
      pauses: { firstMs: 2, maxMs: 4 },
      listener: {
        stateChanged: (state) => note(this.states, state),
        dataChanged: (_, { kind }) => note(this.outcomes, kind),
        problem: ({ code }) => note(this.problems, code),
      },
      ...options,
    });
    this.client.follow(WANTED);
  }

  get state(): string | undefined {
    return this.states.at(-1)?.kind;
  }

  get replica(): Replica {
    return this.client.replica(SCRIPTED_PROPERTY)!;
  }

  /** The page's content: one number, which equals the `seq` unless states are mixed up. */
  get booked(): number | undefined {
    return [...this.replica.grid.values()][0]?.bookedRooms;
  }

  [Symbol.dispose](): void {
    this.client.close();
  }
}

/** A client that shows `seq`, and its connection on the server. */
async function settled(server: ScriptedServer, page: Watched, seq: number): Promise<ScriptedClient> {
  const guest = await server.guest(1);
  await server.until(() => guest.take('subscribe'));
  guest.say(READY, snapshot(seq));
  await server.until(() => page.booked === seq);
  return guest;
}

for (const transport of SCRIPTED_TRANSPORTS) {
  t.test(`${transport}: it says who it is and what it wants at once, and is live with the snapshot`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport);
    const guest = await server.guest(1);
    t.match(await server.until(() => guest.take('auth')), { token: 'first', tenantId: 'demo' });
    t.strictSame(await server.until(() => guest.take('subscribe')), { t: 'subscribe', ...WANTED });
    t.equal(page.state, 'catching-up');
    guest.say(READY, snapshot(4), delta(5), delta(6, 9));
    await server.until(() => page.booked === 9);
    t.equal(page.state, 'live');
    t.strictSame(page.outcomes, ['replaced', 'applied', 'applied']);
  });

  t.test(`${transport}: a gap is requested, and nothing is applied over it`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport);
    const guest = await settled(server, page, 4);
    guest.say(delta(6));
    t.match(await server.until(() => guest.take('resync')), { propertyId: SCRIPTED_PROPERTY, generation: 1, seq: 4 });
    t.equal(page.booked, 4);
    t.equal(page.state, 'catching-up');
    guest.say(delta(7), delta(5), delta(6), delta(7));
    await server.until(() => page.booked === 7);
    t.equal(page.state, 'live');
  });

  t.test(`${transport}: repeats change nothing, and frames in the wrong order end right`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport);
    const guest = await settled(server, page, 4);
    guest.say(delta(5), delta(5), delta(3), delta(6));
    await server.until(() => page.booked === 6);
    t.strictSame(page.outcomes, ['replaced', 'applied', 'applied']);
    guest.say(delta(8), delta(7));
    t.match(await server.until(() => guest.take('resync')), { seq: 6 });
    await server.until(() => page.booked === 7);
    guest.say(delta(7), delta(8));
    await server.until(() => page.booked === 8);
    t.equal(page.replica.position?.seq, 8);
  });

  t.test(`${transport}: another generation is another history`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport);
    const guest = await settled(server, page, 40);
    guest.say(delta(41, 41, 2));
    t.match(await server.until(() => guest.take('resync')), { generation: 1, seq: 40 });
    guest.say(snapshot(12, 2), delta(13, 13, 2));
    await server.until(() => page.booked === 13);
    t.strictSame(page.replica.position, { generation: 2, seq: 13 });
  });

  t.test(`${transport}: a delta that never came is noticed at the next heartbeat`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport);
    const guest = await settled(server, page, 4);
    guest.say(heartbeat(6));
    t.match(await server.until(() => guest.take('resync')), { seq: 4 });
    guest.say(heartbeat(6));
    t.match(await server.until(() => guest.take('resync')), { seq: 4 }, 'so is an answer that never came');
    guest.say(delta(5, 6), heartbeat(6));
    await server.until(() => page.booked === 6);
    t.equal(page.state, 'live');
  });

  t.test(`${transport}: after a restart of the server it goes on from its position`, async (t) => {
    const [port] = await freePorts(1);
    const server = await ScriptedServer.start(port);
    using page = new Watched(server, transport);
    await settled(server, page, 4);
    await server[Symbol.asyncDispose]();
    await server.until(() => page.states.some((state) => state.kind === 'reconnecting' && state.attempt === 3));
    t.equal(page.booked, 4, 'what it knew stays');
    await using again = await ScriptedServer.start(port);
    const back = await again.guest(1);
    const { from } = await again.until(() => back.take('subscribe'));
    t.strictSame(from, { generation: 1, seq: 4 });
    back.say(READY, delta(5));
    await server.until(() => page.booked === 5);
    t.strictSame(page.outcomes, ['replaced', 'applied'], 'no second snapshot');
  });

  t.test(`${transport}: a drain (1001) and too slow a reader (1013) come back, the latter later`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport, { pauses: { firstMs: 8, maxMs: 1_000 } });
    const guest = await settled(server, page, 4);
    guest.close(1001);
    const second = await server.guest(2);
    t.match(
      page.states.find(({ kind }) => kind === 'reconnecting'),
      { attempt: 1 },
    );
    t.match(await server.until(() => second.take('subscribe')), { from: { seq: 4 } });
    second.say(READY);
    second.close(1013);
    const third = await server.guest(3);
    t.match(
      page.states.findLast(({ kind }) => kind === 'reconnecting'),
      { attempt: 4 },
    );
    t.match(await server.until(() => third.take('subscribe')), { from: { seq: 4 } });
  });

  t.test(`${transport}: turned away (4401) it tries one fresh token, then it is signed out`, async (t) => {
    await using server = await ScriptedServer.start();
    const tokens = ['second', 'third'];
    using page = new Watched(server, transport, { freshToken: async () => tokens.shift() });
    (await server.guest(1)).close(4401);
    const second = await server.guest(2);
    t.match(await server.until(() => second.take('auth')), { token: 'second' });
    second.close(4401);
    await server.until(() => page.state === 'signed-out');
    t.match(page.states.at(-1), { because: 'token' });
    t.equal(server.guests.length, 2);
    page.client.renew('fourth');
    const third = await server.guest(3);
    t.match(await server.until(() => third.take('auth')), { token: 'fourth' });
    third.close(4403);
    await server.until(() => page.state === 'signed-out');
    t.match(page.states.at(-1), { because: 'tenant' });
  });

  t.test(`${transport}: a token that ends is renewed in band, on the same connection`, async (t) => {
    await using server = await ScriptedServer.start();
    using page = new Watched(server, transport, { freshToken: async () => 'second' });
    const guest = await settled(server, page, 4);
    await server.until(() => guest.take('ping'));
    guest.say(errorFrame('UNAUTHENTICATED'));
    t.match(await server.until(() => guest.take('auth')), { token: 'second' });
    guest.say(READY, delta(5));
    await server.until(() => page.booked === 5);
    t.equal(server.guests.length, 1);
  });
}

t.test('frames of the window before are not taken for those of the new one', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await settled(server, page, 4);
  await server.until(() => guest.take('ping'));
  page.client.follow(LATER);
  t.ok(await server.until(() => guest.take('unsubscribe')));
  await server.until(() => guest.take('ping'));
  const subscribe = await server.until(() => guest.take('subscribe'));
  t.strictSame(subscribe, { t: 'subscribe', ...LATER }, 'no position: another window is other data');
  // Two pings are pending; the second one separates the windows.
  guest.say({ t: 'pong' }, snapshot(5), delta(6), { t: 'pong' }, snapshot(7));
  await server.until(() => page.booked === 7);
  t.strictSame(page.outcomes, ['replaced', 'replaced'], 'once for each window');
});

t.test('a refused subscribe is repeated where that helps, and else given up', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await server.guest(1);
  const about = { propertyId: SCRIPTED_PROPERTY, frame: 'subscribe' };
  guest.say(READY, errorFrame('NOT_EXECUTED', { ...about, retryable: true }));
  await server.until(() => guest.take('subscribe'));
  await server.until(() => guest.take('subscribe'));
  guest.say(errorFrame('PROPERTY_NOT_FOUND', about));
  await server.until(() => page.problems.length === 2);
  t.equal(page.client.replica(SCRIPTED_PROPERTY), undefined);
});

t.test('a login service that is away is no reason to be signed out', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  (await server.guest(1)).say(errorFrame('PARTNER_UNAVAILABLE', { retryable: true }));
  await server.guest(2);
  t.notOk(page.states.some(({ kind }) => kind === 'signed-out'));
});

t.test('the client shows a past instant until live() is called', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await settled(server, page, 9);
  page.client.live();
  page.client.seek('another-house', 5);
  page.client.seek(SCRIPTED_PROPERTY, 5);
  t.strictSame(await server.until(() => guest.take('seek')), { t: 'seek', propertyId: SCRIPTED_PROPERTY, asOf: 5 });
  guest.say(snapshot(4), heartbeat(4));
  await server.until(() => page.booked === 4);
  t.strictSame(page.states.at(-1), { kind: 'past', asOf: 5 });
  page.client.seek(SCRIPTED_PROPERTY, 99);
  await server.until(() => guest.take('seek'));
  guest.say(errorFrame('VALIDATION_FAILED', { frame: 'seek', propertyId: SCRIPTED_PROPERTY }));
  await server.until(() => page.problems.length === 1);
  guest.close(1001);
  const again = await server.guest(2);
  t.notOk((await server.until(() => again.take('subscribe'))).from, 'nobody goes on from a place in the past');
  t.match(await server.until(() => again.take('seek')), { asOf: 5 }, 'to where it was, not to where it could not go');
  again.say(READY, snapshot(12), snapshot(4));
  await server.until(() => page.booked === 4 && page.state === 'past');
  page.client.follow(LATER);
  t.match(await server.until(() => again.take('seek')), { asOf: 5 }, 'other nights of the same instant');
  page.client.live();
  t.equal(page.state, 'catching-up');
  again.say({ t: 'pong' }, { t: 'pong' }, snapshot(4));
  await server.until(() => again.take('live'));
  t.equal(page.state, 'catching-up');
  again.say(heartbeat(4));
  again.say(snapshot(13), delta(14));
  await server.until(() => page.booked === 14);
  t.equal(page.state, 'live');
  const shown = page.states.slice(page.states.findLastIndex(({ kind }) => kind === 'past') + 1);
  t.strictSame(
    shown.map(({ kind }) => kind),
    ['catching-up', 'live', 'live'],
    'it is not live before it shows the present',
  );
});

t.test('a slider that moves on does not call one instant another', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await settled(server, page, 40);
  for (const asOf of [10, 15, 20.7, Number.NaN]) page.client.seek(SCRIPTED_PROPERTY, asOf);
  t.match(await server.until(() => guest.take('seek')), { asOf: 10 });
  guest.say(delta(41), snapshot(10));
  t.match(await server.until(() => guest.take('seek')), { asOf: 20 }, 'positions passed over are not requested');
  t.strictSame(page.states.at(-1), { kind: 'past', asOf: 10 });
  guest.say(snapshot(20));
  await server.until(() => page.booked === 20);
  page.client.seek(SCRIPTED_PROPERTY, 20);
  t.match(await server.until(() => guest.take('seek')), { asOf: 20 }, 'a repeated request is answered again');
  page.client.live();
  guest.say(snapshot(20));
  await server.until(() => guest.take('live'));
  t.strictSame(page.states.at(-2), { kind: 'past', asOf: 20 });
  t.equal(page.state, 'catching-up');
});

t.test('a past that it cannot come back to is not what it says that it shows', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await settled(server, page, 40);
  page.client.seek(SCRIPTED_PROPERTY, 10);
  await server.until(() => guest.take('seek'));
  guest.say(snapshot(10));
  await server.until(() => page.state === 'past');
  guest.close(1001);
  const again = await server.guest(2);
  await server.until(() => again.take('seek'));
  again.say(READY, snapshot(42));
  await server.until(() => page.booked === 42);
  t.not(page.state, 'past', 'the present has come, and the past not yet');
  again.say(errorFrame('NOT_EXECUTED', { frame: 'seek', propertyId: SCRIPTED_PROPERTY }), delta(43));
  await server.until(() => page.booked === 43);
  t.equal(page.state, 'live');
  page.client.live();
  t.equal(page.outcomes.at(-1), 'replaced', 'a client that stays in the past is switched to the present');
  again.close(1001);
  const third = await server.guest(3);
  t.match(await server.until(() => third.take('subscribe')), { from: { seq: 43 } }, 'from the present it goes on');
});

t.test('on its way back to the present it does not go on from the past', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await settled(server, page, 40);
  page.client.seek(SCRIPTED_PROPERTY, 10);
  await server.until(() => guest.take('seek'));
  guest.say(snapshot(10));
  await server.until(() => page.state === 'past');
  page.client.live();
  await server.until(() => guest.take('live'));
  guest.close(1001);
  const again = await server.guest(2);
  t.notOk((await server.until(() => again.take('subscribe'))).from);
  again.say(READY, snapshot(10));
  await server.until(() => page.state === 'live');
  t.notOk(again.take('seek'), 'nothing has happened since, and it is the present');
});

t.test('unknown frames are ignored', async (t) => {
  await using server = await ScriptedServer.start();
  using page = new Watched(server, 'ws');
  const guest = await settled(server, page, 4);
  guest.say({ t: 'fireworks' } as never, 'text' as never, null as never, delta(5));
  await server.until(() => page.booked === 5);
  t.pass('and the next one counts');
});

t.test('pauses double up to a bound, and differ between clients', (t) => {
  const pauses = { firstMs: 500, maxMs: 15_000 };
  t.strictSame(
    [1, 2, 3, 6, 400].map((attempt) => pauseBefore(attempt, pauses, 1)),
    [500, 1_000, 2_000, 15_000, 15_000],
  );
  t.equal(pauseBefore(1, pauses, 0), 250);
  t.end();
});
