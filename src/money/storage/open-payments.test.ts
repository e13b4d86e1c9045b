import t from 'tap';

import { instantAt } from '../../kernel/rules/property-time.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { type RatePlan } from '../../rates/rules/rate-plan.ts';
import { type Stay } from '../../rates/rules/stay.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { WHOLE } from '../../testing/cluster/whole-partition.ts';
import { withTestDatabase } from '../../testing/database.ts';
import {
  bookCommand,
  cancelCommand,
  endPaymentCommand,
  paid,
  startBookingCommand,
  startPaymentCommand,
  plan,
  freshId,
} from '../../testing/property-world.ts';
import { StoredOpenPayments } from './open-payments.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const open = new StoredOpenPayments(() => Promise.reject(new Error('nobody looks across tenants')), database, WHOLE);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** A stay that was paid and cancelled: its refund is open. */
function calledOff(property: Stored, method: 'CASH' | 'CREDIT_CARD'): { id: string; refundId: string } {
  const { id } = property.scene.accept(bookCommand({ stay: property.stay() })).reservation;
  const { attempt } = property.scene.accept(startPaymentCommand(id, { method }));
  property.scene.accept(endPaymentCommand(id, paid(attempt)));
  property.scene.pass(1_000);
  property.scene.accept(cancelCommand(id));
  return { id, refundId: property.scene.state.reservations.get(id)!.payments.at(-1)!.paymentId };
}

t.test('refunds to be paid out by hand are listed until they are, newest first and by property', async (t) => {
  const [one, other] = [await Stored.property(store), await Stored.property(store)];
  const first = calledOff(one, 'CASH');
  calledOff(one, 'CREDIT_CARD');
  const second = calledOff(one, 'CASH');
  const third = calledOff(other, 'CASH');
  for (const property of [one, other]) t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const { tenantId, propertyId } = one.to;
  const { items } = await open.byHand(tenantId, propertyId, 10);
  t.same(
    items.map(({ refundId }) => refundId),
    [second.refundId, first.refundId],
  );
  const { confirmationNumber, guest, payments } = one.scene.state.reservations.get(second.id)!;
  const { createdAt: orderedAt, amount } = payments.at(-1)!;
  t.strictSame(items[0], {
    refundId: second.refundId,
    reservationId: second.id,
    propertyId,
    confirmationNumber,
    guestName: `${guest.firstName} ${guest.lastName}`,
    amount,
    currency: 'EUR',
    method: 'CASH',
    orderedAt,
  });
  const all = await open.byHand(tenantId, undefined, 10);
  t.ok(all.items.some(({ refundId }) => refundId === third.refundId));
  t.same((await open.byHand('rival', undefined, 10)).items, []);
  const page = await open.byHand(tenantId, propertyId, 1);
  const rest = await open.byHand(tenantId, propertyId, 1, page.next);
  t.same([page.items, rest.items, rest.next], [[items[0]], [items[1]], undefined]);
  const payOut = { type: 'PAY_OUT_REFUND' as const, reservationId: second.id, refundId: second.refundId };
  one.scene.accept({ ...payOut, method: 'BANK_TRANSFER', reference: 'SEPA 17', by: 'cashier' });
  t.same(await one.write(), ['committed']);
  t.same((await open.byHand(tenantId, propertyId, 10)).items, [items[1]]);
  const stored = await reservations.get(tenantId, second.id);
  t.same(stored!.reservation.payments, one.scene.state.reservations.get(second.id)!.payments);
  t.ok(await foundIn(store, one.to), 'the property comes up again');
});

t.test('a payment is found in its tenant, also before its reservation is there', async (t) => {
  const property = await Stored.property(store);
  const { id, payments } = property.scene.accept(bookCommand({ stay: property.stay() })).reservation;
  const booking = startBookingCommand({ stay: property.stay() });
  property.scene.accept(booking);
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const { paymentId } = payments[0]!;
  const { tenantId } = property.to;
  t.same(await open.reservationOf(tenantId, paymentId.toUpperCase()), {
    to: property.to,
    paymentId,
    reservationId: id,
  });
  t.same(await open.reservationOf(tenantId, booking.attempt.paymentId), {
    to: property.to,
    paymentId: booking.attempt.paymentId,
    reservationId: booking.booking.reservationId,
  });
  t.equal(await open.reservationOf('rival', paymentId), undefined);
  t.equal(await open.reservationOf(tenantId, 'no id'), undefined);
});

t.test('amounts to be collected later are found by property, and rooms by their release hour', async (t) => {
  const property = await Stored.property(store);
  const { tenantId, propertyId } = property.to;
  const { scene } = property;
  const sell = (code: string, of: Partial<RatePlan>) =>
    scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ id: freshId(), code, ...of }), mode: 'create' });
  sell('CARD', { guarantee: 'CARD' });
  sell('LATER', { guarantee: 'PREPAY', depositSchedule: [{ percent: 100, due: { daysBefore: 1 } }] });
  sell('DESK', { guarantee: 'NONE', releaseHour: '18:00' });
  const tonight = { checkIn: scene.state.today, checkOut: scene.state.today + 1 };
  const billing = { card: 'sealed', isCardTaken: true as const };
  const book = (rateCode: string, stay: Partial<Stay> = property.stay() ?? {}) =>
    scene.accept(bookCommand({ stay: { ...stay, rateCode }, billing })).reservation.id;
  const owing = book('CARD', tonight);
  scene.accept(cancelCommand(owing));
  const later = book('LATER', { checkIn: scene.state.today + 9, checkOut: scene.state.today + 10 });
  const unclaimed = book('DESK', tonight);
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const first = await open.due(property.to, scene.now, 1);
  t.same([...first, ...(await open.due(property.to, scene.now, 9, first[0]))].sort(), [owing, later].sort());
  const mine = async (at: number) =>
    (await open.unclaimed(tenantId, at, 9)).filter(({ to }) => to.propertyId === propertyId);
  const { timezone } = scene.state.property!.metadata;
  const hour = instantAt(tonight.checkIn, '18:00', timezone);
  t.same(await mine(hour - 1), []);
  t.same(await mine(hour), [{ to: property.to, reservationId: unclaimed }]);
});
