import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { HOLD_GUARD_MS } from '../../stay/rules/hold.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import {
  bookCommand,
  cancelCommand,
  changedGroup,
  envelope,
  group,
  keyed,
  placeHoldCommand,
  promotion,
  startBookingCommand,
} from '../../testing/property-world.ts';
import { databaseInventoryAudit } from './inventory-audit.ts';
import { PostgresPropertyStore } from './property-store.ts';
import { databaseSalesReader } from './sales-reader.ts';

const HOLD_MS = 900_000;

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const sales = databaseSalesReader(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** A stored property with a promotion and a group. */
async function selling(): Promise<{ property: Stored; promotionId: string; groupId: string }> {
  const property = await Stored.property(store);
  const { today } = property.scene.state;
  const blackoutDates = [today + 3, today + 9];
  const code = property.to.propertyId.toUpperCase();
  const created = promotion({
    promoCode: code,
    conditions: { blackoutDates },
    validity: { start: today, end: today + 1 },
  });
  const { promotion: made } = property.scene.accept(created);
  const blocks = [{ roomType: 'STD', day: today, rooms: 1, rate: 8_000 }];
  const { groupId } = property.scene.accept(group(1, { cutoff: today, blocks }));
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  return { property, promotionId: made.id, groupId };
}

t.test('a promotion and a group are found by their id in their tenant, and as their actor has them', async (t) => {
  const { property, promotionId, groupId } = await selling();
  const { promotions, groups } = property.scene.state;
  const { tenantId, propertyId } = property.to;
  t.strictSame(await sales.promotion(tenantId, promotionId), { propertyId, value: [...promotions.values()][0] });
  t.strictSame(await sales.group(tenantId, groupId), { propertyId, value: groups.get(groupId) });
  for (const nothing of [
    await sales.promotion('rival', promotionId),
    await sales.group('rival', groupId),
    await sales.promotion(tenantId, groupId),
    await sales.group(tenantId, 'nonsense'),
  ])
    t.equal(nothing, undefined);
});

t.test('a changed group is stored with its shoulder nights, and a deleted one with its reservations', async (t) => {
  const { property, groupId } = await selling();
  const { scene, to } = property;
  const { today } = scene.state;
  const block = (offset: number, rooms: number, rate: number) => ({
    roomType: 'STD',
    day: today + offset,
    rooms,
    rate,
  });
  const agreed = { guarantee: 'NONE' as const, releaseHour: null };
  const contact = { firstName: 'Mary', lastName: 'Shelley', email: 'mary@example.com' };
  const shoulderNights = { before: 1, after: 0 };
  const change = changedGroup(groupId, { name: 'Regatta', cutoff: today + 1, agreed, contact, shoulderNights });
  scene.accept({ ...change, blocks: [block(2, 2, 9_000), block(3, 2, 9_100)] });
  const stay = { checkIn: today + 1, checkOut: today + 3 };
  const { reservation } = scene.accept(bookCommand({ groupId, stay }));
  const isStored = async (what: string): Promise<void> => {
    t.same(new Set(await property.write()), new Set(['committed']), what);
    const group = scene.state.groups.get(groupId);
    const { groups } = await store.committed(to);
    t.strictSame(
      groups.find((one) => one.groupId === groupId),
      group,
      `${what}: loaded`,
    );
    t.strictSame(
      await sales.group(to.tenantId, groupId),
      { propertyId: to.propertyId, value: group },
      `${what}: read`,
    );
    t.match((await databaseInventoryAudit(database)(to)).differences, [], what);
  };
  await isStored('changed');
  t.same(
    Object.values(scene.state.groups.get(groupId)!.blocks).map(({ day, pickedUp }) => [day - today, pickedUp]),
    [
      [2, 1],
      [3, 0],
      [1, 1],
    ],
  );
  scene.accept(cancelCommand(reservation.id));
  await isStored('cancelled');
  scene.accept(bookCommand({ groupId, stay }));
  scene.accept({ type: 'DELETE_GROUP', groupId });
  await isStored('deleted');
});

t.test('promotions and groups that are over have left the actor and can still be read', async (t) => {
  const { property, promotionId, groupId } = await selling();
  property.scene.pass(403 * 86_400_000);
  property.scene.accept({ type: 'TICK' });
  t.same(await property.write(), ['committed']);
  t.same([property.scene.state.groups.size, property.scene.state.promotions.size], [0, 0]);
  const again = await foundIn(store, property.to);
  t.same([again.groups.size, again.promotions.size], [0, 0]);
  t.match(await sales.group('acme', groupId), { value: { groupId, name: 'Wedding' } });
  t.match(await sales.promotion('acme', promotionId), { value: { id: promotionId } });
});

t.test('a row with a day that no calendar has does not keep the property from coming up', async (t) => {
  const { property, promotionId } = await selling();
  await admin.query(
    `update promotions set conditions = '{"blackoutDates": ["0000-01-01", 7, "2031-02-30", "2031-02-28"]}'
     where id = $1`,
    [promotionId],
  );
  const { promotions } = await foundIn(store, property.to);
  t.match([...promotions.values()][0]?.conditions.blackoutDates, [22_338]);
});

t.test('a hold is found by its id in its tenant, those of bookings are not', async (t) => {
  const property = await Stored.property(store);
  const { tenantId, propertyId } = property.to;
  const hold = property.scene.accept(placeHoldCommand(2, property.stay()));
  const pending = property.scene.accept(bookCommand({ stay: property.stay(), fromHold: hold.id }));
  const paying = startBookingCommand({ stay: property.stay() });
  property.scene.accept(paying);
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const { seq, holds } = property.scene.state;
  t.strictSame(await sales.hold(tenantId, hold.id), { propertyId, seq, value: holds.get(hold.id) });
  t.equal(await sales.propertyOfHold(tenantId, hold.id), propertyId);
  for (const id of [paying.holdId, pending.reservation.id, 'nonsense']) {
    t.equal(await sales.hold(tenantId, id), undefined);
    t.equal(await sales.propertyOfHold(tenantId, id), undefined);
  }
  t.equal(await sales.hold('rival', hold.id), undefined);
  t.equal(await sales.propertyOfHold('rival', hold.id), undefined);
});

t.test('an ended hold is located by the key of the request that ended it', async (t) => {
  const property = await Stored.property(store);
  const { tenantId, propertyId } = property.to;
  const hold = property.scene.accept(placeHoldCommand(1, property.stay()));
  const { key, ...claim } = keyed(`release-${propertyId}`, '');
  property.scene.batch(envelope({ type: 'RELEASE_HOLD', holdId: hold.id }, { key, ...claim }));
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  t.equal(await sales.propertyOfHold(tenantId, hold.id), undefined);
  t.equal(await sales.propertyOfHold(tenantId, hold.id, { subject: 'tester', key }), propertyId);
  t.equal(await sales.propertyOfHold(tenantId, hold.id, { subject: 'another', key }), undefined);
  t.equal(await sales.propertyOfHold('rival', hold.id, { subject: 'tester', key }), undefined);
});

t.test('unpaid holds of a subject in other properties are counted, and for a while also expired ones', async (t) => {
  const [one, two] = [await Stored.property(store, 'chain'), await Stored.property(store, 'chain')];
  const quota = { elsewhere: { holds: 0, roomNights: 0 }, limits: { holds: 100, roomNights: 1_000 } };
  const used = one.scene.accept(placeHoldCommand(1, one.stay()));
  one.scene.accept(startBookingCommand({ stay: one.stay(), fromHold: used.id }));
  const unpaid = one.scene.accept({ ...bookCommand({ stay: one.stay() }), quota }).reservation;
  one.scene.accept(placeHoldCommand(1, one.stay()));
  two.scene.accept(placeHoldCommand(2, two.stay()));
  for (const property of [one, two]) t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const nights = unpaid.nights.length;
  const held = (from: typeof one.to, subject = 'tester') => sales.heldUnpaid(from, subject);
  t.same(
    await held(two.to),
    { holds: 2, roomNights: 2 * nights },
    'a hold and a reservation, not the one being paid',
  );
  t.same(await held({ ...two.to, propertyId: 'third' }), { holds: 3, roomNights: 4 * nights });
  t.same(await held(two.to, 'another'), { holds: 0, roomNights: 0 });
  t.same(await held({ ...two.to, tenantId: 'rival' }), { holds: 0, roomNights: 0 });
  one.scene.pass(HOLD_MS + HOLD_GUARD_MS);
  one.scene.accept({ type: 'EXPIRE' });
  t.ok((await one.write()).every((outcome) => outcome === 'committed'));
  t.same(await held(two.to), { holds: 2, roomNights: 2 * nights }, 'both have run out');
  const lapse = await admin.query(
    "select id from holds where property_id = $1 and reservation_id is null and doc -> 'terms' is null",
    [one.to.propertyId],
  );
  t.equal(lapse.rows.length, 1);
  t.equal(await sales.hold(two.to.tenantId, lapse.rows[0].id), undefined, 'no client has a hold of that id');
  await admin.query("update holds set expires_at = app_now() - interval '901 seconds' where property_id = $1", [
    one.to.propertyId,
  ]);
  t.same(await held(two.to), { holds: 0, roomNights: 0 }, 'long ago');
});

t.test('unpaid reservations are counted that a card guarantees in other properties', async (t) => {
  const [one, two] = [await Stored.property(store, 'cards'), await Stored.property(store, 'cards')];
  const withCard = (card: string) => ({
    ...bookCommand({ stay: one.stay() }),
    guarantee: { card, openElsewhere: 0 },
  });
  one.scene.accept(withCard('one'));
  one.scene.accept(withCard('another'));
  one.scene.accept(bookCommand({ stay: one.stay() }));
  t.ok((await one.write()).every((outcome) => outcome === 'committed'));
  t.equal(await sales.openHoldsOfCard(two.to, 'one'), 1);
  t.equal(await sales.openHoldsOfCard(one.to, 'one'), 0, 'the property itself counts its own');
  t.equal(await sales.openHoldsOfCard({ ...two.to, tenantId: 'rival' }, 'one'), 0);
});
