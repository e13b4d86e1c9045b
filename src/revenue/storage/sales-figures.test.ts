import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { bookCommand, cancelCommand } from '../../testing/property-world.ts';
import { bookingCurve, salesMix } from '../rules/sales-figures.ts';
import { databaseSalesFigures } from './sales-figures.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const figures = databaseSalesFigures(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const DAY_MS = 86_400_000;

t.test('a booking curve counts what came and what left on its date; the mix, what is sold', async (t) => {
  const property = await Stored.property(store, 'acme');
  const { scene } = property;
  const { metadata } = scene.state.property!;
  const policies = { ...metadata.policies, paymentRequired: false };
  scene.accept({
    type: 'UPDATE_PROPERTY',
    property: { ...scene.state.property!, metadata: { ...metadata, policies } },
  });
  const { today } = scene.state;
  const began = scene.now;
  const stays = (from = 10) => ({ stay: property.stay(from) });
  scene.accept(bookCommand(stays()));
  const left = scene.accept(bookCommand(stays())).reservation;
  scene.pass(DAY_MS);
  scene.accept(cancelCommand(left.id));
  // One of its two nights is in the period.
  scene.accept(bookCommand(stays(11)));
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));

  const nights = { from: today + 10, to: today + 11 };
  const starts = [began - 1, began + DAY_MS / 2];
  const moves = await figures.moves(property.to, nights, today, starts);
  t.same(bookingCurve(moves), [
    { date: today, booked: 4, cancelled: 0, roomsSold: 4 },
    { date: today + 1, booked: 1, cancelled: 2, roomsSold: 3 },
  ]);
  const before = await figures.moves(property.to, nights, today + 5, [began + 5 * DAY_MS]);
  t.same(before, [{ date: today + 4, booked: 5, cancelled: 2 }], 'what moved before the first date is together');

  const mixIn = async (currency: string) =>
    salesMix(await figures.mix(property.to, nights, { timezone: 'Europe/Berlin', currency }));
  const { total, parts } = await mixIn('EUR');
  t.equal(total.roomNights, 3, 'the cancelled stay is not sold');
  t.ok(total.revenue > 0);
  t.equal(parts.channel.length, 1);
  const all = { roomNights: 3, revenue: total.revenue };
  t.same(parts.ratePlan, [{ name: 'BAR', ...all }]);
  t.same([parts.group, parts.company], [[{ name: null, ...all }], [{ name: null, ...all }]]);
  t.same([parts.stayLength, parts.leadTime], [[{ name: '2-3', ...all }], [{ name: '8-30', ...all }]]);
  const foreign = await mixIn('USD');
  t.match(foreign.total, { roomNights: 3, revenue: 0 }, 'amounts of another currency are not added');
});
