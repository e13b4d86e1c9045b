import t from 'tap';

import { areTasksAligned } from '../../../actors/property/rooms/housekeeping.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { sqlName } from '../../platform/database/tables/table.ts';
import type { Room } from '../../properties/rules/property.ts';
import type { RoomWish } from '../../rooms/rules/room-wishes.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { foundIn, opened, Stored, takenIn } from '../../testing/actors/store-conformance.ts';
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
  'inquiries',
  'calendarEvents',
  'calendarEventsRemoved',
  'extraStays',
  'extraStaysRemoved',
  'housekeeping',
  'groupBlocksRemoved',
];
const nameBefore = (name: string): string => BEFORE[name] ?? name;

/** Rooms that open a housekeeping task in 0.1.0, or end it. */
function roomsOf({ to, at, changes }: FinalizedBatch, has: (room: Room) => boolean): object[] {
  return changes.rooms.filter(has).map(({ roomNumber, notes }) => {
    return { t: to.tenantId, p: to.propertyId, roomNumber, notes, at: new Date(at).toISOString() };
  });
}

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
  const listed = {
    invoices: issued,
    invoice_items: [],
    rooms_to_clean: roomsOf(batch, ({ status }) => status === 'DIRTY'),
    rooms_cleaned: roomsOf(batch, ({ status }) => !['DIRTY', 'OCCUPIED', 'OUT_OF_ORDER'].includes(status)),
  };
  for (const [name, list] of Object.entries(listed))
    rows.set(name, list.length > 0 ? JSON.stringify(list) : (null as never));
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

t.test('housekeeping tasks that release 0.1.0 opens and ends are ours, whatever it made of our own', async (t) => {
  const target = await Stored.property(store);
  const { scene } = target;
  const set = (status: Room['status'], roomNumber: string): void =>
    void scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('h1'), plainRoom('h2'), plainRoom('h3')], mode: 'create' });
  for (const room of ['h2', 'h3']) set('DIRTY', room);
  const startedTasks = [...scene.state.housekeeping.values()].map(({ taskId }) => taskId);
  for (const taskId of startedTasks) scene.accept({ type: 'START_HOUSEKEEPING_TASK', taskId });
  t.same(new Set(await target.write()), new Set(['committed']));
  // It completes no task that is under way, and opens another one beside it.
  scene.pass(60_000);
  set('DIRTY', 'h1');
  set('CLEAN', 'h2');
  set('CLEAN', 'h3');
  set('DIRTY', 'h3');
  for (const batch of target.take()) t.same(await commitBefore(batch), {});
  const loaded = await opened(store, target.to);
  const read = loaded.housekeeping.map(({ roomNumber, taskType, status }) => `${roomNumber} ${taskType} ${status}`);
  t.same(read.sort(), [
    'h1 CLEANING PENDING',
    'h2 DEPARTURE IN_PROGRESS',
    'h3 CLEANING PENDING',
    'h3 DEPARTURE IN_PROGRESS',
  ]);
  scene.state = { ...(await foundIn(store, target.to)), reservations: scene.state.reservations };
  target.epoch = (await takenIn(store, target.to)).epoch;
  t.notOk(areTasksAligned(scene.state));
  scene.accept({ type: 'ALIGN_ROOMS' });
  t.same(await target.write(), ['committed']);
  const { rows } = await admin.query<{ task: string }>(
    `select concat_ws(' ', room_number, task_type, status, is_open) as task from housekeeping_tasks
     where property_id = $1 order by 1`,
    [target.to.propertyId],
  );
  t.same(
    rows.map(({ task }) => task),
    ['h1 CLEANING PENDING f', 'h2 DEPARTURE COMPLETED t', 'h3 CLEANING PENDING f', 'h3 DEPARTURE SKIPPED f'],
  );
  const again = await opened(store, target.to);
  t.same(again.housekeeping.map(({ roomNumber }) => roomNumber).sort(), ['h1', 'h2', 'h3'], 'one of each room');
});

t.test('release 0.1.0 leaves doors and access of rooms, and the wishes and the sharer of a stay', async (t) => {
  const target = await Stored.property(store);
  const { scene } = target;
  const rooms = [plainRoom('101', { accessible: true, connectsTo: ['102'] }), plainRoom('102')];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  const roomWishes: RoomWish[] = [{ kind: 'ACCESSIBLE', weight: 10, required: true }];
  const sharer = { guestId: freshId(), firstName: 'Bo', lastName: 'Diddley', email: 'bo@example.com' };
  const named = { sharer, sharerKey: 'k1.other' };
  const { id } = scene.accept(bookCommand({ stay: target.stay(), roomWishes, ...named })).reservation;
  t.ok((await target.write()).every((outcome) => outcome === 'committed'));
  for (const roomNumber of ['101', '102']) scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'DIRTY' });
  scene.accept(modifyCommand(id, {}, { specialRequests: ['quiet'] }));
  for (const batch of target.take()) t.same(await commitBefore(batch), {});
  const { reservation } = (await store.reservation(target.to, id))!;
  t.match(reservation, { specialRequests: ['quiet'], roomWishes, sharer });
  const again = await foundIn(store, target.to);
  t.match(again.rooms.get('101'), { status: 'DIRTY', accessible: true, connectsTo: ['102'] });
  t.match(again.rooms.get('102'), { status: 'DIRTY', connectsTo: ['101'] });
  t.notOk('accessible' in again.rooms.get('102')!, 'what it has not is not there');
});
