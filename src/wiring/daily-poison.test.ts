import t from 'tap';

import { StoredJournal } from '../history/storage/journal-archive.ts';
import { ItemRunner } from '../kernel/operations/item-runner.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Command } from '../kernel/rules/commands.ts';
import { formatDay } from '../kernel/rules/dates.ts';
import { endOfBusinessDay } from '../kernel/rules/property-time.ts';
import { StoredOpenPayments } from '../money/storage/open-payments.ts';
import { connect } from '../platform/database/connection.ts';
import { openDatabase } from '../platform/database/database.ts';
import { RoundRegistry } from '../platform/jobs/round-registry.ts';
import { clockOf } from '../properties/rules/property.ts';
import { databaseAnalytics } from '../revenue/storage/analytics.ts';
import { databaseOtbByDay } from '../revenue/storage/otb-by-day.ts';
import { databaseRoomStays } from '../rooms/storage/room-stays.ts';
import { createReservation } from '../stay/operations/create-reservation.ts';
import { listDeskTasks } from '../stay/operations/list-desk-tasks.ts';
import { reconcileAttempts } from '../stay/operations/reconcile-attempts.ts';
import { quiet } from '../testing/actors/running-host.ts';
import { WHOLE } from '../testing/cluster/whole-partition.ts';
import { CALLER, wish } from '../testing/front-desk.ts';
import { GuestWorld } from '../testing/guest-world.ts';
import {
  bookCommand,
  checkInCommand,
  DAY,
  envelope,
  plainRoom,
  plan,
  property,
  PROPERTY_ID,
  settingUp,
} from '../testing/property-world.ts';
import { dailyWatch } from './watches.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const world = await GuestWorld.open(t);
const { admin, clock, url } = world;
const database = await openDatabase(url);
const system = await connect(url, 'innkeeper_system');
t.teardown(() => Promise.all([system.end(), database[Symbol.asyncDispose]()]));

const services: Services = {
  ...world.services,
  openPayments: Object.assign(new StoredOpenPayments(async () => system, database, WHOLE), {
    tenants: async () => [PROPERTY_ID.tenantId],
  }),
  roomStays: databaseRoomStays(database),
  archive: new StoredJournal(database),
  dayBooks: databaseOtbByDay(database),
  analytics: databaseAnalytics(database),
};

let properties = 0;

/** A property with rooms and plans of its own, on the real actor and database, and the daily jobs of its tenant. */
async function opened() {
  const to: Address = { ...PROPERTY_ID, propertyId: `daily-${++properties}` };
  const send = <C extends Command>(command: C) => services.properties.execute(to, envelope(command));
  for (const command of settingUp({ propertyId: to.propertyId, today: today() })) await send(command);
  const rooms = ['201', '202'].map((number) => plainRoom(number, { roomType: 'DLX' }));
  await send({
    type: 'PUT_ROOMS',
    rooms: [...['101', '102', '103'].map((number) => plainRoom(number)), ...rooms],
    mode: 'create',
  });
  const free = plan({ code: 'FREE', guarantee: 'NONE', releaseHour: null });
  const later = [{ percent: 100, due: { daysBefore: 4 } }];
  const parts = plan({ code: 'PARTS', guarantee: 'PREPAY', depositSchedule: later });
  for (const sold of [free, parts]) await send({ type: 'PUT_RATE_PLAN', mode: 'create', plan: sold });
  await admin.query(`update properties set created_at = '2026-01-01' where property_id = $1`, [to.propertyId]);
  const registry = new RoundRegistry();
  const each = new ItemRunner(registry.register('daily-check', MINUTE_MS), quiet);
  const watch = dailyWatch(database, {
    tenants: { running: async () => [to.tenantId] } as never,
    services: () => services,
    clock,
    log: quiet,
    alone: async (_, work) => (await work(), true),
    each,
    progressed: () => undefined,
  });
  const booked = async (nights: number, of: object = {}) => {
    const stay = { checkIn: today(), checkOut: today() + nights, rateCode: 'FREE', ...of };
    return (await send(bookCommand({ stay }))).result.reservation.id;
  };
  const now = async (id: string) => (await services.reservations.get(to.tenantId, id))!.reservation;
  return {
    to,
    send,
    booked,
    now,
    look: () => watch.lookAgain(),
    failed: (): readonly string[] => registry.figures()[0]!.failedItems ?? [],
    audit: async (date: number) => {
      const { propertyId } = to;
      return (await services.analytics.list(to.tenantId, { propertyId, from: date, to: date }, 1)).items[0]?.content;
    },
    tasks: async () => (await listDeskTasks(services, CALLER, { propertyId: to.propertyId, limit: 50 })).items,
  };
}

