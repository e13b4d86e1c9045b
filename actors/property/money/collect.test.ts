import t from 'tap';

import { instantAt, localTime } from '../../../src/kernel/rules/property-time.ts';
import { folioTotals, paymentStatus } from '../../../src/money/rules/folio.ts';
import { windowsOf } from '../../../src/money/rules/postings.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { paymentsAhead } from '../../../src/stay/rules/collecting.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  type BookingOptions,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  id,
  modifyCommand,
  noShowCommand,
  paid,
  plainRoom,
  plan,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const CARD_TAKEN = { card: 'sealed', isCardTaken: true as const };
const HOUR_MS = 3_600_000;
const TONIGHT = { checkIn: DAY, checkOut: DAY + 2 };

/** A property that sells two nights from today, at 228.00 with taxes and fees, under a plan of its own. */
function booked(own: Partial<RatePlan>, { stay, ...options }: BookingOptions = {}) {
  const scene = Scene.property();
  const of = plan({ id: id(900), code: 'OWN', adjustmentPercent: 0, ...own });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: of, mode: 'create' });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'put' });
  const wish = { stay: { rateCode: 'OWN', ...TONIGHT, ...stay }, ...options };
  const { reservation } = scene.accept(bookCommand(wish));
  t.equal(reservation.status, 'CONFIRMED');
  return { scene, reservation, reservationId: reservation.id };
}

const after = (scene: Scene, reservationId: string) => scene.state.reservations.get(reservationId)!;
const chargeDue = (reservationId: string) => ({
  type: 'CHARGE_DUE' as const,
  reservationId,
  paymentId: freshId(),
  cancellationId: freshId(),
  refundId: freshId(),
});

void t.test('a penalty that a card owes is retained once it is charged, and never stands as a debt', (t) => {
  const { scene, reservationId } = booked({ guarantee: 'CARD' }, { billing: CARD_TAKEN });
  const { reservation } = scene.accept(cancelCommand(reservationId));
  const attempt = reservation.payments.at(-1)!;
  t.match(attempt, { status: 'PROCESSING', method: 'CARD_ON_FILE', amount: 11_400 });
  t.match(reservation, { paid: 0, cancellation: { penalty: 0, owed: { amount: 11_400 } } });
  t.equal(folioTotals(reservation).total, 0);
  scene.accept(endPaymentCommand(reservationId, paid(attempt)));
  const ended = after(scene, reservationId);
  t.match(ended, { status: 'CANCELLED', paid: 11_400, cancellation: { penalty: 11_400, owed: undefined } });
  t.equal(folioTotals(ended).total, 11_400);
  t.equal(paymentStatus(ended), 'PAID');
  t.end();
});

void t.test('a card that fails is tried on three days, and then no more', (t) => {
  const { scene, reservationId } = booked({ guarantee: 'CARD' }, { billing: CARD_TAKEN });
  let attempt = scene.accept(noShowCommand(reservationId)).reservation.payments.at(-1);
  const fail = () => scene.accept(endPaymentCommand(reservationId, { ...attempt!, status: 'FAILED' }));
  for (const day of [1, 2, 3]) {
    t.equal(scene.accept(chargeDue(reservationId)).attempt, undefined, 'it is under way');
    fail();
    t.equal(scene.accept(chargeDue(reservationId)).attempt, undefined, 'once a day');
    scene.pass(24 * HOUR_MS);
    attempt = scene.accept(chargeDue(reservationId)).attempt;
    t.equal(attempt?.amount, day < 3 ? 11_400 : undefined);
  }
  const { timeline, cancellation } = after(scene, reservationId);
  t.equal(timeline.filter(({ event }) => event === 'PAYMENT_FAILED').length, 3);
  t.match(cancellation, { penalty: 0, owed: { amount: 11_400 } });
  t.end();
});

void t.test('what is collected on a later day is revenue of that day', (t) => {
  const { scene, reservationId } = booked({ guarantee: 'CARD' }, { billing: CARD_TAKEN });
  const attempt = scene.accept(noShowCommand(reservationId)).reservation.payments.at(-1)!;
  scene.pass(24 * HOUR_MS);
  scene.accept({ type: 'TICK' });
  scene.accept(endPaymentCommand(reservationId, paid(attempt)));
  t.match(after(scene, reservationId).cancellation, {
    penalty: 11_400,
    day: DAY,
    waived: [{ day: DAY + 1, amount: -11_400 }],
  });
  t.end();
});

