import t from 'tap';

import type { Payment } from '../../money/rules/payment.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withArchive } from '../../testing/archive.ts';
import {
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  noShowCommand,
  NOW,
  paid,
  plainRoom,
  startBookingCommand,
  startPaymentCommand,
} from '../../testing/property-world.ts';
import { databaseAnalytics } from '../storage/analytics.ts';
import { databaseOtbByDay } from '../storage/otb-by-day.ts';
import { nightAudit } from './night-audit.ts';

const world = await withArchive(t);
const analytics = databaseAnalytics(world.database);
const dayBooks = databaseOtbByDay(world.database);

const HOUR = 3_600_000;

async function opened(): Promise<Stored> {
  const property = await Stored.property(world.store, 'acme', NOW);
  const rooms = [plainRoom('101'), plainRoom('102'), plainRoom('103')];
  property.scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return property;
}

function begun({ scene }: Stored, nights: number): { holdId: string; id: string; attempt: Payment } {
  const { today } = scene.state;
  const command = startBookingCommand({ stay: { checkIn: today, checkOut: today + nights } });
  const { attempt } = scene.accept(command);
  return { holdId: command.holdId, id: command.booking.reservationId, attempt };
}

function booked(property: Stored, nights: number): string {
  const { holdId, id, attempt } = begun(property, nights);
  property.scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, property.scene.now) });
  return id;
}

/** Moves to the next 03:00 of the property, or so many hours later. */
function rolled({ scene }: Stored, later = 0): void {
  const next = (Math.floor((scene.now - HOUR) / (24 * HOUR)) + 1) * 24 * HOUR + HOUR;
  scene.pass(next - scene.now + later * HOUR);
  scene.accept({ type: 'TICK' });
}

async function call(property: Stored, roll: number): Promise<boolean> {
  for (const outcome of await property.write()) t.equal(outcome, 'committed');
  const services = { ...world.servicesOf({ scene: property.scene } as never), analytics, dayBooks };
  return nightAudit(services, property.to, roll);
}

async function reportOf({ to: { tenantId, propertyId } }: Stored, date: number) {
  return (await analytics.list(tenantId, { propertyId, from: date, to: date }, 1)).items[0]!;
}

async function audited(property: Stored, roll: number) {
  t.equal(await call(property, roll), true);
  return (await reportOf(property, roll - 1)).content;
}

t.test('a payment that the provider had before the roll is in the day on which it was recorded', async (t) => {
  const property = await opened();
  const { scene } = property;
  const id = booked(property, 2);
  scene.accept(checkInCommand(id));
  const [slow, given] = [begun(property, 2), { method: 'CREDIT_CARD' as const, amount: 400 }];
  t.equal(
    scene.accept({ type: 'GIVE_REFUND', reservationId: id, refundId: slow.holdId, amount: 400, reason: 'x', by: 'y' })
      .credit,
    0,
  );
  const { attempt } = scene.accept(startPaymentCommand(id, given));
  const before = scene.now;
  rolled(property);
  t.match(await audited(property, DAY + 1), { money: { paid: 22_800, refunds: { amount: 0 } } });
  const refund = scene.state.reservations.get(id)!.payments.find(({ type }) => type === 'REFUND');
  scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: paid(refund!, before) });
  scene.accept(endPaymentCommand(id, paid(attempt, before)));
  rolled(property);
  t.match(await audited(property, DAY + 2), { money: { paid: 400, refunds: { amount: 400, count: 1 } } });
  t.match(await audited(property, DAY + 1), { money: { paid: 22_800, refunds: { amount: 0 } } }, 'as it was made');
});

t.test('what a card issuer took back is a payment below 0, on the day on which it was put on record', async (t) => {
  const property = await opened();
  const { scene } = property;
  const { holdId, id, attempt } = begun(property, 2);
  scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, scene.now) });
  scene.accept(checkInCommand(id));
  rolled(property);
  t.match(await audited(property, DAY + 1), { money: { paid: 22_800 } });
  const { paymentId } = attempt;
  const taken = {
    type: 'CHARGE_BACK' as const,
    reservationId: id,
    paymentId,
    amount: 2_800,
    chargebackId: freshId(),
  };
  scene.accept({ ...taken, reason: 'fraud', by: 'boss' });
  rolled(property);
  const { money } = await audited(property, DAY + 2);
  t.same(money, {
    payments: [{ method: 'CREDIT_CARD', count: 1, amount: -2_800 }],
    paid: -2_800,
    refunds: { count: 0, amount: 0 },
    chargebacks: { count: 1, amount: 2_800 },
  });
  t.notOk((await reportOf(property, DAY)).content.money.chargebacks, 'as it was made');
});

