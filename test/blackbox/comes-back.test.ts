import tap, { test } from 'tap';

import { BACK_WITHIN_MS, booksAgain } from './booking-again.ts';
import { isAlive, postgresPid, trySignal } from './launched.ts';
import { BlackboxProperty } from './property.ts';
import { Service } from './service.ts';
import { pause, until } from './waiting.ts';

/**
 * The first booking after an outage that has ended (docs/operations/liveness.md#liveness), on a machine that does other
 * things too.
 */
/** Restarts that have to be waited for. */
tap.setTimeout(600_000);

const service = await Service.start();
tap.teardown(() => service.remove());
const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });

void test('a second start while the service is down takes over, one while it is up is refused', async (t) => {
  const { reservationId } = await property.booked();
  const first = service.launch.bind(service);
  const refused = first();
  t.equal(await refused.exited, 1);
  t.match(refused.output, /already runs on/);
  const { pid } = service.dev;
  trySignal(pid, 'SIGKILL');
  await pause(300);
  await service.up();
  t.not(service.dev.pid, pid);
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
});

void test('a service that is killed comes back by itself', async (t) => {
  const { reservationId } = await property.booked();
  const { pid } = service.dev;
  const database = postgresPid(service.dataDir);
  trySignal(pid, 'SIGKILL');
  await service.back(pid);
  t.match(service.output, /innkeeper: the service ended \(signal 9\); starting it again in 1 s \(1 of 5\)/);
  t.equal(postgresPid(service.dataDir), database, 'its database went on');
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
  await booksAgain(t, property);
});

void test('an embedded PostgreSQL that is killed comes back by itself: nothing is lost, the next booking succeeds', async (t) => {
  const { reservationId } = await property.booked();
  const { pid } = service.dev;
  const database = postgresPid(service.dataDir)!;
  trySignal(database, 'SIGKILL');
  await until('it is gone', BACK_WITHIN_MS, () => (isAlive(database) ? undefined : true));
  // The output is only retained for a while.
  for (const line of [
    /^innkeeper: PostgreSQL ended \(signal 9\); starting it again \(1 of 5\)$/m,
    /PostgreSQL is back/,
  ])
    await until(String(line), BACK_WITHIN_MS, () => line.test(service.output) || undefined);
  await booksAgain(t, property);
  t.equal(service.dev.pid, pid);
  t.ok(isAlive(pid), 'the service was not started anew');
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
});

void test('a service that was started again ends as usual', async (t) => {
  t.equal((await service.terminate()).code, 0);
  t.equal(postgresPid(service.dataDir), undefined);
});