const today = () => DAY + Math.floor((clock.now() - endOfBusinessDay(DAY - 1, clockOf(property()))) / (24 * HOUR_MS));

/** Until shortly after the next roll. */
const nextDay = () => clock.pass(endOfBusinessDay(today(), clockOf(property())) + 5 * MINUTE_MS - clock.now());

/** Money of a reservation does not add up any more, and its actor has to read it again. */
async function poison(id: string, by = 1): Promise<void> {
  await admin.query(
    `update reservations set paid_amount = paid_amount + $2, balance_due = balance_due - $2 where id = $1`,
    [id, by],
  );
  world.crash();
}

void t.test('no-shows and overstays beside a bad reservation, and audits that name it', async (t) => {
  const { booked, send, now, look, failed, audit, tasks } = await opened();
  const day = today();
  const arrivals = [await booked(1), await booked(1), await booked(1)];
  const inHouse = [await booked(1, { roomType: 'DLX' }), await booked(1, { roomType: 'DLX' })];
  for (const id of inHouse) await send(checkInCommand(id));
  const [arrival, guest] = [arrivals[1]!, inHouse[0]!];
  await poison(arrival);
  nextDay();
  await look();
  t.same(await Promise.all(arrivals.map(async (id) => (await now(id)).status)), ['NO_SHOW', 'CONFIRMED', 'NO_SHOW']);
  t.ok(
    failed().some((item) => item.includes(arrival)),
    failed().join('; '),
  );
  t.equal(await audit(day), undefined, 'it waits for an hour');
  clock.pass(HOUR_MS);
  await look();
  t.match(await audit(day), { leftOut: [{ reservationId: arrival, reason: 'ARRIVAL_NOT_MARKED' }] });
  t.match(await audit(day), { reservations: { noShows: 2 } });

  await poison(guest);
  nextDay();
  await look();
  t.same(await Promise.all(inHouse.map(async (id) => (await now(id)).stay.checkOut)), [day + 1, day + 2]);
  clock.pass(HOUR_MS);
  await look();
  t.match(await audit(day + 1), { leftOut: [{ reservationId: guest, reason: 'OVERSTAY_NOT_POSTED' }] });
  const kinds = (await tasks()).map((task) => ('reservation' in task ? [task.kind, task.reservation.id] : []));
  t.same(
    new Map(kinds as [string, string][]),
    new Map([
      ['OVERSTAY_NOT_POSTED', guest],
      ['ARRIVAL_NOT_MARKED', arrival],
    ]),
  );
  await poison(guest, -1);
  await look();
  t.equal((await now(guest)).stay.checkOut, day + 2, 'once it is repaired it is posted');
  t.same(
    (await tasks()).map(({ kind }) => kind),
    ['ARRIVAL_NOT_MARKED'],
  );
});

