import t from 'tap';

import { RunningHost } from '../src/testing/actors/running-host.ts';
import {
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  PROPERTY_ID,
  plainRoom,
} from '../src/testing/property-world.ts';

const HOUR = 3_600_000;

/** A guest of one night is in house; it is 12:00 at the property. */
async function inHouse(t: Parameters<typeof RunningHost.property>[0]) {
  const running = await RunningHost.property(t, { policies: { paymentRequired: false } });
  await running.send({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { result } = await running.send(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 1 } }));
  const { id } = result.reservation;
  await running.send(checkInCommand(id));
  const tonight = async () => {
    await running.host.catchUp();
    const view = await running.host.view(PROPERTY_ID);
    return { seq: view.seq, held: view.grid(DAY + 1, DAY + 1, 'STD')[0]!.held };
  };
  return { running, id, tonight };
}

void t.test('the room of a guest who has not left goes off sale by itself, once, and comes back', async (t) => {
  const { running, id, tonight } = await inHouse(t);
  running.clock.pass(22 * HOUR);
  t.match(await tonight(), { held: 0 }, '10:00');
  running.clock.pass(HOUR);
  const { seq, held } = await tonight();
  t.equal(held, 1, '11:00');
  running.clock.pass(HOUR);
  t.match(await tonight(), { seq, held: 1 }, 'nothing more is written');
  running.crash();
  t.match(await tonight(), { seq, held: 1 }, 'after a restart neither');
  await running.send(checkOutCommand(id, { forced: true, at: running.clock.now() }));
  t.match(await tonight(), { held: 0 });
});

void t.test('a property without overdue guests writes nothing at its check-out time', async (t) => {
  const { running, id, tonight } = await inHouse(t);
  running.clock.pass(22 * HOUR);
  await running.send(checkOutCommand(id, { forced: true, at: running.clock.now() }));
  const { seq } = await tonight();
  running.clock.pass(2 * HOUR);
  t.match(await tonight(), { seq, held: 0 });
});

void t.test('a process that was down at the check-out time takes the room off sale when it is back', async (t) => {
  const { running, tonight } = await inHouse(t);
  running.clock.pass(20 * HOUR);
  await tonight();
  running.crash();
  running.clock.pass(5 * HOUR);
  t.match(await tonight(), { held: 1 });
});