t.test('a night that is begun after its roll is posted on the open date, and says its own', async (t) => {
  const property = await opened();
  const { scene } = property;
  const id = booked(property, 3);
  rolled(property);
  scene.accept(checkInCommand(id, { at: scene.now }));
  const first = await audited(property, DAY + 1);
  t.match(first, { house: { roomsSold: 0 }, revenue: { rooms: 0, total: 0 } });
  t.notOk(first.late);
  scene.accept(checkOutCommand(id, { at: scene.now + HOUR, forced: true }));
  rolled(property);
  const second = await audited(property, DAY + 2);
  t.match(second, { house: { roomsSold: 0, roomRevenue: 0 } }, 'figures of rooms are those of the night itself');
  t.match(second.late, [{ date: DAY, nights: 1, rooms: 10_000, extras: 400, taxes: 1_000, penalties: 0 }]);
  t.match(second.revenue, { rooms: 10_000, taxes: 1_000 });
});

t.test('an hour of the night audit that is moved loses nothing and counts nothing twice', async (t) => {
  const property = await opened();
  const { scene } = property;
  const move = (nightAuditHour: number) => {
    const was = scene.state.property!;
    const policies = { ...was.metadata.policies, nightAuditHour };
    scene.accept({ type: 'UPDATE_PROPERTY', property: { ...was, metadata: { ...was.metadata, policies } } });
  };
  const missing = booked(property, 1);
  rolled(property, 2);
  scene.accept(noShowCommand(missing));
  const first = await audited(property, DAY + 1);
  t.match(first.money, { paid: 11_400 });
  const early = booked(property, 4);
  move(11);
  const late = booked(property, 5);
  for (const id of [early, late]) scene.accept(checkInCommand(id, { at: scene.now }));
  // The business date stays DAY + 1 until 11:00 of the day after.
  rolled(property, 7.5);
  t.equal(scene.state.today, DAY + 1);
  scene.pass(HOUR / 2);
  scene.accept({ type: 'TICK' });
  t.equal(scene.state.today, DAY + 2);
  t.match((await audited(property, DAY + 2)).money, { paid: 9 * 11_400 });
  move(0);
  scene.pass(14 * HOUR);
  scene.accept({ type: 'TICK' });
  t.match(await audited(property, DAY + 3), { money: { paid: 0 }, revenue: { rooms: 20_000 } });
  t.same(await audited(property, DAY + 1), first);
});

t.test('a guest who is found missing when the audit of his night is made is in the next one, once', async (t) => {
  const property = await opened();
  const { scene } = property;
  // The hold of a payment expires a moment after the roll.
  scene.pass(15 * HOUR - HOUR / 120);
  const { holdId, id, attempt } = begun(property, 2);
  const came = scene.now;
  rolled(property);
  t.match(await audited(property, DAY + 1), { revenue: { penalties: 0 } });
  scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, came) });
  scene.accept(noShowCommand(id));
  rolled(property);
  const second = await audited(property, DAY + 2);
  t.match(second, { revenue: { penalties: 10_364, taxes: 1_036 }, money: { paid: 22_800 } });
  t.match(second.late, [{ date: DAY, penalties: 10_364 }]);
  rolled(property);
  t.match(await audited(property, DAY + 3), { revenue: { penalties: 0, taxes: 0 }, money: { paid: 0 } });
});

t.test('weeks that were missed are made in order, some at a time, each with its own nights', async (t) => {
  const property = await opened();
  const { scene } = property;
  const id = booked(property, 9);
  scene.accept(checkInCommand(id));
  rolled(property);
  await audited(property, DAY + 1);
  scene.pass(40 * 24 * HOUR);
  scene.accept({ type: 'TICK' });
  scene.accept({ type: 'OVERSTAY', reservationId: id });
  scene.accept(checkOutCommand(id, { forced: true }));
  const { today } = scene.state;
  t.equal(today, DAY + 41);
  t.equal(await call(property, today), false, 'there are more of them than one call makes');
  t.equal(await call(property, today), true);
  const { tenantId, propertyId } = property.to;
  const { items } = await analytics.list(tenantId, { propertyId }, 100);
  t.same(
    items.map(({ content: { date } }) => date),
    Array.from({ length: 41 }, (_, n) => DAY + 40 - n),
  );
  const sold = items.map(({ content }) => content.revenue.rooms).reverse();
  t.same(
    sold.slice(0, 11),
    Array.from({ length: 11 }, () => 10_000),
    'nights of a guest who has not left are his',
  );
  const rows = items.map(({ covers }) => covers!).reverse();
  rows.forEach(({ after, to }, index) => t.ok(to >= after && after === (rows[index - 1]?.to ?? 0), `${after} ${to}`));
});

t.test('payments recorded by the release before count at the time of the provider', async (t) => {
  const property = await opened();
  const { scene } = property;
  const id = booked(property, 1);
  rolled(property);
  scene.accept(noShowCommand(id));
  await property.write();
  const { admin } = world.test;
  const here = `property_id = '${property.to.propertyId}'`;
  await admin.query(`update reservations set details = (details::jsonb - 'posted')::json where ${here}`);
  const first = await audited(property, DAY + 1);
  t.match(first.money, { paid: 11_400 });
  await admin.query(`update analytics_reports set parameters = '{}' where ${here}`);
  rolled(property);
  t.match(await audited(property, DAY + 2), { money: { paid: 0 }, revenue: { total: 0 } });
  t.same((await reportOf(property, DAY)).content, first);
});
