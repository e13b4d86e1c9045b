import t from 'tap';

import type { Caller } from '../../kernel/rules/caller.ts';
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
  NOW,
  paid,
  plainRoom,
  postCommand,
  startPaymentCommand,
} from '../../testing/property-world.ts';
import { databaseAnalytics } from '../storage/analytics.ts';
import { databaseOtbByDay } from '../storage/otb-by-day.ts';
import { readRevenueReport } from './read-day-report.ts';

const world = await withArchive(t);
const dayBooks = databaseOtbByDay(world.database);
const analytics = databaseAnalytics(world.database);
const BOSS = { tenantId: 'acme', subject: 'boss', role: 'MANAGER' } as Caller;

/** A property at noon of DAY, at 100.00 with 10 % of tax and fees of 4.00, and its report of a day. */
async function opened() {
  const property = await Stored.property(world.store, 'acme', NOW);
  const { scene } = property;
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101'), plainRoom('102')], mode: 'create' });
  const booked = () => {
    const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 1 } })).reservation;
    const { attempt } = scene.accept(startPaymentCommand(id));
    scene.accept(endPaymentCommand(id, paid(attempt, scene.now)));
    return id;
  };
  const report = async (date: number) => {
    t.ok((await property.write()).every((outcome) => outcome === 'committed'));
    const services = {
      ...world.servicesOf({ scene } as never),
      clock: { now: () => scene.now },
      dayBooks,
      analytics,
    };
    const { items, totals } = await readRevenueReport(services, BOSS, {
      propertyId: property.to.propertyId,
      date,
    });
    return { items, totals };
  };
  return { scene, booked, report };
}

t.test('what was posted is an extra, a fee is a fee, and each has its taxes by code', async (t) => {
  const { scene, booked, report } = await opened();
  const [id, gone] = [booked(), booked()];
  scene.accept(cancelCommand(gone));
  scene.accept(checkInCommand(id));
  const taxLines = [{ code: 'BAR', amount: 130, included: true as const }];
  scene.accept(postCommand(id, { unitAmount: 1_130, quantity: 3, taxLines }));
  const rooms = { group: 'ROOM', roomType: 'STD', net: 10_000, taxes: 1_000, gross: 11_000 };
  const extras = { group: 'EXTRA', net: 3_390, taxes: 0, gross: 3_390 };
  const expected = [
    { ...rooms, taxLines: [{ code: 'TAX', net: 10_000, tax: 1_000 }] },
    { group: 'FEE', net: 400, taxes: 0, gross: 400, taxLines: [{ code: 'FEES', net: 0, tax: 400 }] },
    { ...extras, taxLines: [{ code: 'BAR', net: 3_000, tax: 390 }] },
    { group: 'PENALTY', net: 10_364, taxes: 1_036, taxLines: [{ code: 'TAX', net: 10_364, tax: 1_036 }] },
  ];
  t.match((await report(DAY)).items, expected, 'while the guest is in house');
  scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  const { items, totals } = await report(DAY);
  t.match(items, expected, 'and when he has left');
  t.match(totals, { gross: 11_000 + 400 + 3_390 + 11_400 });
  t.same(totals.taxLines, [
    { code: 'BAR', net: 3_000, tax: 390 },
    { code: 'FEES', net: 0, tax: 400 },
    { code: 'TAX', net: 20_364, tax: 2_036 },
  ]);
});

t.test('a credit takes its taxes back among the extras, and penalties keep theirs', async (t) => {
  const { scene, booked, report } = await opened();
  const [id, gone] = [booked(), booked()];
  scene.accept(cancelCommand(gone));
  scene.accept(checkInCommand(id));
  scene.accept(checkOutCommand(id, { at: scene.now }));
  const by = { reason: 'noise', by: 'boss', refundId: freshId() };
  scene.accept({ type: 'GIVE_REFUND', reservationId: id, amount: 5_000, ...by });
  const { items } = await report(DAY);
  t.match(
    items.find(({ group }) => group === 'EXTRA'),
    { net: -4_561, taxes: -439, gross: -5_000, taxLines: [{ code: 'TAX', net: -4_561, tax: -439 }] },
  );
  t.match(
    items.find(({ group }) => group === 'PENALTY'),
    { net: 10_364, taxes: 1_036 },
  );
});
