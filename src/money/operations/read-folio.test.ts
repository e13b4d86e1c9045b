import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withArchive } from '../../testing/archive.ts';
import {
  bookCommand,
  checkInCommand,
  DAY,
  endPaymentCommand,
  freshId,
  NOW,
  paid,
  plainRoom,
  postCommand,
  startPaymentCommand,
  voidCommand,
} from '../../testing/property-world.ts';
import { readFolio } from './read-folio.ts';

const world = await withArchive(t);
const reservations = databaseReservationReader(world.database);
const ADA = { tenantId: 'acme', subject: 'ada', role: 'STAFF' } as Caller;

/** A guest in house whose company has paid for the room; a bottle of water was posted and voided. */
async function folio() {
  const property = await Stored.property(world.store, 'acme', NOW);
  const { scene } = property;
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { id } = scene.accept(
    bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 }, companyId: freshId() }),
  ).reservation;
  scene.accept({ type: 'ROUTE_FOLIO', reservationId: id, rules: [{ kind: 'ROOM', window: 'COMPANY' }], by: 'desk' });
  const { attempt } = scene.accept({ ...startPaymentCommand(id), window: 'COMPANY' });
  scene.accept(endPaymentCommand(id, paid(attempt, scene.now)));
  const fees = scene.accept(startPaymentCommand(id)).attempt;
  scene.accept(endPaymentCommand(id, paid(fees, scene.now)));
  scene.accept(checkInCommand(id));
  const water = postCommand(id, { taxLines: [{ code: 'TAX', amount: 30 }] });
  scene.accept(water);
  scene.accept(voidCommand(id, water.postingId));
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const services = { reservations, clock: { now: () => scene.now } } as unknown as Services;
  return { scene, id, read: () => readFolio(services, ADA, id) };
}

t.test('a folio comes from the database as it stands in memory', async (t) => {
  const { scene, id, read } = await folio();
  const { reservation, windows } = await read();
  const { charges, routing, paymentWindows } = scene.state.reservations.get(id)!;
  t.same(JSON.parse(JSON.stringify([reservation.charges, reservation.routing, reservation.paymentWindows])), [
    JSON.parse(JSON.stringify(charges)),
    routing,
    paymentWindows,
  ]);
  t.match(windows, [
    { window: 'GUEST', total: 0, paid: 800, expectedTotal: 800, postings: { length: 3 } },
    { window: 'COMPANY', total: 0, paid: 22_000, expectedTotal: 22_000, postings: [{ kind: 'PAYMENT' }] },
  ]);
  scene.pass(24 * 3_600_000);
  t.match((await read()).windows, [{ total: 400 }, { total: 11_000 }], 'a night is posted when it is over');
});

t.test('a reservation that is not there has no folio', async (t) => {
  const services = { reservations, clock: { now: () => NOW } } as unknown as Services;
  await t.rejects(readFolio(services, ADA, '00000000-0000-7000-8000-000000000000'), {
    code: 'RESERVATION_NOT_FOUND',
  });
});
