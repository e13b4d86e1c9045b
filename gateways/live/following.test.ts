import t from 'tap';

import { Replica } from '../../packages/client/src/live/replica.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { TestClient } from '../../src/testing/live/client.ts';
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

const STAY = { roomType: 'STD', checkIn: FIRST_NIGHT, nights: 2 };

t.test('any number of clients share one follow, which ends some time after the last has gone', async (t) => {
  await using world = await scriptedWorld({ lingerMs: 30 });
  await using first = TestClient.connect(world.url, 'ws');
  await using second = TestClient.connect(world.url, 'socket.io');
  await Promise.all([signIn(first), signIn(second, 'VIEWER')]);
  await Promise.all([follow(first), follow(second, { days: 5 })]);
  world.property.book(STAY);
  await Promise.all([first.take('delta'), second.take('delta')]);
  t.equal(world.property.follows, 1);

  first.send({ t: 'unsubscribe', propertyId: STEPS_PROPERTY });
  second.send({ t: 'unsubscribe', propertyId: STEPS_PROPERTY }, subscribeStep());
  await second.take('snapshot');
  t.equal(world.property.follows, 1, 'coming back soon finds it still followed');
  second.send({ t: 'unsubscribe', propertyId: STEPS_PROPERTY }, { t: 'ping' });
  await second.take('pong');
  await untilTime(() => world.property.listeners === 0, 'the end of following');
  t.equal(world.gateway.stats().properties, 0);
  await follow(first);
  t.equal(world.property.follows, 2);
});

t.test('the actor moves: clients go on without a gap and without a snapshot', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const replica = new Replica(STEPS_PROPERTY);
  replica.applySnapshot(await follow(client));
  world.property.book(STAY);
  world.property.lose(() => world.property.book(STAY));
  world.property.book(STAY);
  world.property.lose();
  world.property.lose();
  await replay(client, replica, 3);
  world.property.book(STAY);
  await replay(client, replica, 4);
  t.equal(client.snapshots, 1);
  t.strictSame(contentOf(replica), await fresh(client));
  t.strictSame(world.property.asked.slice(0, 2), [undefined, { generation: 1, seq: 1, continues: true }]);
});

t.test('when too much was missed, or history was rewound, everybody gets a snapshot', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  world.property.ringLength = 1;
  world.property.lose(() => {
    world.property.book(STAY);
    world.property.book(STAY);
  });
  t.match(await client.take('snapshot'), { generation: 1, seq: 2 });
  world.property.restore();
  t.match(await client.take('snapshot'), { generation: 2, seq: 2 });
  world.property.book(STAY);
  t.match(await client.take('delta'), { generation: 2, from: 3 });
});

t.test('while the property is between two nodes, it is requested again and again', async (t) => {
  await using world = await scriptedWorld({ retryFirstMs: 1, retryMostMs: 4 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  const away = () => new DomainError('NOT_EXECUTED', 'No owner at the moment.');
  world.property.rejections.push(away(), away(), away());
  world.property.lose(() => world.property.book(STAY));
  t.match(await client.take('delta'), { from: 1 });
  t.equal(world.property.follows, 5);
});

t.test('a first subscribe that fails says why and can be repeated', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  world.property.rejections.push(new DomainError('NOT_EXECUTED', 'No owner at the moment.'));
  client.send(subscribeStep());
  t.match((await client.take('error')).problem, { code: 'NOT_EXECUTED', retryable: true, frame: 'subscribe' });
  await follow(client);
});

t.test('a batch goes out as one delta with the last values and every booking', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const replica = new Replica(STEPS_PROPERTY);
  replica.applySnapshot(await follow(client));
  world.property.batch(() => {
    for (let n = 0; n < 6; n++) world.property.book(STAY);
  });
  const delta = await client.take('delta');
  t.match(delta, { from: 1, to: 6 });
  t.equal(delta.patches.filter(({ topic }) => topic === 'grid').length, 2);
  t.equal(delta.patches.filter(({ topic }) => topic === 'feed').length, 6);
  replica.applyDelta(delta);
  t.strictSame(contentOf(replica), await fresh(client));
  client.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 3 });
  t.match(await client.take('delta'), { from: 4, to: 6 }, 'the ring has them singly');
});