void t.test('an account takes over penalties and the bill of the stay; extras are paid by the guest', (t) => {
  const late = booked({ guarantee: 'COMPANY' }, { companyId: id(7) });
  const { reservation: gone } = late.scene.accept(cancelCommand(late.reservationId));
  t.match(gone, { paid: 11_400, cancellation: { penalty: 11_400 } });
  t.match(gone.payments, [{ method: 'INVOICE', status: 'COMPLETED', amount: 11_400 }]);
  const waive = { reservationId: gone.id, refundId: freshId(), reason: 'ill', by: 'boss' };
  const { reservation: waived } = late.scene.accept({ type: 'WAIVE_PENALTY', ...waive });
  t.match(waived.payments.at(-1), { type: 'REFUND', method: 'INVOICE', status: 'COMPLETED' }, 'nobody pays it out');

  const source = { channel: 'OTA', collectedBy: 'CHANNEL' as const };
  for (const options of [{ companyId: id(7) }, { source }]) {
    const { scene, reservationId } = booked({ guarantee: 'COMPANY', companyId: id(7) }, options);
    scene.accept(checkInCommand(reservationId));
    scene.pass(47 * HOUR_MS);
    scene.accept({ type: 'TICK' });
    const minibar = { description: 'Minibar', amount: 900 };
    t.equal(scene.refuse(checkOutCommand(reservationId, { charges: [minibar] })).code, 'PAYMENT_METHOD_REQUIRED');
    const { reservation: left, refunds } = scene.accept(checkOutCommand(reservationId));
    t.same(refunds, [], 'what an account takes over is given back to nobody');
    t.match(left, { status: 'CHECKED_OUT', paid: 22_800 });
    t.match(left.payments, [{ method: 'INVOICE', status: 'COMPLETED', amount: 22_800 }]);
  }
  t.end();
});

void t.test('a penalty that is routed to the guest is charged to no account', (t) => {
  for (const billing of [undefined, CARD_TAKEN])
    for (const end of [cancelCommand, noShowCommand]) {
      const { scene, reservationId } = booked({ guarantee: 'COMPANY' }, { companyId: id(7), billing });
      const rules = [{ kind: 'PENALTY' as const, window: 'GUEST' as const }];
      scene.accept({ type: 'ROUTE_FOLIO', reservationId, rules, by: 'desk' });
      const { reservation } = scene.accept(end(reservationId));
      t.notOk(reservation.payments.some(({ method }) => method === 'INVOICE'));
      const owed = billing ? { amount: 11_400 } : undefined;
      t.match(reservation, { paid: 0, cancellation: { penalty: 0, owed } }, 'the card of the guest pays, if any');
      if (billing) scene.accept(endPaymentCommand(reservationId, paid(reservation.payments.at(-1)!)));
      const windows = windowsOf(after(scene, reservationId), DAY);
      for (const { balance } of windows) t.equal(balance, 0);
    }
  t.end();
});

void t.test('a change and a cancellation keep the same where a card or an account answers for it', (t) => {
  for (const of of [
    { own: { guarantee: 'CARD' as const }, options: { billing: CARD_TAKEN } },
    { own: { guarantee: 'COMPANY' as const }, options: { companyId: id(7) } },
  ]) {
    const { scene, reservationId } = booked(of.own, of.options);
    const stay = { checkIn: DAY + 20, checkOut: DAY + 21 };
    scene.accept(modifyCommand(reservationId, stay, { modifiedBy: 'desk', reason: 'ill' }));
    const { cancellation } = scene.accept(cancelCommand(reservationId)).reservation;
    t.equal(cancellation!.penalty + (cancellation!.owed?.amount ?? 0), 11_400);
  }
  t.end();
});

const IN_PARTS = [
  { percent: 30, due: { at: 'BOOKING' as const } },
  { percent: 70, due: { daysBefore: 3 } },
];

