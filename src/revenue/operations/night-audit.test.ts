import t from 'tap';

import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import type { RoutingRule } from '../../money/rules/folio-window.ts';
import { invoiceOf } from '../../money/rules/invoice.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { clockOf } from '../../properties/rules/property.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withArchive } from '../../testing/archive.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  modifyCommand,
  noShowCommand,
  NOW,
  paid,
  plainRoom,
  postCommand,
  reinstateCommand,
  startBookingCommand,
  startPaymentCommand,
  undoCheckInCommand,
  voidCommand,
} from '../../testing/property-world.ts';
import { databaseAnalytics } from '../storage/analytics.ts';
import { databaseOtbByDay } from '../storage/otb-by-day.ts';
import { nightAudit } from './night-audit.ts';

const world = await withArchive(t);
const { database, store } = world;
const analytics = databaseAnalytics(database);
const dayBooks = databaseOtbByDay(database);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A property at noon of DAY with three STD at 100.00 and two DLX at 150.00, one room of each ready. */
async function opened(): Promise<Stored> {
  const property = await Stored.property(store, 'acme', NOW);
  const rooms = [plainRoom('101'), plainRoom('201', { roomType: 'DLX' })];
  property.scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return property;
}

/** Books and pays a stay from today on. */
function booked({ scene }: Stored, nights: number, roomType = 'STD', from = 0): { id: string; payment: Payment } {
  const { today } = scene.state;
  const started = startBookingCommand({ stay: { checkIn: today + from, checkOut: today + from + nights, roomType } });
  const { attempt } = scene.accept(started);
  const payment = paid(attempt, scene.now);
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment });
  return { id: started.booking.reservationId, payment };
}

function rolled({ scene }: Stored): void {
  scene.pass(DAY_MS);
  scene.accept({ type: 'TICK' });
}

/** The stored audit made at the roll to a date, or later. */
async function audited(property: Stored, roll: number, hoursLate = 0) {
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const { scene } = property;
  const ended = endOfBusinessDay(roll - 1, clockOf(scene.state.property!));
  const clock = { now: () => Math.min(scene.now, ended + hoursLate * HOUR_MS) };
  const services = { ...world.servicesOf({ scene } as never), clock, analytics, dayBooks };
  await nightAudit(services, property.to, roll);
  const { tenantId, propertyId } = property.to;
  const reports = await analytics.list(tenantId, { propertyId, from: roll - 1, to: roll - 1 }, 10);
  const metrics = await analytics.metrics(tenantId, { propertyId, from: roll - 1, to: roll - 1 }, 100);
  return { reports: reports.items, metrics: metrics.items };
}

/** Events of DAY: two arrivals, a no-show, a free and a late cancellation, and a booking that is never paid. */
function firstDay(property: Stored): { long: string; short: string; missing: string } {
  const { scene } = property;
  const [long, short, missing] = [booked(property, 2).id, booked(property, 1, 'DLX').id, booked(property, 1).id];
  const [late, inTime] = [booked(property, 1), booked(property, 2, 'STD', 3)];
  scene.accept(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 7 } }));
  scene.accept(checkInCommand(missing));
  scene.accept(undoCheckInCommand(missing));
  for (const id of [long, short]) scene.accept(checkInCommand(id));
  scene.accept(cancelCommand(late.id));
  const { reservation } = scene.accept(cancelCommand(inTime.id));
  const refund = reservation.payments.find(({ type }) => type === 'REFUND')!;
  scene.accept({ type: 'SETTLE_REFUND', reservationId: inTime.id, payment: paid(refund, scene.now) });
  return { long, short, missing };
}

