import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { importCommand, importedStay, pastStay } from '../../testing/imported-stays.ts';
import { bookCommand, cancelCommand, modifyCommand } from '../../testing/property-world.ts';
import { databaseBookingHistory } from './booking-history.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const { changes: history, imports } = databaseBookingHistory(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const HOUR = 3_600_000;

/** A property without prepayment: bookings are confirmed at once. */
async function trusting(tenantId: string): Promise<Stored> {
  const target = await Stored.property(store, tenantId);
  const { property } = target.scene.state;
  const { metadata } = property!;
  const policies = { ...metadata.policies, paymentRequired: false };
  target.scene.accept({ type: 'UPDATE_PROPERTY', property: { ...property!, metadata: { ...metadata, policies } } });
  return target;
}

t.test('rooms sold in each span for each night are summed over all room types', async (t) => {
  const property = await trusting('acme');
  const { scene } = property;
  const { today } = scene.state;
  const starts = [scene.now - HOUR];
  const stays = (roomType = 'STD', from = 2) => ({ stay: { ...property.stay(from), roomType } });
  const nothing = [today + 2, today + 3, today + 4, today + 5];
  const soldNow = () => nothing.map((day) => scene.cell(day).booked + scene.cell(day, 'DLX').booked);

  const first = scene.accept(bookCommand(stays())).reservation;
  scene.accept(bookCommand(stays('DLX')));
  const after = [soldNow()];
  scene.pass(HOUR);
  starts.push(scene.now);
  scene.accept(bookCommand(stays('STD', 3)));
  scene.accept(cancelCommand(scene.accept(bookCommand(stays())).reservation.id));
  after.push(soldNow());
  scene.pass(HOUR);
  starts.push(scene.now);
  scene.pass(HOUR);
  starts.push(scene.now);
  scene.accept(modifyCommand(first.id, { checkIn: today + 4, checkOut: today + 6 }));
  after.push(after.at(-1)!, soldNow());
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));

  t.same(after, [
    [2, 2, 0, 0],
    [2, 3, 1, 0],
    [2, 3, 1, 0],
    [1, 2, 2, 1],
  ]);
  const changes = await history(property.to, starts, 0);
  const known = (night: number, index: number): number =>
    changes.filter((one) => one.night === night && one.index <= index).reduce((sum, { rooms }) => sum + rooms, 0);
  t.same(
    after.map((_, index) => nothing.map((night) => known(night, index))),
    after,
  );
  t.notOk(
    changes.some(({ index }) => index === 2),
    'nothing was sold there',
  );
  const calledOff = changes.filter(({ index, rooms }) => index === 1 && rooms < 0);
  t.same(
    calledOff.map(({ night }) => night - today).toSorted((a, b) => a - b),
    [2, 3],
    'what was sold and called off in one span is told as both',
  );
  t.same(await history({ ...property.to, tenantId: 'stranger' }, starts, 0), []);
});

t.test('sales before the first span count at its start', async (t) => {
  const property = await trusting('rival');
  const { scene } = property;
  scene.accept(bookCommand({ stay: property.stay() }));
  scene.pass(HOUR);
  const starts = [scene.now, scene.now + HOUR];
  scene.accept(bookCommand({ stay: property.stay() }));
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const night = scene.state.today + 2;
  const sales = (await history(property.to, starts, 0)).filter((change) => change.night === night);
  t.same(sales, [{ index: 0, night, rooms: 2 }]);
});

t.test('a stay of another system was sold when it was booked there, and not when it was imported', async (t) => {
  const property = await trusting('moved');
  const { scene } = property;
  const { today } = scene.state;
  const day = 24 * HOUR;
  const starts = Array.from({ length: 41 }, (_, n) => scene.now - (40 - n) * day);
  const daysAgo = (days: number): number => scene.now - days * day - HOUR;
  scene.accept(bookCommand({ stay: property.stay(5) }));
  const coming = importedStay({ checkIn: today + 5, checkOut: today + 7, bookedAt: daysAgo(3) });
  const stays = [
    coming,
    pastStay('CHECKED_OUT', { checkIn: today - 6, checkOut: today - 4, bookedAt: daysAgo(20) }),
    pastStay('CHECKED_OUT', { checkIn: today - 6, checkOut: today - 5, bookedAt: daysAgo(90) }),
    pastStay('CANCELLED', {
      checkIn: today - 6,
      checkOut: today - 4,
      bookedAt: daysAgo(20),
      endedAt: daysAgo(10),
    }),
    // Nobody knows when these were cancelled.
    pastStay('CANCELLED', { checkIn: today - 6, checkOut: today - 4, bookedAt: daysAgo(20), endedAt: daysAgo(5) }),
    importedStay({ status: 'CANCELLED', checkIn: today + 5, bookedAt: daysAgo(20), endedAt: scene.now }),
    pastStay('CHECKED_OUT', { checkIn: today - 30, checkOut: today - 28, bookedAt: daysAgo(35) }),
  ];
  scene.accept(importCommand(stays));
  scene.pass(HOUR);
  scene.accept(cancelCommand(coming.reservationId));
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const found = (await history(property.to, starts, today - 20)).toSorted(
    (one, other) => one.night - other.night || one.index - other.index || one.rooms - other.rooms,
  );
  t.same(found, [
    { index: 0, night: today - 6, rooms: 1 },
    { index: 19, night: today - 6, rooms: 2 },
    { index: 29, night: today - 6, rooms: -1 },
    { index: 19, night: today - 5, rooms: 2 },
    { index: 29, night: today - 5, rooms: -1 },
    { index: 36, night: today + 5, rooms: 1 },
    { index: 40, night: today + 5, rooms: -1 },
    { index: 40, night: today + 5, rooms: 1 },
    { index: 36, night: today + 6, rooms: 1 },
    { index: 40, night: today + 6, rooms: -1 },
    { index: 40, night: today + 6, rooms: 1 },
  ]);
  t.equal(await imports(property.to), 0, 'what runs, and trials, are none');
});
