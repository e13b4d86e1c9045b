import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { sqlName } from '../../platform/database/tables/table.ts';
import type { RoomWish } from '../../rooms/rules/room-wishes.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { foundIn, Stored, takenIn } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import {
  bookCommand,
  cancelCommand,
  endPaymentCommand,
  freshId,
  modifyCommand,
  paid,
  plainRoom,
  startBookingCommand,
  startPaymentCommand,
} from '../../testing/property-world.ts';
import type { FinalizedBatch } from '../ports.ts';
import { ROW_LISTS, type RowList } from './lists.ts';
import { PostgresPropertyStore } from './property-store.ts';
import { batchArguments } from './rows.ts';

/** A node of release 0.1.0 writes beside this one, by its own version of the commit function. */
const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'node-a' });
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Names that lists had in 0.1.0. */
const BEFORE: Readonly<Record<string, string>> = {
  keyLookups: 'asked',
  keyClaims: 'claims',
  keyCompletions: 'ends',
  keyReleases: 'releases',
  roomStaysRemoved: 'roomStaysGone',
};
/** Lists that it did not have. */
const LATER: readonly RowList[] = [
  'invoiceDocuments',
  'maintenances',
  'maintenancesRemoved',
  'waitlist',
  'groupBlocksRemoved',
];
const nameBefore = (name: string): string => BEFORE[name] ?? name;

/** Writes a batch as 0.1.0 does: an invoice under the confirmation number, in tables of its own. */
async function commitBefore(batch: FinalizedBatch): Promise<unknown> {
  const [tenants, counts, ...lists] = batchArguments([batch]);
  const names = ROW_LISTS.map((name) => sqlName(nameBefore(name)));
  const rows = new Map(names.map((name, n) => [name, lists[n]!]));
  for (const later of LATER) rows.delete(sqlName(later));
  const numbers = Object.fromEntries(
    Object.entries(JSON.parse(counts!) as Record<string, number>).map(([name, count]) => [nameBefore(name), count]),
  );
  for (const later of LATER) delete numbers[later];
  const issued = batch.changes.documents.map(
    ({ confirmationNumber, reservationId, subtotal, taxes, fees, total }) => ({
      t: batch.to.tenantId,
      p: batch.to.propertyId,
      id: freshId(),
      reservationId,
      number: `INV-${confirmationNumber}`,
      currency: 'EUR',
      subtotal: subtotal / 100,
      taxes: taxes / 100,
      fees: fees / 100,
      total: total / 100,
      paid: 0,
      at: '2026-06-01T10:00:00Z',
    }),
  );
  if (issued.length > 0) numbers['invoices'] = issued.length;
  rows
    .set('invoices', issued.length > 0 ? JSON.stringify(issued) : (null as never))
    .set('invoice_items', null as never);
  const marks = [...rows.keys()].map((name, n) => `${name} => $${n + 3}`);
  const sql = `select commit_batch_v2(tenants => $1, counts => $2, ${marks.join(', ')}) as answer`;
  return (await admin.query(sql, [tenants, JSON.stringify(numbers), ...rows.values()])).rows[0]?.answer;
}

t.test('a stay that release 0.1.0 ended keeps its number, and is corrected by a credit note of ours', async (t) => {
  const target = await Stored.property(store);
  const { scene } = target;
  const ended = [2, 3].map((from) => {
    const started = startBookingCommand({ stay: { ...target.stay(from), rateCode: 'NRF' } });
    const { attempt } = scene.accept(started);
    scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) });
    return started.booking.reservationId;
  });
  await target.write();
  scene.accept(cancelCommand(ended[0]!));
  for (const batch of target.take()) t.same(await commitBefore(batch), {});
  const { reservation } = (await store.reservation(target.to, ended[0]!))!;
  t.match(reservation, { status: 'CANCELLED', documents: undefined });
  const again = await foundIn(store, target.to);
  t.same(again.serials, new Map(), 'it has used no number');
  scene.state = { ...again, reservations: scene.state.reservations };
  scene.state.reservations.set(reservation.id, reservation);
  const by = { refundId: freshId(), amount: 100, reason: 'noise', by: 'boss' };
  scene.accept({ type: 'GIVE_REFUND', reservationId: reservation.id, ...by });
  scene.accept(cancelCommand(ended[1]!));
  target.epoch = (await takenIn(store, target.to)).epoch;
  t.same(new Set(await target.write()), new Set(['committed']));
  const year = new Date(scene.now).getUTCFullYear();
  t.match((await store.reservation(target.to, reservation.id))!.reservation.documents, [
    { number: `INV-${reservation.confirmationNumber}`, kind: 'INVOICE' },
    { number: `CN-${year}-000001`, corrects: `INV-${reservation.confirmationNumber}`, total: -100 },
  ]);
  const [next] = (await store.reservation(target.to, ended[1]!))!.reservation.documents!;
  t.equal(next!.number, `INV-${year}-000001`, 'the first of the sequence');
});