t.test('a business date is audited in full, once no-shows are marked', async (t) => {
  const property = await opened();
  const { scene } = property;
  const { short, missing } = firstDay(property);
  await t.rejects(audited(property, DAY + 1), { message: /not rolled/ });
  rolled(property);
  await t.rejects(audited(property, DAY + 1), { message: /not marked/ });
  scene.accept(noShowCommand(missing));
  const first = await audited(property, DAY + 1);
  const ofStd = { roomsSold: 1, roomsAvailable: 3, roomRevenue: 10_000, occupancyRate: 33.33, adr: 10_000 };
  const ofDlx = { roomsSold: 1, roomsAvailable: 2, roomRevenue: 15_000, occupancyRate: 50, adr: 15_000 };
  t.strictSame(first.reports[0]?.content, {
    date: DAY,
    currency: 'EUR',
    house: {
      roomsSold: 2,
      roomsAvailable: 5,
      roomRevenue: 25_000,
      occupancyRate: 40,
      adr: 12_500,
      revPar: 5_000,
      pickup: 4,
    },
    roomTypes: [
      { roomType: 'DLX', ...ofDlx, revPar: 7_500, pickup: 1 },
      { roomType: 'STD', ...ofStd, revPar: 3_333, pickup: 3 },
    ],
    reservations: { arrivals: 2, departures: 0, noShows: 1, booked: 5, cancelled: 2, cancellationRate: 25 },
    // One night of 114.00 each for the late cancellation and the no-show, without city tax.
    revenue: { rooms: 25_000, additionalCharges: 800, penalties: 20_728, taxes: 4_572, total: 51_100 },
    byTax: [
      { group: 'ROOM', code: 'TAX', net: 25_000, tax: 2_500 },
      { group: 'FEE', code: 'FEES', net: 0, tax: 800 },
      { group: 'PENALTY', code: 'TAX', net: 20_728, tax: 2_072 },
    ],
    money: {
      payments: [{ method: 'CREDIT_CARD', count: 5, amount: 85_300 }],
      paid: 85_300,
      refunds: { count: 1, amount: 22_800 },
    },
    pickup: {
      byNight: [
        { day: DAY, rooms: 3 },
        { day: DAY + 1, rooms: 1 },
      ],
      byArrival: [
        { arrival: DAY, booked: 4, cancelled: 1 },
        { arrival: DAY + 3, booked: 1, cancelled: 1 },
      ],
    },
  });
  const charges = [{ description: 'Minibar', amount: 1_250 }];
  scene.accept(checkOutCommand(short, { charges, forced: true }));
  rolled(property);
  const second = await audited(property, DAY + 2);
  t.match(second.reports[0]?.content, {
    date: DAY + 1,
    house: { roomsSold: 1, pickup: 0 },
    reservations: { arrivals: 0, departures: 1, noShows: 0, booked: 0, cancelled: 0, cancellationRate: 0 },
    revenue: { rooms: 10_000, additionalCharges: 1_650, penalties: 0, taxes: 1_000, total: 12_650 },
    money: { payments: [], paid: 0, refunds: { count: 0, amount: 0 } },
    pickup: { byNight: [], byArrival: [] },
  });
});

t.test('made again, however late, a report is the same, and there is one', async (t) => {
  const property = await opened();
  const { scene } = property;
  const { long, short, missing } = firstDay(property);
  rolled(property);
  scene.accept(noShowCommand(missing));
  const first = await audited(property, DAY + 1);
  t.same(await audited(property, DAY + 1), first);
  scene.accept(checkOutCommand(short, { forced: true }));
  booked(property, 1, 'STD', 2);
  scene.accept({
    type: 'PUT_ROOM_TYPE',
    roomType: { ...scene.state.roomTypes.get('STD')!, totalRooms: 9 },
    mode: 'replace',
  });
  rolled(property);
  scene.accept(checkOutCommand(long, { forced: true }));
  rolled(property);
  t.same(await audited(property, DAY + 1), first);
  t.equal(first.reports.length, 1);
  t.equal(first.metrics.length, 14, 'six of the property, four of each room type');
});

t.test(
  'after an outage no audit waits for the desk, and a no-show counts on the day on which it is marked',
  async (t) => {
    const property = await opened();
    const { scene } = property;
    const { short, missing } = firstDay(property);
    rolled(property);
    await t.rejects(audited(property, DAY + 1, 0.9), { message: /not marked/ });
    const first = await audited(property, DAY + 1, 1);
    t.match(first.reports[0]?.content, { reservations: { noShows: 0 }, revenue: { penalties: 10_364 } });
    scene.accept(noShowCommand(missing));
    rolled(property);
    scene.accept({ type: 'OVERSTAY', reservationId: short });
    const next = await audited(property, DAY + 2);
    t.match(next.reports[0]?.content.revenue, { penalties: 10_364 });
    t.match((await audited(property, DAY + 1)).reports[0]?.content.revenue, { penalties: 10_364 }, 'as it was');
  },
);

t.test('a guest confirmed after the arrival night has ended delays no audit', async (t) => {
  const property = await opened();
  const { scene } = property;
  const stay = { checkIn: DAY, checkOut: DAY + 2 };
  scene.now = endOfBusinessDay(DAY, clockOf(scene.state.property!)) - 1_000;
  const start = startBookingCommand({ stay });
  const { attempt } = scene.accept(start);
  scene.pass(2_000);
  scene.accept({ type: 'TICK' });
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment: paid(attempt, scene.now) });
  t.equal((await audited(property, DAY + 1)).reports.length, 1);
});