void t.test('a later instalment is charged when it is due; unpaid for three days, the stay is cancelled', (t) => {
  const billing = CARD_TAKEN;
  const stay = { checkIn: DAY + 5, checkOut: DAY + 7 };
  const later = [{ percent: 100, due: { daysBefore: 3 } }];
  const { scene, reservationId } = booked({ guarantee: 'PREPAY', depositSchedule: later }, { billing, stay });
  t.equal(scene.accept(chargeDue(reservationId)).attempt, undefined, 'not yet');
  scene.pass(48 * HOUR_MS);
  scene.accept({ type: 'TICK' });
  for (let day = 0; day < 3; day++) {
    const { attempt } = scene.accept(chargeDue(reservationId));
    t.match(attempt, { amount: 22_800, status: 'PROCESSING' });
    scene.accept(endPaymentCommand(reservationId, { ...attempt!, status: 'FAILED' }));
    t.equal(after(scene, reservationId).status, 'CONFIRMED');
    if (day < 2) scene.pass(24 * HOUR_MS);
  }
  scene.accept(chargeDue(reservationId));
  t.match(after(scene, reservationId), { status: 'CANCELLED', cancellation: { reason: 'NO_PAYMENT' } });
  t.equal(scene.cell(DAY + 5).booked, 0);
  t.end();
});

void t.test('an instalment that was paid is not charged again, and a second one has its own tries', (t) => {
  const stay = { checkIn: DAY + 1, checkOut: DAY + 3 };
  const scene = Scene.property();
  const of = plan({ id: id(900), code: 'OWN', guarantee: 'PREPAY', depositSchedule: IN_PARTS });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: of, mode: 'create' });
  const { reservation } = scene.accept(bookCommand({ stay: { rateCode: 'OWN', ...stay } }));
  t.equal(reservation.status, 'PENDING', 'all of it is due');
  t.equal(scene.accept(chargeDue(reservation.id)).attempt, undefined, 'what waits for its payment has a hold');
  t.end();
});

void t.test('a room that is paid at the property is released at its hour, unless the guest has come or paid', (t) => {
  const release = (reservationId: string) => ({ type: 'RELEASE_UNCLAIMED' as const, reservationId });
  const { scene, reservationId } = booked({ guarantee: 'NONE', releaseHour: '18:00' });
  t.equal(scene.refuse(release(reservationId)).code, 'TOO_EARLY');
  // It is noon.
  scene.pass(6 * HOUR_MS);
  scene.accept(release(reservationId));
  t.match(after(scene, reservationId), { status: 'CANCELLED', cancellation: { reason: 'RELEASED', penalty: 0 } });
  t.equal(scene.cell(DAY).booked, 0);

  const never = booked({ guarantee: 'NONE', releaseHour: null });
  never.scene.pass(12 * HOUR_MS);
  t.equal(never.scene.refuse(release(never.reservationId)).code, 'INVALID_STATE');
  const there = booked({ guarantee: 'NONE', releaseHour: '18:00' });
  there.scene.accept(checkInCommand(there.reservationId));
  there.scene.pass(6 * HOUR_MS);
  t.equal(there.scene.refuse(release(there.reservationId)).code, 'INVALID_STATE');
  t.end();
});

/** A stay that was paid with the booking, of one night three weeks from now. */
function paidStay() {
  const scene = Scene.property();
  const of = plan({ id: id(900), code: 'OWN', adjustmentPercent: 0, guarantee: 'PREPAY' });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: of, mode: 'create' });
  const stay = { rateCode: 'OWN', checkIn: DAY + 20, checkOut: DAY + 21 };
  const { holdId, attempt, reservation } = scene.accept(startBookingCommand({ stay, billing: CARD_TAKEN }));
  const reservationId = reservation.id;
  scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt) });
  t.match(after(scene, reservationId), { status: 'CONFIRMED', paid: 11_400 });
  const until = (checkOut: number) =>
    scene.accept(modifyCommand(reservationId, { checkIn: stay.checkIn, checkOut })).dueDate;
  return { scene, reservationId, until };
}

void t.test('what a change adds is charged on its due date, not before', (t) => {
  const { scene, reservationId, until } = paidStay();
  const due = until(DAY + 22)!;
  const passUntil = (instant: number) => {
    scene.pass(instant - scene.now);
    scene.accept({ type: 'TICK' });
  };
  t.equal(scene.accept(chargeDue(reservationId)).attempt, undefined, 'on the day of the change');
  passUntil(due - HOUR_MS);
  t.equal(scene.accept(chargeDue(reservationId)).attempt, undefined, 'an hour before');
  passUntil(due + HOUR_MS);
  t.match(scene.accept(chargeDue(reservationId)).attempt, { amount: 11_400, method: 'CARD_ON_FILE' });
  t.end();
});

