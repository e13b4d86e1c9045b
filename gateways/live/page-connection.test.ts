import t from 'tap';

import { overWebSocket } from '../../packages/client/src/live/live-transports.ts';
import type { Replica } from '../../packages/client/src/live/replica.ts';
import { TestClient } from '../../src/testing/live/client.ts';
import { FIRST_NIGHT } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import { contentOf, fresh, STEPS_PROPERTY, signIn } from '../../src/testing/live/steps.ts';
import { type ConnectionState, DashboardConnection, type WantedProperty } from '../dashboard/live/connection.ts';
import { LagMeter } from '../dashboard/live/lag.ts';

/** Often enough for a test; a machine that stands still for two and a half of them looks like a lost connection. */
const HEARTBEAT_MS = 400;
/** Less than what tap gives a file. */
const NOTE_MS = 60_000;
const WANTED: WantedProperty = {
  propertyId: STEPS_PROPERTY,
  topics: ['grid', 'feed', 'kpi', 'rooms'],
  window: { start: '2026-03-01', days: 30 },
};
const STAY = { roomType: 'STD', checkIn: FIRST_NIGHT, nights: 2, guestName: 'Ada Lovelace' };

/** The page's client, with all its callbacks into the page. */
class Watched implements Disposable {
  readonly states: ConnectionState[] = [];
  readonly outcomes: string[] = [];
  readonly problems: string[] = [];
  replica: Replica | undefined;
  online = true;
  readonly client: DashboardConnection;
  readonly #wake = new Set<() => void>();

  constructor(url: string, token = 'demo:MANAGER', tenantId = 'demo') {
    this.client = new DashboardConnection({
      connect: overWebSocket(() => new WebSocket(`${url.replace('http', 'ws')}/ws/v1?compress=deflate-raw`)),
      token,
      tenantId,
      pauses: { firstMs: 4, maxMs: 8 },
      isOnline: () => this.online,
      listener: {
        stateChanged: (state) => this.#note(this.states, state),
        dataChanged: (replica, { kind }) => {
          this.replica = replica;
          this.#note(this.outcomes, kind);
        },
        ready: () => {},
        problem: ({ code }) => this.#note(this.problems, code),
      },
    });
    this.client.watch(WANTED);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#wake.add(resolve);
      const late = setTimeout(() => reject(new Error(`nothing came in ${NOTE_MS} ms`)), NOTE_MS);
      await promise.finally(() => clearTimeout(late));
    }
  }

  get state(): string | undefined {
    return this.states.at(-1)?.kind;
  }

  [Symbol.dispose](): void {
    this.client.close();
  }

  #note<T>(into: T[], item: T): void {
    into.push(item);
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }
}

t.test('the page connects, catches up, is live, and shows every change', async (t) => {
  await using world = await scriptedWorld({ heartbeatMs: HEARTBEAT_MS });
  using page = new Watched(world.url);
  await page.until(() => page.state === 'live');
  t.strictSame([...new Set(page.states.map(({ kind }) => kind))], ['connecting', 'catching-up', 'live']);
  world.property.book(STAY);
  await page.until(() => page.replica?.position?.seq === 1);
  await page.until(() => page.states.some((state) => state.kind === 'live' && state.lagMs !== undefined));
  t.match(page.replica?.feed, [{ guestName: 'Ada Lovelace' }]);
  t.strictSame(page.outcomes, ['replaced', 'applied']);
});

t.test('a lost connection is made again and goes on where it was', async (t) => {
  await using world = await scriptedWorld({ heartbeatMs: HEARTBEAT_MS });
  using page = new Watched(world.url);
  await page.until(() => page.state === 'live');
  world.dropSockets();
  world.property.book(STAY);
  world.property.book(STAY);
  await page.until(() => page.replica?.position?.seq === 2);
  t.match(
    page.states.find(({ kind }) => kind === 'reconnecting'),
    { attempt: 1, retryAt: Number },
  );
  t.strictSame(page.outcomes, ['replaced', 'applied'], 'no second snapshot');
  world.dropSockets();
  await page.until(() => page.state !== 'live');
  await page.until(() => page.state === 'live');
  t.strictSame(page.outcomes, ['replaced', 'applied'], 'nothing missed, nothing sent');
  await using other = TestClient.connect(world.url, 'ws');
  await signIn(other);
  t.strictSame(page.replica && contentOf(page.replica), await fresh(other));
});

t.test('attempts are counted, and stop while the device has no network', async (t) => {
  await using world = await scriptedWorld({ heartbeatMs: HEARTBEAT_MS });
  using page = new Watched(world.url);
  await page.until(() => page.state === 'live');
  page.online = false;
  page.client.networkLost();
  t.equal(page.state, 'offline');
  page.client.retryNow();
  t.equal(page.state, 'offline', 'there is nothing to try');
  page.online = true;
  page.client.retryNow();
  await page.until(() => page.state === 'live');
  await world.gateway.close(0);
  await page.until(() => page.states.some((state) => state.kind === 'reconnecting' && state.attempt === 3));
  t.pass('it goes on trying');
});

t.test('without a valid token or tenant it is signed out and tries no more', async (t) => {
  await using world = await scriptedWorld({ recheckMs: 10 });
  using forged = new Watched(world.url, 'forged');
  await forged.until(() => forged.state === 'signed-out');
  t.match(forged.states.at(-1), { because: 'token' });
  t.strictSame(forged.problems, ['UNAUTHENTICATED']);
  using page = new Watched(world.url, 'demo:STAFF');
  await page.until(() => page.state === 'live');
  world.authenticator.roles.set('demo:STAFF', undefined);
  await page.until(() => page.state === 'signed-out');
  t.match(page.states.at(-1), { because: 'tenant' });
});

t.test('an expired token can be renewed without losing the connection', async (t) => {
  await using world = await scriptedWorld();
  using page = new Watched(world.url, 'demo:STAFF:0.05');
  await page.until(() => page.problems.length === 1);
  page.client.renew('demo:STAFF');
  world.property.book(STAY);
  await page.until(() => page.replica?.position?.seq === 1);
  t.notOk(page.states.some(({ kind }) => kind === 'reconnecting' || kind === 'signed-out'));
});

t.test('a server that falls silent counts as lost', async (t) => {
  await using world = await scriptedWorld({ heartbeatMs: 10 });
  using page = new Watched(world.url);
  await page.until(() => page.state === 'live');
  world.beSilent();
  await page.until(() => page.states.some(({ kind }) => kind === 'reconnecting'));
  t.pass('noticed without a close');
});

t.test('lag is measured on the server’s clock, whatever the browser’s says', async (t) => {
  const meter = new LagMeter();
  t.equal(meter.lagMs, undefined);
  meter.pinged(0);
  meter.ponged(20);
  // The server is an hour ahead; its frame was ten milliseconds under way.
  meter.heardTime(3_600_000, 10);
  t.equal(meter.serverNow(10), 3_600_010 - 0);
  for (const behind of [5, 7, 400]) meter.arrived(3_600_010 + 100 - behind, 110);
  t.equal(meter.lagMs, 7, 'one slow frame is no slow connection');
  meter.arrived(9_999_999, 110);
  t.ok((meter.lagMs ?? -1) >= 0, 'never before it happened');
});