t.test('an end that is taken back is reversed on the day of that, and no day that is over changes', async (t) => {
  const property = await opened();
  const { scene } = property;
  const { id } = booked(property, 3, 'STD', 1);
  scene.accept(cancelCommand(id));
  rolled(property);
  const revenue = async (roll: number) => (await audited(property, roll, 1)).reports[0]!.content.revenue;
  t.match(await revenue(DAY + 1), { penalties: 10_364, taxes: 1_036 });
  scene.accept(reinstateCommand(id));
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(endPaymentCommand(id, paid(attempt, scene.now)));
  scene.accept(modifyCommand(id, { adults: 1 }, { modifiedBy: 'desk', reason: 'alone' }));
  rolled(property);
  t.match(await revenue(DAY + 2), { penalties: -10_364, taxes: -1_036 });
  scene.accept(noShowCommand(id));
  const invoices = async () => {
    const sql = 'select sum(total)::float8 as total from invoice_documents where reservation_id = $1';
    return (await world.test.admin.query(sql, [id])).rows;
  };
  t.same(await invoices(), [{ total: 0 }], 'nothing is on its invoice meanwhile');
  rolled(property);
  t.match(await revenue(DAY + 3), { penalties: 10_364, taxes: 1_036 });
  t.same(
    [await revenue(DAY + 1), await revenue(DAY + 2)].map(({ penalties }) => penalties),
    [10_364, -10_364],
  );
  t.same(await invoices(), [{ total: 114 }], 'credited and invoiced again');
});

t.test('a later waiver lowers the day on which it was made, and no closed day', async (t) => {
  const property = await opened();
  const { scene } = property;
  const { long, short, missing } = firstDay(property);
  rolled(property);
  scene.accept(noShowCommand(missing));
  const revenue = async (roll: number) => (await audited(property, roll)).reports[0]!.content.revenue;
  const first = await revenue(DAY + 1);
  t.match(first, { penalties: 20_728, total: 51_100 });
  const by = { reason: 'ill', by: 'boss' };
  scene.accept({ type: 'WAIVE_PENALTY', reservationId: missing, refundId: freshId(), amount: 5_700, ...by });
  scene.accept({
    type: 'GIVE_REFUND',
    reservationId: short,
    refundId: freshId(),
    amount: 3_000,
    goodwill: true,
    ...by,
  });
  scene.accept(checkOutCommand(short, { charges: [{ description: 'Minibar', amount: 1_250 }], forced: true }));
  rolled(property);
  // Of 169.00 the taxes were 15.00: good will takes its part of them back.
  const credit = 3_000 - 266;
  const second = { penalties: -5_182, taxes: 1_000 - 518 - 266, additionalCharges: 400 + 1_250 - credit };
  t.match(await revenue(DAY + 2), second);
  scene.accept(checkOutCommand(long, { forced: true }));
  scene.accept({ type: 'GIVE_REFUND', reservationId: short, refundId: freshId(), amount: 1_000, ...by });
  rolled(property);
  t.match(
    await revenue(DAY + 3),
    { additionalCharges: -919, taxes: -81, total: -1_000 },
    'credited when he had left',
  );
  t.same(await revenue(DAY + 1), first);
  t.match(await revenue(DAY + 2), second, 'as it was');
});

t.test(
  'a posting counts on its day, a void on its own, and a night past the departure before the audit',
  async (t) => {
    const property = await opened();
    const { scene } = property;
    const { id } = booked(property, 1);
    const early = postCommand(id, { code: 'WATER', unitAmount: 100, quantity: 1 });
    scene.accept(early);
    const revenue = async (date: number) => (await audited(property, date + 1)).reports[0]!.content.revenue;
    scene.accept(checkInCommand(id));
    const water = postCommand(id, { unitAmount: 700, quantity: 1 });
    scene.accept(water);
    rolled(property);
    const first = await revenue(DAY);
    t.match(first, { rooms: 10_000, additionalCharges: 400 + 800 });
    scene.accept(voidCommand(id, water.postingId));
    rolled(property);
    await t.rejects(revenue(DAY + 1), { message: /not posted/ });
    scene.accept({ type: 'OVERSTAY', reservationId: id });
    t.match(await revenue(DAY + 1), { rooms: 10_000, additionalCharges: 400 - 700, taxes: 1_000 });
    t.same(await revenue(DAY), first, 'a day that is over stays');
    scene.accept(checkOutCommand(id, { charges: [{ description: 'Bar', amount: 50 }], forced: true }));
    rolled(property);
    const last = await revenue(DAY + 2);
    t.match(last, { rooms: 0, additionalCharges: 50 });
    const second = await revenue(DAY + 1);
    const { total } = invoiceOf(scene.state.reservations.get(id)!);
    t.equal(first.total + second.total + last.total, total, 'all days are the invoice');
  },
);