void t.test('what is said to be collected after a change is what the daily job collects, on that day', (t) => {
  const { scene, reservationId, until } = paidStay();
  const { metadata } = scene.state.property!;
  until(DAY + 22);
  const { collected, rest } = paymentsAhead(after(scene, reservationId), metadata, scene.now);
  t.same([collected, rest], [[{ day: DAY + 7, amount: 11_400 }], 0]);
  for (let { day } = localTime(scene.now, metadata.timezone); day <= DAY + 7; day++) {
    const run = instantAt(day, `${metadata.policies.autoAssignHour}:00`, metadata.timezone);
    scene.pass(Math.max(0, run - scene.now));
    scene.accept({ type: 'TICK' });
    const { attempt } = scene.accept(chargeDue(reservationId));
    t.equal(attempt?.amount, collected.find((one) => one.day === day)?.amount);
  }
  t.same(paymentsAhead(after(scene, reservationId), metadata, scene.now), { collected: [], rest: 0 }, 'under way');
  t.end();
});

void t.test('a change after the hour of the daily job is collected a day later; instalments on their days', (t) => {
  const { scene, reservationId, until } = paidStay();
  const { metadata } = scene.state.property!;
  const { autoAssignHour } = metadata.policies;
  scene.pass(instantAt(DAY, `${autoAssignHour + 1}:00`, metadata.timezone) - scene.now);
  until(DAY + 22);
  t.match(paymentsAhead(after(scene, reservationId), metadata, scene.now).collected, [{ day: DAY + 8 }]);

  const stay = { checkIn: DAY + 20, checkOut: DAY + 22 };
  const parts = [
    { percent: 30, due: { daysBefore: 14 } },
    { percent: 40, due: { daysBefore: 3 } },
  ];
  const later = booked({ guarantee: 'PREPAY', depositSchedule: parts }, { billing: CARD_TAKEN, stay });
  t.same(paymentsAhead(later.reservation, metadata, later.scene.now), {
    collected: [
      { day: DAY + 6, amount: 6_840 },
      { day: DAY + 17, amount: 9_120 },
    ],
    rest: 6_840,
  });
  t.end();
});

void t.test('what only guarantees, or is paid at the property, is collected on no day before the arrival', (t) => {
  for (const guarantee of ['NONE', 'CARD'] as const) {
    const stay = { checkIn: DAY + 20, checkOut: DAY + 21 };
    const { scene, reservationId } = booked({ guarantee, adjustmentPercent: 0 }, { billing: CARD_TAKEN, stay });
    scene.accept(modifyCommand(reservationId, { checkIn: DAY + 20, checkOut: DAY + 22 }));
    const { metadata } = scene.state.property!;
    const ahead = paymentsAhead(after(scene, reservationId), metadata, scene.now);
    t.same(ahead, { collected: [], rest: 22_800 }, guarantee);
  }
  t.end();
});

void t.test('what a change adds takes nothing off the instalments of what was booked before', (t) => {
  const stay = { checkIn: DAY + 20, checkOut: DAY + 22 };
  const parts = [
    { percent: 30, due: { daysBefore: 14 } },
    { percent: 40, due: { daysBefore: 3 } },
  ];
  const { scene, reservationId } = booked(
    { guarantee: 'PREPAY', depositSchedule: parts },
    { billing: CARD_TAKEN, stay },
  );
  const { metadata } = scene.state.property!;
  scene.accept(modifyCommand(reservationId, { checkIn: DAY + 20, checkOut: DAY + 24 }));
  t.same(paymentsAhead(after(scene, reservationId), metadata, scene.now).collected, [
    { day: DAY + 6, amount: 6_840 },
    { day: DAY + 7, amount: 6_840 },
    { day: DAY + 17, amount: 18_240 },
  ]);
  t.end();
});

void t.test('two changes are due together; what is taken back again is not deferred', (t) => {
  const { scene, reservationId, until } = paidStay();
  until(DAY + 22);
  const second = until(DAY + 23)!;
  t.same(after(scene, reservationId).deferred, { amount: 22_800, until: second });
  until(DAY + 22);
  t.same(after(scene, reservationId).deferred, { amount: 11_400, until: second });
  until(DAY + 21);
  t.equal(after(scene, reservationId).deferred, undefined);
  t.end();
});