t.test('the first change after a quiet moment does not wait for the conflation window', async (t) => {
  await using world = await scriptedWorld({ conflateMs: 600_000 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  world.property.book(STAY);
  t.match(await client.take('delta'), { from: 1, to: 1 });
});

t.test('changes that follow soon go together', async (t) => {
  await using world = await scriptedWorld({ conflateMs: 2_000 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const replica = new Replica(STEPS_PROPERTY);
  replica.applySnapshot(await follow(client));
  const began = performance.now();
  world.property.book(STAY);
  const first = await client.take('delta');
  for (let n = 0; n < 3; n++) {
    world.property.book(STAY);
    await tick();
  }
  const second = await client.take('delta');
  t.ok(performance.now() - began >= 1_999, 'after their time');
  t.match(
    [first, second],
    [
      { from: 1, to: 1 },
      { from: 2, to: 4 },
    ],
  );
  replica.applyDelta(first);
  replica.applyDelta(second);
  t.strictSame(contentOf(replica), await fresh(client));
});

t.test('a client that joins within the conflation window sees its changes, and none sees them twice', async (t) => {
  await using world = await scriptedWorld({ conflateMs: 5_000 });
  await using first = TestClient.connect(world.url, 'ws');
  await using second = TestClient.connect(world.url, 'ws');
  await Promise.all([signIn(first), signIn(second)]);
  await follow(first);
  world.property.book(STAY);
  t.match(await first.take('delta'), { from: 1, to: 1 });
  world.property.book(STAY);
  t.equal((await follow(second)).seq, 2);
  t.match(await first.take('delta'), { from: 2, to: 2 });
  second.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 2 });
  t.match(await second.next(), { t: 'heartbeat', positions: { [STEPS_PROPERTY]: { seq: 2 } } }, 'it has everything');
});

t.test('after a restart those who were away longest find what they missed, in any order', async (t) => {
  await using world = await scriptedWorld();
  for (let n = 0; n < 9; n++) world.property.book(STAY);
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  client.send(subscribeStep({ from: { generation: 1, seq: 8 } }));
  t.match(await client.take('delta'), { from: 9, to: 9 });
  client.send(subscribeStep({ from: { generation: 1, seq: 2 } }));
  t.match(await client.take('delta'), { from: 3, to: 9 });
  t.equal(client.snapshots, 0);
});

t.test('cells or rooms that go away cannot be patched: everybody gets a snapshot', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  world.property.batch(() => {
    world.property.book(STAY);
    world.property.roll();
    world.property.book({ ...STAY, checkIn: FIRST_NIGHT + 1 });
  });
  const rolled = await client.take('snapshot');
  t.equal(rolled.seq, 3);
  t.equal(rolled.grid.length, 58, 'the first night has gone');
  t.equal(rolled.feed.length, 2);
  world.property.removeRoom('101');
  t.strictSame((await client.take('snapshot')).rooms, []);
  client.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 2 });
  t.equal((await client.take('snapshot')).seq, 4, 'also for who comes from before it');
});

t.test('an erased guest leaves the feed of current and later followers', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  world.property.book({ ...STAY, guestName: 'Ada Lovelace' });
  world.property.book({ ...STAY, guestName: 'Grace Hopper' });
  t.match(await client.take('delta'), { to: 2 });
  world.property.eraseGuest('res-0001');
  const { seq, feed } = await client.take('snapshot');
  t.equal(seq, 3);
  t.same(
    feed.map(({ guestName }) => guestName),
    ['Grace Hopper'],
  );
  client.send({ t: 'resync', propertyId: STEPS_PROPERTY, generation: 1, seq: 0 });
  t.notMatch(JSON.stringify(await client.take('snapshot')), /Ada/, 'no delta from before it');
  await using second = await scriptedWorld();
  second.property.book({ ...STAY, guestName: 'Ada Lovelace' });
  second.property.eraseGuest('res-0001');
  await using late = TestClient.connect(second.url, 'ws');
  await signIn(late);
  late.send(subscribeStep({ from: { generation: 1, seq: 0 } }));
  t.notMatch(JSON.stringify(await late.take('snapshot')), /Ada/, 'also where nobody had followed');
});

t.test('a snapshot waits for the entries up to it, so that no booking is lost from the feed', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  await world.property.trickle(() => {
    world.property.book(STAY);
    world.property.roll();
    world.property.book({ ...STAY, checkIn: FIRST_NIGHT + 1 });
  });
  t.match(await client.take('delta'), { from: 1, to: 1 });
  const rolled = await client.take('snapshot');
  t.equal(rolled.seq, 3);
  t.equal(rolled.feed.length, 2);
});

t.test('a property that does not answer in time can be requested again', async (t) => {
  await using world = await scriptedWorld({ followWithinMs: 20 });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.property.hanging = promise;
  client.send(subscribeStep(), { t: 'ping' });
  t.match((await client.take('error')).problem, { code: 'NOT_EXECUTED', retryable: true });
  await client.take('pong');
  world.property.hanging = Promise.resolve();
  await follow(client);
  resolve();
  await untilTime(() => world.property.listeners <= 1, 'the end of the late follower');
  t.equal(world.gateway.stats().properties, 1, 'the late answer is dropped');
});

t.test('deltas that were missed before anybody followed lead to exactly the present', async (t) => {
  await using world = await scriptedWorld();
  const blank = new Replica(STEPS_PROPERTY);
  {
    await using early = TestClient.connect(world.url, 'ws');
    await signIn(early);
    blank.applySnapshot(await follow(early));
  }
  await using other = await scriptedWorld();
  for (let n = 0; n < 5; n++) other.property.book({ ...STAY, checkIn: FIRST_NIGHT + (n % 2) });
  other.property.setRoomStatus('101', 'INSPECTED');
  await using client = TestClient.connect(other.url, 'ws');
  await signIn(client);
  client.send(subscribeStep({ from: { generation: 1, seq: 0 } }));
  await replay(client, blank, 6);
  t.equal(client.snapshots, 0);
  t.strictSame(contentOf(blank), await fresh(client));
});

t.test('a deleted property ends its subscriptions', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  world.property.remove();
  t.match((await client.take('error')).problem, { code: 'PROPERTY_NOT_FOUND', propertyId: STEPS_PROPERTY });
  t.equal(world.gateway.stats().properties, 0);
  client.send(subscribeStep());
  t.match((await client.take('error')).problem, { code: 'PROPERTY_NOT_FOUND' });
});

t.test('entries that do not continue are not shown: the property is followed again', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  const replica = new Replica(STEPS_PROPERTY);
  replica.applySnapshot(await follow(client));
  world.property.swallow(() => world.property.book(STAY));
  world.property.book(STAY);
  await replay(client, replica, 2);
  t.strictSame(contentOf(replica), await fresh(client));
  t.equal(world.property.follows, 2);
});

function tick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