t.test('a day earns and is paid the same, whoever of two guests pays which part', async (t) => {
  const contents = [];
  for (const rules of [[], ['ROOM', 'FEE', 'EXTRA'].map((kind) => ({ kind, window: 'SHARER', percent: 33 }))]) {
    const property = await opened();
    const { scene } = property;
    const { id } = booked(property, 1);
    const guestId = freshId();
    const sharer = { guestId, firstName: 'Bo', lastName: 'Diddley', email: `${guestId}@example.com` };
    scene.accept(modifyCommand(id, {}, { sharer, sharerKey: 'k1.other' }));
    scene.accept({ type: 'ROUTE_FOLIO', reservationId: id, rules: rules as RoutingRule[], by: 'desk' });
    scene.accept(checkInCommand(id));
    scene.accept(postCommand(id, { unitAmount: 777, quantity: 1, taxLines: [{ code: 'VAT', amount: 51 }] }));
    rolled(property);
    const first = (await audited(property, DAY + 1)).reports[0]!.content;
    contents.push({ ...first, money: undefined });
  }
  t.match(contents[0], { revenue: { rooms: 10_000, additionalCharges: 1_177 } });
  t.same(contents[1], contents[0]);
});

t.test('the earnings of all days sum to all invoices, with goodwill too', async (t) => {
  const property = await opened();
  const { scene } = property;
  const stays = [booked(property, 3), booked(property, 2, 'DLX'), booked(property, 2, 'STD', 1)].map(({ id }) => id);
  const [left, missing, called] = stays as [string, string, string];
  const by = { reason: 'noise', by: 'boss' };
  const give = (reservationId: string, amount: number, goodwill = true) =>
    scene.accept({ type: 'GIVE_REFUND', reservationId, refundId: freshId(), amount, goodwill, ...by });
  scene.accept(checkInCommand(left));
  give(left, 20_000);
  give(missing, 2_000);
  give(called, 5_000);
  rolled(property);
  scene.accept(noShowCommand(missing));
  scene.accept(cancelCommand(called));
  scene.accept(checkOutCommand(left, { charges: [{ description: 'Bar', amount: 700 }], forced: true }));
  rolled(property);
  give(called, 1_000, false);
  rolled(property);
  const days = [];
  for (const day of [1, 2, 3]) days.push((await audited(property, DAY + day)).reports[0]!.content.revenue.total);
  const invoices = stays.map((id) => invoiceOf(scene.state.reservations.get(id)!).total);
  const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0);
  t.equal(sum(days), sum(invoices), `${days.join()} of ${invoices.join()}`);
});

t.test('figures are those of the report, of the property and of each room type', async (t) => {
  const property = await opened();
  const { missing } = firstDay(property);
  rolled(property);
  property.scene.accept(noShowCommand(missing));
  const { metrics } = await audited(property, DAY + 1);
  const ofProperty = metrics.filter(({ roomType }) => roomType === undefined);
  t.strictSame(
    ofProperty.map(({ type, value }) => [type, value]),
    [
      ['OCCUPANCY', 4_000],
      ['ADR', 12_500],
      ['REVPAR', 5_000],
      ['CANCELLATION_RATE', 2_500],
      ['PICKUP', 400],
      ['PENALTIES', 20_728],
    ],
  );
  t.ok(metrics.some(({ type, roomType, value }) => type === 'REVPAR' && roomType === 'STD' && value === 3_333));
});

t.test('an empty property has an empty report, and one that was not there has none', async (t) => {
  const property = await opened();
  rolled(property);
  const { reports } = await audited(property, DAY + 1);
  t.match(reports, [
    { content: { house: { roomsSold: 0, roomsAvailable: 5, adr: null, revPar: 0, occupancyRate: 0 } } },
  ]);
  t.match(reports, [{ content: { reservations: { cancellationRate: 0 }, roomTypes: { length: 2 } } }]);
  t.same(await audited(property, DAY), { reports: [], metrics: [] });
});

t.test('a property that slept for longer than its window has all its rooms', async (t) => {
  const property = await opened();
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  property.scene.pass(40 * DAY_MS);
  property.scene.accept({ type: 'TICK' });
  const { reports } = await audited(property, DAY + 30);
  t.match(reports, [{ content: { date: DAY + 29, house: { roomsAvailable: 5, pickup: 0 } } }]);
});

t.test('an entry a moment before the roll belongs to the day, one after it does not', async (t) => {
  const property = await opened();
  const { scene } = property;
  scene.pass(Date.parse('2026-06-02T00:59:59.999Z') - scene.now);
  booked(property, 1, 'STD', 5);
  scene.pass(1);
  scene.accept({ type: 'TICK' });
  booked(property, 1, 'STD', 5);
  const { reports } = await audited(property, DAY + 1);
  t.match(reports, [{ content: { house: { pickup: 1 }, reservations: { booked: 1 }, money: { paid: 11_400 } } }]);
});
