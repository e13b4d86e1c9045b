import type { Client } from 'pg';
import t from 'tap';

import { StoredGuests } from '../../guests/storage/guests.ts';
import { connect } from '../../platform/database/connection.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { databaseInventoryAudit } from '../../property-store/storage/inventory-audit.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { WHOLE } from '../../testing/cluster/whole-partition.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { bookCommand, paid, placeHoldCommand, startBookingCommand } from '../../testing/property-world.ts';
import { StoredHolds } from './hold-sweep.ts';
import { databaseReservationReader } from './reservation-reader.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const guests = new StoredGuests(database, [
  { id: 'k2', secret: new Uint8Array(32).fill(2) },
  { id: 'k1', secret: new Uint8Array(32).fill(1) },
]);
const store = new PostgresPropertyStore({
  databaseUrl: url,
  database,
  reservations: databaseReservationReader(database),
  nodeId: 'test',
});
const system: Client = await connect(url, 'innkeeper_system');
const holds = new StoredHolds(async () => system, database, WHOLE);
const audit = databaseInventoryAudit(database);
t.teardown(async () => {
  await system.end();
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

void t.test('expired holds of all tenants are found, LATE ones and living ones are not', async (t) => {
  const [one, two] = [await Stored.property(store, 'acme'), await Stored.property(store, 'rival')];
  for (const { scene, stay } of [one, two].map((property) => ({ scene: property.scene, stay: property.stay() })))
    scene.accept(bookCommand({ stay }));
  two.scene.pass(120_000);
  two.scene.accept(startBookingCommand({ stay: two.stay() }));
  await Promise.all([one.write(), two.write()]);
  const { now } = one.scene;
  t.same(await holds.expired(now + 899_000, 10), [two.to], 'the one that is being paid');
  const both = await holds.expired(now + 901_000, 10);
  t.same(both.map(({ tenantId }) => tenantId).toSorted(), ['acme', 'rival']);
  t.equal((await holds.expired(now + 2_000_000, 1)).length, 1);
});

void t.test('payments without an end are found, and each hold is read within its tenant', async (t) => {
  const property = await Stored.property(store);
  const command = startBookingCommand({ stay: property.stay() });
  property.scene.accept(command);
  await property.write();
  const of = async (before: number) =>
    (await holds.unsettled(before, 100)).filter(({ to }) => to.propertyId === property.to.propertyId);
  t.same(await of(property.scene.now), []);
  t.same(await of(property.scene.now + 1), [{ to: property.to, holdId: command.holdId }]);
  const hold = await holds.hold(property.to, command.holdId);
  t.match(hold, { kind: 'PAYING', rooms: 1, booking: { attempt: { amount: 22_800 } }, ...property.stay() });
  t.equal(await holds.hold({ ...property.to, tenantId: 'rival' }, command.holdId), undefined);
  property.scene.pass(120_100);
  property.scene.accept({ type: 'EXPIRE' });
  await property.write();
  t.same(await of(0), [{ to: property.to, holdId: command.holdId }], 'LATE at once');
});

void t.test('a hold of a client activates its property once, and waits for no money', async (t) => {
  const property = await Stored.property(store);
  const { now } = property.scene;
  property.scene.accept(placeHoldCommand(1, property.stay()));
  const mine = async () => {
    await property.write();
    const expired = (await holds.expired(now + 901_000, 1_000)).filter(
      ({ propertyId }) => propertyId === property.to.propertyId,
    );
    const unsettled = (await holds.unsettled(now + 901_000, 1_000)).filter(
      ({ to }) => to.propertyId === property.to.propertyId,
    );
    return [expired.length, unsettled.length];
  };
  t.same(await mine(), [1, 0]);
  property.scene.pass(900_100);
  property.scene.accept({ type: 'EXPIRE' });
  t.same(await mine(), [0, 0]);
  t.same((await audit(property.to)).differences, []);
});

void t.test('the audit finds a cell that differs from reservations and holds, and nothing otherwise', async (t) => {
  const property = await Stored.property(store);
  const command = startBookingCommand({ stay: property.stay() });
  const { attempt } = property.scene.accept(command);
  property.scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt) });
  property.scene.accept(bookCommand({ stay: property.stay(3) }));
  const { id: fromHold } = property.scene.accept(placeHoldCommand(2, property.stay(6)));
  property.scene.accept(startBookingCommand({ stay: property.stay(6), fromHold }));
  await property.write();
  const clean = await audit(property.to);
  t.same(clean.differences, []);
  t.equal(clean.seq, property.scene.state.seq);
  const day = property.scene.state.today + 3;
  t.match(
    clean.cells.find((cell) => cell.day === day),
    { booked: 1, held: 1, total: 3, shortfall: 0 },
  );
  const where = `where property_id = $1 and date = date '1970-01-01' + $2::int`;
  await admin.query(`update availability.room_availability set booked_rooms = 2, held_rooms = 0 ${where}`, [
    property.to.propertyId,
    day,
  ]);
  t.same((await audit(property.to)).differences, [
    { roomType: 'STD', day, counter: 'booked', stored: 2, recomputed: 1 },
    { roomType: 'STD', day, counter: 'held', stored: 0, recomputed: 1 },
  ]);
});

void t.test('a guest is known by e-mail and last name, case-folded, within his tenant', async (t) => {
  const property = await Stored.property(store);
  const person = { email: 'Ada@Example.com', lastName: 'Byron' };
  const fresh = await guests.identify('acme', person);
  t.match(fresh.wrappedKey, /^k2\./, 'wrapped by the newest key');
  const sealed = { guestId: fresh.guestId, name: fresh.seal('Ada Byron') };
  t.notMatch(sealed.name, /Ada/);
  t.equal((await guests.open('acme', [sealed])).size, 0, 'not before he is stored');
  property.scene.accept({
    ...bookCommand(),
    booking: {
      ...bookCommand({ stay: property.stay(), guest: person }).booking,
      personal: sealed,
      wrappedKey: fresh.wrappedKey,
      guest: { ...person, guestId: fresh.guestId, firstName: 'Ada' },
    },
  });
  t.same(await property.write(), ['committed']);
  const again = await guests.identify('acme', { email: ' ada@EXAMPLE.com', lastName: 'BYRON' });
  t.match(again, { guestId: fresh.guestId, wrappedKey: undefined });
  t.not((await guests.identify('rival', person)).guestId, fresh.guestId);
  const [other, mine] = [again.seal('x'), (await guests.byId('acme', fresh.guestId)).seal('y')];
  const opened = await guests.open('acme', [sealed, { ...sealed, name: other }, { ...sealed, name: mine }]);
  t.same([...opened.values()], ['Ada Byron', 'x', 'y']);
  t.equal((await guests.open('rival', [sealed])).size, 0);
  await t.rejects(guests.byId('rival', fresh.guestId), /no key/);
  await admin.query('update guest_keys set wrapped = null where guest_id = $1', [fresh.guestId]);
  t.equal((await guests.open('acme', [sealed])).size, 0, 'an erased guest cannot be read any more');
});
