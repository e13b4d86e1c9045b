import { setTimeout } from 'node:timers/promises';
import t from 'tap';

import { RunningHost } from '../src/testing/actors/running-host.ts';
import { Scene } from '../src/testing/actors/scene.ts';
import { FakeClock } from '../src/testing/fake-clock.ts';
import { bookCommand, DAY, PROPERTY_ID } from '../src/testing/property-world.ts';
import { BUSY_PAUSE_MS, FAILING_AFTER, LONGEST_RETRY_MS } from './limits.ts';
import { Timers } from './timers.ts';

const DAY_MS = 86_400_000;
const LOOKED_FOR_MS = 600_000;
const LOOK_MS = 500;

void t.test('a roll of the day that always fails is tried ever more seldom, and the property goes on', async (t) => {
  const running = await RunningHost.property(t);
  const { host, store, clock } = running;
  const commit = store.commit.bind(store);
  const attempts: number[] = [];
  let isPoison = true;
  store.commit = async (lane, batches) => {
    if (!isPoison || !batches.some(({ entries }) => entries.some(({ type }) => type === 'TICK')))
      return commit(lane, batches);
    attempts.push(clock.now());
    return { outcome: 'rejected', reason: 'poison', detail: '22000 a bad row' };
  };
  const first = await host.view(PROPERTY_ID);
  clock.pass(DAY_MS);
  for (let passed = 0; passed < LOOKED_FOR_MS; passed += LOOK_MS) {
    clock.pass(LOOK_MS);
    await host.catchUp();
  }
  const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!);
  t.ok(
    attempts.length > LOOKED_FOR_MS / LONGEST_RETRY_MS.faulty / 2,
    `${attempts.length} tries: it is never given up`,
  );
  t.ok(attempts.length < LOOKED_FOR_MS / LONGEST_RETRY_MS.faulty + 20, `${attempts.length} tries in ten minutes`);
  t.ok(pauses.at(-1)! >= LONGEST_RETRY_MS.faulty, `${pauses.at(-1)} ms between the last two`);
  t.ok(
    pauses.every((pause) => pause <= LONGEST_RETRY_MS.faulty + LOOK_MS),
    'and no pause is longer than the bound',
  );
  t.ok(attempts.length > FAILING_AFTER);
  t.equal(host.figures.failing, 1);
  t.match(await host.health.check(), {
    status: 'OUT_OF_SERVICE',
    details: { failing: [{ ...PROPERTY_ID, command: 'TICK', failures: attempts.length }] },
  });
  await running.send(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  t.equal((await host.view(PROPERTY_ID)).businessDate, first.businessDate, 'it sells as of the day that it has');
  isPoison = false;
  clock.pass(LONGEST_RETRY_MS.faulty);
  await host.catchUp();
  t.equal((await host.view(PROPERTY_ID)).businessDate, first.businessDate + 1, 'once it can, the day rolls');
  t.equal(host.figures.failing, 0);
  t.match(await host.health.check(), { status: 'UP' });
});

void t.test('a property with such a roll is activated and serves', async (t) => {
  const running = await RunningHost.property(t);
  const commit = running.store.commit.bind(running.store);
  running.store.commit = async (lane, batches) =>
    batches.some(({ entries }) => entries.some(({ type }) => type === 'TICK'))
      ? { outcome: 'rejected', reason: 'poison', detail: '22000 a bad row' }
      : commit(lane, batches);
  running.clock.pass(DAY_MS);
  running.crash();
  t.equal((await running.host.view(PROPERTY_ID)).businessDate, DAY);
  await running.send(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
});

void t.test('a roll that the database could not take is soon tried again', async (t) => {
  const { host, store, clock } = await RunningHost.property(t);
  await host.view(PROPERTY_ID);
  for (let n = 0; n < 12; n++) store.faults.push('unavailable');
  clock.pass(DAY_MS);
  for (let passed = 0; store.faults.length > 0; passed += LOOK_MS) {
    if (passed > 12 * (LONGEST_RETRY_MS.unwritten + LOOK_MS)) throw new Error('a pause is too long');
    clock.pass(LOOK_MS);
    await host.catchUp();
  }
  clock.pass(LONGEST_RETRY_MS.unwritten);
  await host.catchUp();
  t.equal((await host.view(PROPERTY_ID)).businessDate, DAY + 1);
});

void t.test('a roll that is done and due all the same is not done again at once', async (t) => {
  const { state } = Scene.property();
  const clock = new FakeClock();
  const timers = new Timers(clock, () => undefined);
  t.teardown(() => timers.close());
  timers.follow(state, []);
  clock.pass(DAY_MS);
  for (let failures = 1; failures <= FAILING_AFTER; failures++) {
    t.equal(timers.due(), 'TICK');
    timers.command('TICK').resolve({ seq: 1, result: { businessDate: DAY }, replayed: false });
    t.equal(timers.due(), undefined);
    clock.pass(LONGEST_RETRY_MS.faulty);
  }
  t.match(timers.failing, { type: 'TICK', failures: FAILING_AFTER, error: /due again/ });
  clock.pass(-DAY_MS / 2);
  clock.pass(DAY_MS / 2);
  t.equal(timers.due(), 'TICK');
});

void t.test('a loop that waits for its commit is not woken each millisecond by what is due', async (t) => {
  const { state } = Scene.property();
  const clock = new FakeClock();
  let wakes = 0;
  const timers = new Timers(clock, () => (wakes += 1));
  t.teardown(() => timers.close());
  clock.pass(DAY_MS);
  timers.follow(state, []);
  await setTimeout(5 * BUSY_PAUSE_MS);
  t.equal(timers.due(), 'TICK', 'nobody has taken it');
  t.ok(wakes >= 2 && wakes <= 6, `${wakes} wakes`);
});

void t.test('of several properties one that cannot be read is left out of what all of them offer', async (t) => {
  const running = await RunningHost.property(t);
  await running.setUp({ propertyId: 'second' });
  running.store.properties.get('acme:second')!.property!.metadata.timezone = 'Mars/Olympus';
  running.crash();
  const views = await running.host.views('acme', ['anchor', 'second'], { first: DAY, last: DAY + 1 });
  t.same(
    views.map(({ setup }) => setup.property.propertyId),
    ['anchor'],
  );
  t.match(running.errors, [{ property: 'acme:second', error: /Mars/ }]);
});
