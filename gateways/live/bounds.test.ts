import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';

import { LIVE_LIMITS } from '../../packages/client/src/live/live-limits.ts';
import { Replica } from '../../packages/client/src/live/replica.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { TestClient, CLIENT_TRANSPORTS } from '../../src/testing/live/client.ts';
import { ScriptedProperty } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld, type ScriptedWorld } from '../../src/testing/live/scripted-world.ts';
import {
  contentOf,
  follow,
  fresh,
  STEPS_PROPERTY,
  replay,
  signIn,
  subscribeStep,
} from '../../src/testing/live/steps.ts';

/** Small buffers; what the network itself holds cannot be limited, so there has to be much more than that. */
const SMALL = { slowBytes: 65_536, resumedBytes: 4_096, slowPollMs: 5 };
const TOO_MUCH_CHANGES = 900;

async function changeMuch({ property }: ScriptedWorld): Promise<void> {
  for (let change = 0; change < TOO_MUCH_CHANGES; change++) {
    property.setAllRates(10_000 + change);
    await turn();
  }
}

for (const transport of CLIENT_TRANSPORTS) {
  t.test(`${transport}: a frame of 64 KB is read, a larger one closes with 1009`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await client.take('hello');
    const frame = { t: 'ping', padding: '' };
    const room = LIVE_LIMITS.frameBytes - JSON.stringify(frame).length;
    client.send({ ...frame, padding: 'x'.repeat(room) });
    t.match((await client.take('error')).problem, { code: 'VALIDATION_FAILED' });
    client.send({ ...frame, padding: 'x'.repeat(room + 64) });
    t.equal(await client.closing(), 1009);
  });

  t.test(`${transport}: a slow reader gets a snapshot instead of what it did not take`, async (t) => {
    await using world = await scriptedWorld(SMALL);
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    const replica = new Replica(STEPS_PROPERTY);
    replica.applySnapshot(await follow(client, { days: 60 }));
    client.stopReading();
    await changeMuch(world);
    client.readAgain();
    await replay(client, replica, TOO_MUCH_CHANGES);
    t.ok(client.snapshots >= 2, `${client.snapshots} snapshots`);
    t.ok(client.deltas < TOO_MUCH_CHANGES / 2, `${client.deltas} deltas fitted into the network's buffers`);
    world.property.nothing();
    t.match(await client.take('delta'), { from: TOO_MUCH_CHANGES + 1 }, 'and goes on with deltas');
    replica.applyDelta({ ...EMPTY_DELTA, from: TOO_MUCH_CHANGES + 1, to: TOO_MUCH_CHANGES + 1 });
    t.strictSame(contentOf(replica), await fresh(client, { days: 60 }));
  });

  t.test(`${transport}: a reader that stays blocked is closed with 1013`, async (t) => {
    await using world = await scriptedWorld({ ...SMALL, blockedMs: 40 });
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    await follow(client, { days: 60 });
    client.stopReading();
    for (let change = 0; world.logged.length === 0; change++) {
      world.property.setAllRates(10_000 + change);
      await turn();
    }
    client.readAgain();
    t.equal(await client.closing(), 1013);
  });

  t.test(`${transport}: draining closes with 1001 and refuses newcomers`, async (t) => {
    await using world = await scriptedWorld();
    await using first = TestClient.connect(world.url, transport);
    await using second = TestClient.connect(world.url, transport);
    await Promise.all([first.take('hello'), second.take('hello')]);
    t.strictSame(world.gateway.stats(), { connections: 2, properties: 0 });
    const draining = world.gateway.close(30);
    await using late = TestClient.connect(world.url, transport);
    t.equal(await first.closing(), 1001);
    t.equal(await second.closing(), 1001);
    await draining;
    await late.closing();
    t.strictSame(late.waiting, []);
    t.strictSame(world.gateway.stats(), { connections: 0, properties: 0 });
  });
}

const EMPTY_DELTA = {
  t: 'delta' as const,
  propertyId: STEPS_PROPERTY,
  generation: 1,
  ts: 0,
  cause: { type: '', id: '' },
  patches: [],
};

t.test('a client that sends without waiting for answers is closed with 1013', async (t) => {
  await using world = await scriptedWorld({ queuedFrames: 8 });
  await using client = TestClient.connect(world.url, 'ws');
  await client.take('hello');
  client.send(
    { t: 'auth', token: 'demo:STAFF', tenantId: 'demo' },
    ...Array.from({ length: 20 }, () => ({ t: 'ping' })),
  );
  t.equal(await client.closing(), 1013);
});

t.test('a connection follows a limited number of properties', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  for (let n = 0; n <= LIVE_LIMITS.subscriptions; n++) {
    const propertyId = `hotel-${n}`;
    world.properties.set(propertyId, new ScriptedProperty(propertyId, 2));
    client.send({ ...subscribeStep(), propertyId });
    if (n < LIVE_LIMITS.subscriptions) await client.take('snapshot');
  }
  t.match((await client.take('error')).problem, { code: 'QUOTA_EXCEEDED' });
  t.match(await follow(client, {}).catch((error: Error) => error.message), /QUOTA_EXCEEDED/);
  client.send({ t: 'unsubscribe', propertyId: 'hotel-0' });
  await follow(client);
});

t.test('peers that do not answer pings are dropped', async (t) => {
  await using world = await scriptedWorld({ heartbeatMs: 15 });
  await using client = TestClient.connect(world.url, 'ws');
  await client.take('hello');
  client.stopReading();
  await untilTime(() => world.gateway.stats().connections === 0, 'the end of the connection');
  t.pass('the connection is gone');
});

t.test('other upgrades are answered 404', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(`${world.url}/elsewhere`, 'ws');
  await client.closing();
  t.strictSame(client.waiting, []);
});
