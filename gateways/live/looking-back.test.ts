import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import type { ServerFrame } from '../../src/live/contracts/live.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { TestClient } from '../../src/testing/live/client.ts';
import { FIRST_NIGHT } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import { follow, STEPS_PROPERTY, signIn } from '../../src/testing/live/steps.ts';

const STAY = { roomType: 'STD', checkIn: FIRST_NIGHT, nights: 2, guestName: 'Ada Lovelace' };

type Snapshot = Extract<ServerFrame, { t: 'snapshot' }>;
const booked = ({ grid }: Snapshot): number => grid[0]!.bookedRooms;

/** Something happens a little later than what was before it. */
async function later(work: () => void): Promise<number> {
  const before = Date.now();
  await pause(5);
  work();
  return before;
}

for (const transport of ['ws', 'socket.io'] as const) {
  t.test(`over ${transport} a client looks at the past, and comes back to the present`, async (t) => {
    await using world = await scriptedWorld();
    await using client = TestClient.connect(world.url, transport);
    await signIn(client);
    await later(() => world.property.book(STAY));
    const between = await later(() => world.property.book({ ...STAY, guestName: 'Alan Turing' }));
    t.equal(booked(await follow(client)), 2);

    client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: between });
    const past = await client.take('snapshot');
    t.equal(booked(past), 1);
    t.equal(past.seq, 1);
    t.ok(past.asOf <= between);
    t.match(past.feed, [{ guestName: 'Ada Lovelace' }]);
    t.equal(past.feed.length, 1);
    t.match(past.kpi[0], { roomsSold: 1, adr: 150, pickupToday: 1 });
    t.strictSame(past.competitors, []);

    world.property.book(STAY);
    client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: new Date(between).toISOString() });
    t.equal(booked(await client.take('snapshot')), 1, 'nothing of the present comes between');
    client.send({ t: 'live' });
    const present = await client.take('snapshot');
    t.equal(booked(present), 3);
    world.property.book(STAY);
    t.match(await client.take('delta'), { from: 4, to: 4 }, 'and it goes on from there');
  });
}

t.test('an instant that has not come, or before the property was there, leaves everything as it was', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: Date.now() });
  t.match(await client.take('error'), { problem: { code: 'INVALID_STATE', frame: 'seek' } }, 'not followed');
  await follow(client);
  client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: 5 });
  const { problem } = await client.take('error');
  t.match(problem, { code: 'INSUFFICIENT_DATA', frame: 'seek', propertyId: STEPS_PROPERTY });
  for (const asOf of [-1, -8e15, '0000-01-01T00:00:00Z']) {
    client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf });
    t.match((await client.take('error')).problem, { code: 'VALIDATION_FAILED' }, `${asOf} is no instant of ours`);
  }
  world.property.book(STAY);
  t.match(await client.take('delta'), { from: 1, to: 1 }, 'still live');
  client.send({ t: 'live' });
  t.match(await client.take('heartbeat'), { positions: { [STEPS_PROPERTY]: { seq: 1 } } }, 'it is there already');
});

t.test('roles see the past as they see the present', async (t) => {
  await using world = await scriptedWorld({ recheckMs: 20 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client, 'MANAGER');
  await later(() => world.property.book(STAY));
  const between = await later(() => world.property.book(STAY));
  await follow(client);
  client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: between });
  t.hasProp((await client.take('snapshot')).kpi[0]!, 'adr');
  world.authenticator.roles.set('demo:MANAGER', 'VIEWER');
  t.match(await client.take('ready'), { role: 'VIEWER' });
  const masked = await client.take('snapshot');
  t.equal(masked.seq, 1, 'the same moment');
  t.notOk('adr' in masked.kpi[0]!);
  t.not(masked.feed[0]!.guestName, 'Ada Lovelace');
});

t.test('a new window is live; the past is requested again', async (t) => {
  await using world = await scriptedWorld({ lingerMs: 1 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const before = await later(() => world.property.book(STAY));
  await follow(client);
  client.send({ t: 'seek', propertyId: STEPS_PROPERTY, asOf: before });
  t.equal(booked(await client.take('snapshot')), 0);
  await untilTime(() => world.property.listeners === 0, 'the end of following');
  t.pass('a property viewed only in the past is not followed');
  t.equal(booked(await follow(client, { days: 3 })), 1);
  client.send(
    { t: 'seek', propertyId: STEPS_PROPERTY, asOf: before },
    { t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 0 },
  );
  t.equal((await client.take('snapshot')).grid.length, 6);
  t.equal(booked(await client.take('snapshot')), 0, 'a resync brings the same moment again');
  client.send({ t: 'live' });
  t.equal(booked(await client.take('snapshot')), 1);
});

t.test('the market comes with the snapshot, and moves by itself', async (t) => {
  await using world = await scriptedWorld();
  const night = { roomType: 'STD', day: FIRST_NIGHT, median: 12_000, low: 9_050, high: 15_000, count: 3 };
  world.market.push({ ...night, observedAt: 1 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const shown = { roomType: 'STD', date: '2026-03-01', median: 120, low: 90.5, high: 150, count: 3, observedAt: 1 };
  t.strictSame((await follow(client, { topics: ['competitors'] })).competitors, [shown]);
  world.property.noteMarket([{ ...night, median: 11_000, observedAt: 2 }]);
  const { patches } = await client.take('delta');
  t.strictSame(patches, [{ topic: 'competitors', ...shown, median: 110, observedAt: 2 }]);
  await using staff = TestClient.connect(world.url, 'ws');
  await signIn(staff, 'STAFF');
  t.strictSame((await follow(staff, { topics: ['competitors'] })).competitors, [], 'amounts are not for everybody');
  world.property.noteMarket([{ ...night, observedAt: 3 }]);
  t.strictSame((await staff.take('delta')).patches, []);
  await client.take('delta');
  world.property.noteMarket([{ ...night, count: 0, observedAt: 4 }]);
  t.strictSame((await client.take('snapshot')).competitors, [], 'what is gone no patch can say');
});

t.test('rates in another currency are not shown in this one', async (t) => {
  await using world = await scriptedWorld();
  const night = { roomType: 'STD', day: FIRST_NIGHT, median: 12_000, low: 9_050, high: 15_000, count: 3 };
  world.market.push({ ...night, observedAt: 1 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  t.equal((await follow(client, { topics: ['competitors'] })).competitors.length, 1);
  world.property.changeCurrency('USD');
  t.strictSame((await client.take('snapshot')).competitors, []);
});