void t.test('an arrival and a guest in house whose rows cannot be read hold up nobody', async (t) => {
  const { booked, send, look, audit, to } = await opened();
  const day = today();
  const [bad, good] = [await booked(1), await booked(1)];
  const [badGuest, guest] = [await booked(1, { roomType: 'DLX' }), await booked(1, { roomType: 'DLX' })];
  for (const id of [badGuest, guest]) await send(checkInCommand(id));
  await admin.query(`update reservations set details = (details::jsonb - 'nights')::json where id = any ($1)`, [
    [bad, badGuest],
  ]);
  world.crash();
  for (let days = 0; days < 2; days++) {
    nextDay();
    await look();
    clock.pass(HOUR_MS);
    await look();
  }
  t.equal((await services.reservations.get(to.tenantId, good))!.reservation.status, 'NO_SHOW');
  t.equal((await services.reservations.get(to.tenantId, guest))!.reservation.stay.checkOut, day + 2);
  t.match(await audit(day), { reservations: { noShows: 1 } });
  const { leftOut = [] } = (await audit(day + 1))!;
  t.ok(leftOut.some(({ reservationId, reason }) => reservationId === badGuest && reason === 'OVERSTAY_NOT_POSTED'));
  t.match((await audit(day))!.leftOut!.at(-1), { reservationId: badGuest, reason: 'UNREADABLE' });
});

void t.test('cards on file are charged beside a bad reservation', async (t) => {
  const { to, now, look, failed } = await opened();
  const days = { checkIn: formatDay(today() + 6), checkOut: formatDay(today() + 7), rateCode: 'PARTS' };
  const ids: string[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const body = { ...wish('tok_visa', days), propertyId: to.propertyId };
    ids.push((await createReservation(services, CALLER, body)).result.reservation.id);
  }
  // In the order in which they are charged.
  const [first, bad, last] = ids.toSorted() as [string, string, string];
  await poison(bad);
  for (let nth = 0; nth < 3; nth++) nextDay();
  clock.pass(15 * HOUR_MS);
  await look();
  t.ok((await now(first)).paid > 0);
  t.ok((await now(last)).paid > 0);
  t.equal((await now(bad)).payments.length, 0);
  t.ok(
    failed().some((item) => item.includes(bad)),
    failed().join('; '),
  );
});

void t.test(
  'a stay that nobody paid on three days is cancelled in the run of the third, whatever got lost before',
  async (t) => {
    const { to, now, look } = await opened();
    const { gateway } = world.desk;
    const days = { checkIn: formatDay(today() + 6), checkOut: formatDay(today() + 7), rateCode: 'PARTS' };
    const body = { ...wish('tok_visa', days), propertyId: to.propertyId };
    const { id } = (await createReservation(services, CALLER, body)).result.reservation;
    for (let nth = 0; nth < 2; nth++) nextDay();
    clock.pass(15 * HOUR_MS);
    gateway.before = () => Promise.reject(new Error('the process is gone'));
    await look();
    t.match(await now(id), { status: 'CONFIRMED', payments: [{ status: 'PROCESSING' }] });
    clock.pass(3 * MINUTE_MS);
    gateway.before = async (request) => void (request.cardToken = 'tok_declined');
    await reconcileAttempts(services);
    t.match(await now(id), { status: 'CONFIRMED', payments: [{ status: 'CANCELLED' }, { status: 'FAILED' }] });
    for (const status of ['CONFIRMED', 'CANCELLED']) {
      clock.pass(24 * HOUR_MS);
      await look();
      t.equal((await now(id)).status, status);
    }
    t.match(await now(id), { cancellation: { reason: 'NO_PAYMENT' } });
    gateway.before = async () => undefined;
  },
);

void t.test('arrivals get their rooms beside a bad reservation', async (t) => {
  const { booked, now, look, failed } = await opened();
  const of = { checkIn: today() + 1, checkOut: today() + 3 };
  const ids = [await booked(2, of), await booked(2, of), await booked(2, of)];
  await poison(ids[1]!);
  // Rooms are assigned at the hour of the property.
  clock.pass(12 * HOUR_MS);
  await look();
  const rooms = await Promise.all(ids.map(async (id) => (await now(id)).roomNumber));
  t.same(
    rooms.map((room) => room !== undefined),
    [true, false, true],
  );
  t.ok(
    failed().some((item) => item.includes(ids[1]!)),
    failed().join('; '),
  );
});
