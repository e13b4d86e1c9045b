import t from 'tap';

import { errorOf, RunningHost } from '../src/testing/actors/running-host.ts';
import { Gate, untilTime } from '../src/testing/fake-clock.ts';
import { bookCommand, cancelCommand, DAY, PROPERTY_ID } from '../src/testing/property-world.ts';

void t.test('a command whose reservation is still read is done before its property leaves', async (t) => {
  const running = await RunningHost.property(t, { policies: { paymentRequired: false } });
  const { store } = running;
  const { reservation } = (await running.send(bookCommand())).result;
  // Resident again, without the reservation in memory.
  await running.host.release(PROPERTY_ID);
  await running.host.view(PROPERTY_ID);
  const gate = new Gate();
  const read = store.reservation.bind(store);
  let reads = 0;
  store.reservation = async (...of) => {
    reads += 1;
    await gate.opened;
    return read(...of);
  };
  const cancelled = errorOf(running.send(cancelCommand(reservation.id)));
  await untilTime(() => reads === 1);
  const left = running.host.release(PROPERTY_ID);
  setTimeout(() => gate.open(), 20);
  await left;
  t.equal(await cancelled, 'accepted');
});

void t.test('an activation under way when its node lost the lease is discarded', async (t) => {
  const running = await RunningHost.property(t);
  const { store } = running;
  await running.host.release(PROPERTY_ID);
  const gate = new Gate();
  const open = store.open.bind(store);
  store.open = async (...of) => {
    const loaded = await open(...of);
    await gate.opened;
    return loaded;
  };
  const activating = errorOf(running.host.view(PROPERTY_ID));
  await new Promise((done) => setImmediate(done));
  // The lease is lost, another node has the property and changes it; then the lease is there again.
  running.host.abandon();
  store.open = open;
  const other = running.fresh();
  t.teardown(() => other[Symbol.asyncDispose]());
  const { seq } = await other.view(PROPERTY_ID);
  gate.open();
  t.equal(await activating, 'NOT_EXECUTED');
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq, 'it is taken anew');
});

void t.test('who searches finds a property that goes to another node meanwhile', async (t) => {
  const running = await RunningHost.property(t);
  const { store, host } = running;
  const { seq } = await host.view(PROPERTY_ID);
  const gate = new Gate();
  store.versionGate = gate.opened;
  running.monotonic = 3_600_000;
  const found = host.views(PROPERTY_ID.tenantId, [PROPERTY_ID.propertyId], { first: DAY, last: DAY + 1 });
  found.catch(() => undefined);
  await untilTime(() => store.versionCalls.length > 0);
  await host.release(PROPERTY_ID);
  store.alive.add('node-b');
  await store.take(PROPERTY_ID, 'node-b');
  gate.open();
  t.same(
    (await found).map((view) => view.seq),
    [seq],
  );
});
