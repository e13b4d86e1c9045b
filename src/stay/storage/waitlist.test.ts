import t from 'tap';

import type { WaitlistId } from '../../kernel/rules/ids.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { comparable, foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { bookCommand, cancelCommand, freshId, stayWish } from '../../testing/property-world.ts';
import { databaseReservationReader } from './reservation-reader.ts';
import { databaseWaitlist } from './waitlist.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const reader = databaseWaitlist(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** A full property, and requests of these e-mail addresses that wait for one of its rooms. */
async function waiting(...emails: string[]) {
  const property = await Stored.property(store);
  const { scene } = property;
  const stay = stayWish(property.stay());
  const rooms = [...scene.state.roomTypes.values()].find(({ roomType }) => roomType === stay.roomType)!.totalRooms;
  const sold = Array.from({ length: rooms }, () => scene.accept(bookCommand({ stay })).reservation.id);
  const ids = emails.map((email) => {
    const waitlistId = freshId() as WaitlistId;
    const guest = { firstName: 'Grace', lastName: 'Hopper', email, phone: '+44 1' };
    const more = { maxTotal: 99_999, expiresAt: scene.now + 3_600_000_000 };
    scene.accept({ type: 'JOIN_WAITLIST', entry: { waitlistId, guest, stay, ...more } });
    return waitlistId;
  });
  return { property, scene, sold, ids };
}

void t.test('what waits and what is offered is loaded as it lived; what is over is not', async (t) => {
  const { property, scene, sold, ids } = await waiting('a@x.example', 'b@x.example', 'c@x.example');
  scene.accept(cancelCommand(sold[0]!));
  scene.accept({ type: 'OFFER_WAITLIST' });
  scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: ids[2]! });
  t.same(await property.write().then((all) => [...new Set(all)]), ['committed']);
  const loaded = await foundIn(store, property.to);
  t.same(comparable(loaded), comparable(scene.state));
  t.same(
    [...loaded.waitlist.values()].map(({ waitlistId, status }) => [waitlistId, status]),
    [
      [ids[0], 'OFFERED'],
      [ids[1], 'WAITING'],
    ],
  );
});

void t.test('a request is read with its place, also when it is over, and within its tenant', async (t) => {
  const { property, scene, sold, ids } = await waiting('a@x.example', 'b@x.example', 'c@x.example');
  scene.accept(cancelCommand(sold[0]!));
  scene.accept({ type: 'OFFER_WAITLIST' });
  await property.write();
  const { tenantId, propertyId } = property.to;
  const read = (id: string) => reader.get(tenantId, id);
  t.match(await read(ids[0]!), { status: 'OFFERED', position: null, propertyId, offer: { currency: 'EUR' } });
  t.match(await read(ids[2]!), { status: 'WAITING', position: 2, guest: { email: 'c@x.example' }, maxTotal: 99_999 });
  scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: ids[2]! });
  await property.write();
  const over = (await read(ids[2]!))!;
  t.match(over, { status: 'REMOVED', position: null, stay: { roomType: 'STD' } });
  t.notOk('guest' in over, 'without its guest');
  t.equal(await reader.get('another', ids[0]!), undefined);
  t.equal(await read('no-id'), undefined);
});

void t.test('a list is read page by page in the order of arrival, and by status', async (t) => {
  const { property, scene, ids } = await waiting('a@x.example', 'b@x.example', 'c@x.example');
  scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: ids[1]! });
  await property.write();
  const idsOf = (items: { waitlistId: WaitlistId }[]) => items.map(({ waitlistId }) => waitlistId);
  // All three came in the same millisecond: their ids decide.
  const sorted = ids.toSorted();
  const first = await reader.list(property.to, undefined, 2);
  t.same(idsOf(first.items), sorted.slice(0, 2));
  t.same(idsOf((await reader.list(property.to, undefined, 2, first.next)).items), sorted.slice(2));
  t.same(idsOf((await reader.list(property.to, 'REMOVED', 9)).items), [ids[1]]);
  t.same((await reader.list({ ...property.to, propertyId: 'other' }, undefined, 9)).items, []);
});

void t.test('a guest is found by any of the addresses, in capitals too, while the request is not over', async (t) => {
  const { property, scene, ids } = await waiting('Zoe@Far.example', 'zoe2@far.example', 'other@far.example');
  await property.write();
  const { tenantId, propertyId } = property.to;
  const find = () => reader.ofAddresses(tenantId, ['zoe@far.example', 'ZOE2@far.example', 'nobody@far.example']);
  t.same(new Set((await find()).map(({ waitlistId }) => waitlistId)), new Set(ids.slice(0, 2)));
  t.equal((await find())[0]!.propertyId, propertyId);
  scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: ids[0]! });
  await property.write();
  t.match(await find(), [{ propertyId, waitlistId: ids[1] }]);
  t.equal((await find()).length, 1);
});