t.test('a change by release 0.1.0 of an invoiced stay is corrected by the next change', async (t) => {
  const target = await Stored.property(store);
  const { scene } = target;
  const started = startBookingCommand({ stay: { ...target.stay(2), rateCode: 'NRF' } });
  const { attempt } = scene.accept(started);
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) });
  const id = started.booking.reservationId;
  scene.accept(cancelCommand(id));
  await target.write();
  const refund = (amount: number) =>
    ({ type: 'GIVE_REFUND', reservationId: id, refundId: freshId(), amount, reason: 'noise', by: 'boss' }) as const;
  scene.accept(refund(100));
  for (const batch of target.take()) await commitBefore({ ...batch, changes: { ...batch.changes, documents: [] } });
  const { reservation } = (await store.reservation(target.to, id))!;
  t.equal(reservation.documents!.length, 1, 'the document is still there');
  const again = await foundIn(store, target.to);
  scene.state = { ...again, reservations: scene.state.reservations };
  scene.state.reservations.set(id, reservation);
  target.epoch = (await takenIn(store, target.to)).epoch;
  scene.accept(refund(50));
  t.same(await target.write(), ['committed']);
  const documents = (await store.reservation(target.to, id))!.reservation.documents!;
  t.match(documents.slice(1), [{ kind: 'CREDIT_NOTE', total: -150 }], 'both refunds');
});

t.test('a node of a build without details of payments leaves those that a payment has', async (t) => {
  const target = await Stored.property(store);
  const { scene } = target;
  const { id } = scene.accept(bookCommand({ stay: target.stay() })).reservation;
  const tendered = { amount: 5_000, currency: 'USD', rate: 0.920_001, rateDate: scene.state.today };
  const { attempt } = scene.accept(startPaymentCommand(id, { amount: 4_600, tendered }));
  t.ok((await target.write()).every((outcome) => outcome === 'committed'));
  // Such a node loads the payment without them.
  const known = scene.state.reservations.get(id)!;
  const payments = known.payments.map(({ tendered: _details, ...payment }) => payment);
  scene.state.reservations.set(id, { ...known, payments });
  const { tendered: _details, ...plain } = attempt;
  scene.accept(endPaymentCommand(id, paid(plain)));
  t.ok((await target.write()).every((outcome) => outcome === 'committed'));
  const stored = (await store.reservation(target.to, id))!.reservation.payments.at(-1);
  t.match(stored, { status: 'COMPLETED', tendered });
});

t.test('release 0.1.0 leaves doors and access of rooms, and the wishes of a stay', async (t) => {
  const target = await Stored.property(store);
  const { scene } = target;
  const rooms = [plainRoom('101', { accessible: true, connectsTo: ['102'] }), plainRoom('102')];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  const roomWishes: RoomWish[] = [{ kind: 'ACCESSIBLE', weight: 10, required: true }];
  const { id } = scene.accept(bookCommand({ stay: target.stay(), roomWishes })).reservation;
  t.ok((await target.write()).every((outcome) => outcome === 'committed'));
  for (const roomNumber of ['101', '102']) scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'DIRTY' });
  scene.accept(modifyCommand(id, {}, { specialRequests: ['quiet'] }));
  for (const batch of target.take()) t.same(await commitBefore(batch), {});
  const { reservation } = (await store.reservation(target.to, id))!;
  t.match(reservation, { specialRequests: ['quiet'], roomWishes });
  const again = await foundIn(store, target.to);
  t.match(again.rooms.get('101'), { status: 'DIRTY', accessible: true, connectsTo: ['102'] });
  t.match(again.rooms.get('102'), { status: 'DIRTY', connectsTo: ['101'] });
  t.notOk('accessible' in again.rooms.get('102')!, 'what it has not is not there');
});
