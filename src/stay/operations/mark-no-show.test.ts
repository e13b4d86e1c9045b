import t, { type Test } from 'tap';

import type { Caller } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import { errorOf } from '../../testing/actors/running-host.ts';
import { CALLER, TestFrontDesk, wish } from '../../testing/front-desk.ts';
import { checkInCommand, DAY, plainRoom, property, PROPERTY_ID } from '../../testing/property-world.ts';
import { createReservation } from './create-reservation.ts';
import { listDeskTasks } from './list-desk-tasks.ts';
import { markNoShow, markNoShows } from './mark-no-show.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MANAGER: Caller = { ...CALLER, role: 'MANAGER' };

const rollAfter = (day: number) => endOfBusinessDay(day, clockOf(property()));

/** A property at noon with a guest who is expected today for some nights. */
async function expecting(t: Test, nights = 2) {
  const desk = await TestFrontDesk.open(t);
  const { store, clock } = desk.running;
  const all = () => [...store.reservations.values()].map(({ reservation }) => reservation);
  const services = {
    ...desk.services,
    reservations: {
      ...desk.services.reservations,
      list: async () => ({ items: all() }),
      ids: async (_: string, { status, arrivalTo = 0 }: { status?: string; arrivalTo?: number }) => {
        const found = all().filter((one) => one.status === status && one.stay.checkIn <= arrivalTo);
        return { items: found.map(({ id }) => id) };
      },
    },
  };
  const stay = { checkIn: formatDay(DAY), checkOut: formatDay(DAY + nights) };
  const { id } = (await createReservation(services, CALLER, wish('tok_visa', stay))).result.reservation;
  const goTo = async (instant: number) => {
    clock.pass(instant - clock.now());
    await desk.running.send({ type: 'TICK' });
  };
  const status = () => store.reservations.get(id)!.reservation.status;
  const tasks = async () => {
    const query = { propertyId: PROPERTY_ID.propertyId, limit: 50 };
    return (await listDeskTasks(services, CALLER, query)).items;
  };
  return { desk, services, id, goTo, status, tasks };
}

void t.test('a guest who does not arrive is marked at the roll, without the desk', async (t) => {
  const { services, goTo, status, tasks } = await expecting(t);
  await goTo(rollAfter(DAY) + 5 * MINUTE_MS);
  t.same(await tasks(), [], 'the clock is about to do it');
  await markNoShows(services, PROPERTY_ID, DAY + 1);
  t.equal(status(), 'NO_SHOW');
  t.same(await tasks(), []);
});

void t.test('after an outage over the evening the clock marks no guest, and the desk has a task', async (t) => {
  const { services, desk, id, goTo, status, tasks } = await expecting(t);
  await goTo(rollAfter(DAY) + 5 * HOUR_MS);
  await markNoShows(services, PROPERTY_ID, DAY + 1);
  t.equal(status(), 'CONFIRMED');
  t.match(await tasks(), [{ kind: 'ARRIVAL_NOT_MARKED', reservation: { id }, mayArrive: true }]);
  await desk.running.send({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  await desk.running.send(checkInCommand(id, { at: desk.running.clock.now() }));
  t.equal(status(), 'CHECKED_IN', 'he was there');
  t.same(await tasks(), []);
});

void t.test('later rolls do not mark such a guest either, until the desk does', async (t) => {
  const { services, id, goTo, status, tasks } = await expecting(t);
  await goTo(rollAfter(DAY) + 5 * HOUR_MS);
  await markNoShows(services, PROPERTY_ID, DAY + 1);
  await goTo(rollAfter(DAY + 1) + MINUTE_MS);
  await markNoShows(services, PROPERTY_ID, DAY + 2);
  t.equal(status(), 'CONFIRMED');
  t.match(await tasks(), [{ mayArrive: false }], 'his nights are over');
  const { reservation } = (await markNoShow(services, CALLER, id, { afterGrace: true })).result;
  t.match(reservation, { status: 'NO_SHOW', cancellation: { day: DAY } }, 'of his night, whenever it is marked');
  t.same(await tasks(), []);
});

void t.test('a guest confirmed after the arrival night has ended is not marked by the clock', async (t) => {
  const desk = await expecting(t);
  const { services, goTo, tasks } = desk;
  await goTo(rollAfter(DAY) - MINUTE_MS);
  let paid!: () => void;
  const late = new Promise<void>((resolve) => (paid = resolve));
  desk.desk.gateway.before = () => late;
  const stay = { checkIn: formatDay(DAY), checkOut: formatDay(DAY + 2) };
  const booking = createReservation(services, CALLER, wish('tok_visa', stay));
  await new Promise((later) => setTimeout(later, 20));
  await goTo(rollAfter(DAY) + 1);
  paid();
  const { id } = (await booking).result.reservation;
  await markNoShows(services, PROPERTY_ID, DAY + 1);
  t.equal(desk.status(), 'NO_SHOW', 'who was expected is');
  t.equal(desk.desk.running.store.reservations.get(id)!.reservation.status, 'CONFIRMED');
  t.match(await tasks(), [{ reservation: { id }, mayArrive: true }]);
});

void t.test('a development clock that was put forward over the evening is no outage', async (t) => {
  const { services, goTo, status } = await expecting(t);
  const later = rollAfter(DAY) + 5 * HOUR_MS;
  await goTo(later);
  const clock = { now: () => services.clock.now(), putForwardAt: later };
  await markNoShows({ ...services, clock }, PROPERTY_ID, DAY + 1);
  t.equal(status(), 'NO_SHOW');
});

void t.test('STAFF waits for check-in time and the grace of the property, a MANAGER need not', async (t) => {
  const desk = await expecting(t);
  const mark = (caller: Caller, afterGrace: boolean) => markNoShow(desk.services, caller, desk.id, { afterGrace });
  // Check-in time is 15:00 two hours ahead of UTC, plus the three hours that a no-show has to wait.
  const from = DAY * 24 * HOUR_MS + 16 * HOUR_MS;
  t.equal(await errorOf(mark(CALLER, true)), 'TOO_EARLY');
  await desk.goTo(from - 1);
  t.equal(await errorOf(mark(CALLER, true)), 'TOO_EARLY');
  await desk.goTo(from);
  t.equal((await mark(CALLER, true)).result.reservation.status, 'NO_SHOW');
  const other = await expecting(t);
  const early = await markNoShow(other.services, MANAGER, other.id, { afterGrace: false });
  t.equal(early.result.reservation.status, 'NO_SHOW');
});
