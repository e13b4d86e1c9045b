import t from 'tap';

import { billOf } from '../../../src/money/rules/folio.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { postingsOn } from '../../../src/money/rules/posting-days.ts';
import { folioOf } from '../../../src/money/rules/postings.ts';
import { type Policies } from '../../../src/properties/rules/property.ts';
import { packNight, unpackNight } from '../../../src/stay/storage/packed-night.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  compCommand,
  DAY,
  modifyCommand,
  noShowCommand,
  plainRoom,
  promotion,
} from '../../../src/testing/property-world.ts';

/** 100.00, ten percent of tax, and 2.00 a person. */
const NIGHT = 11_400;

function opened(policies: Partial<Policies> = {}) {
  const scene = Scene.property({ policies });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  return { scene, ...paidStays(scene) };
}

const undo = (reservationId: string) => ({ type: 'UNDO_COMP' as const, reservationId, by: 'boss' });
const ofDays = (from: number, nights: number) => ({ stay: { checkIn: DAY + from, checkOut: DAY + from + nights } });

void t.test('a complimentary night costs nothing, says what it cost, and gives no room away', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy();
  const result = scene.accept(compCommand(id, { nights: [DAY + 6] }));
  t.match(result, { refund: 0, credit: NIGHT });
  const it = now(id);
  t.match(it, { paid: 2 * NIGHT, version: 2, guarantee: { kind: 'PREPAY' }, comp: { by: 'boss', whole: undefined } });
  t.same(it.nights[0], { day: DAY + 5, rate: 10_000, taxes: 1_000, fees: 400 });
  const comped = { rate: 10_000, taxes: 1_000, fees: 400 };
  t.same(it.nights[1], { day: DAY + 6, rate: 0, taxes: 0, fees: 0, comped });
  t.match(billOf(it), { total: NIGHT, balance: -NIGHT }, 'what was paid too much is a credit');
  t.match(scene.cell(DAY + 6), { booked: 1 });
  t.match(it.timeline.at(-1), { event: 'MODIFIED', notes: 'Complimentary: The lift was broken', by: 'boss' });
  t.match(scene.last.entries, [{ type: 'COMP', entity: id, facts: { bookings: [['MODIFIED', null]] } }]);
  t.match(scene.last.entries[0]!.facts.details, [{ amounts: [2 * NIGHT, NIGHT] }]);
  t.same(scene.state.books.night(DAY + 6).revenue, 0);
  const lines = invoiceOf(it).lines.map(({ description, amount }) => [description, amount]);
  t.same(lines.slice(0, 2), [
    ['Night, STD', 10_000],
    ['Night, STD, complimentary', 0],
  ]);
  const [guest] = folioOf(it, DAY + 8, () => DAY);
  t.ok(guest!.postings.some(({ description, amount }) => description.endsWith('complimentary') && amount === 0));
  for (const night of it.nights) t.same(unpackNight(JSON.parse(JSON.stringify(packNight(night)))), night);
  assertMoney(it);
});

void t.test('all of a stay needs no guarantee, and what was paid goes back where that is requested', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy();
  t.match(scene.accept(compCommand(id, { refundRequested: true })), { refund: 2 * NIGHT, credit: 0 });
  t.match(now(id), { paid: 0, guarantee: { kind: 'NONE', releaseHour: null }, status: 'CONFIRMED' });
  t.match(now(id).payments.at(-1), { type: 'REFUND', amount: 2 * NIGHT, status: 'PROCESSING' });
  t.match(scene.refuse(compCommand(id)), { code: 'INVALID_STATE', message: /complimentary already/ });
  const back = scene.accept(undo(id));
  t.match(back, { additional: 2 * NIGHT });
  t.ok(back.dueDate! > scene.now, 'what that adds is not due at once');
  t.match(now(id), { guarantee: { kind: 'PREPAY' }, comp: undefined, deferred: { amount: 2 * NIGHT } });
  t.match(billOf(now(id)), { total: 2 * NIGHT, balance: 2 * NIGHT });
  t.match(scene.refuse(undo(id)), { code: 'INVALID_STATE' });
});

void t.test(
  'a credit is not sent back by a change that has nothing to do with it, and is at check-out',
  async (t) => {
    const { scene, buy, now } = opened();
    const id = buy({ stay: { checkIn: DAY, checkOut: DAY + 2 } });
    scene.accept(compCommand(id, { nights: [DAY + 1] }));
    scene.accept(modifyCommand(id, {}, { specialRequests: ['quiet'], modifiedBy: 'desk', reason: 'asked' }));
    t.equal(now(id).paid, 2 * NIGHT);
    scene.accept(checkInCommand(id));
    scene.accept(checkOutCommand(id));
    t.match(now(id), { paid: NIGHT, status: 'CHECKED_OUT' });
  },
);

void t.test('nights that are no nights of the stay are refused, and nothing changes', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy();
  const before = structuredClone(now(id));
  t.match(scene.refuse(compCommand(id, { nights: [DAY + 5, DAY + 7] })), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/nights/1', code: 'NOT_IN_STAY' }] },
  });
  t.match(scene.refuse(compCommand(id, { ifVersion: 7 })), { code: 'STALE_VERSION' });
  scene.accept(compCommand(id, { dryRun: true }));
  t.same(now(id), before);
});

void t.test('fees stay where the property says that they are due by law', async (t) => {
  const taxes = [
    { code: 'VAT', name: 'VAT', kind: 'PERCENT', value: 7, included: true, on: 'ROOM' },
    { code: 'CITY', name: 'City tax', kind: 'PER_PERSON_NIGHT', value: 300, included: false, on: 'ROOM' },
  ] as Policies['taxes'];
  for (const taxOnComp of [false, true]) {
    const { scene, buy, now } = opened({ taxes, taxOnComp, taxPercent: 0, feePerPersonNight: 0 });
    const id = buy();
    const [sold] = now(id).nights;
    scene.accept(compCommand(id));
    const [night] = now(id).nights;
    const due = taxOnComp ? [{ code: 'CITY', amount: 600, fee: true }] : [];
    t.match(night, { rate: 0, taxes: 0, fees: taxOnComp ? 600 : 0, taxLines: due, comped: { fees: 600 } });
    t.same(unpackNight(JSON.parse(JSON.stringify(packNight(night!)))), night);
    scene.accept(undo(id));
    t.same(now(id).nights[0], sold, 'taken back, it is the night that was sold');
  }
});

void t.test('a booking may be complimentary from the beginning: confirmed at once, the price kept', async (t) => {
  const { scene, now } = opened();
  const { reservation } = scene.accept(bookCommand({ comp: { reason: 'Travel writer' }, maxTotal: 0 }));
  t.match(reservation, { status: 'CONFIRMED', guarantee: { kind: 'NONE' }, payments: [], comp: { by: 'tester' } });
  t.match(reservation.nights, [{ rate: 0, comped: { rate: 10_000 } }, { rate: 0 }]);
  t.match(reservation.timeline, [{ event: 'CREATED', notes: 'Complimentary: Travel writer' }]);
  t.match(scene.cell(DAY + 5), { booked: 1 });
  scene.accept(undo(reservation.id));
  t.match(billOf(now(reservation.id)), { total: 2 * NIGHT });
});

void t.test('a reservation that waits for its payment is confirmed when all of it is complimentary', async (t) => {
  const { scene, now } = opened();
  const { id } = scene.accept(bookCommand()).reservation;
  scene.accept(compCommand(id, { nights: [DAY + 5] }));
  t.match(now(id), { status: 'PENDING', payments: [{ status: 'PENDING', amount: NIGHT }] });
  scene.accept(compCommand(id));
  t.match(now(id), { status: 'CONFIRMED', holdExpiresAt: undefined, payments: [{ status: 'CANCELLED' }] });
  t.match(scene.cell(DAY + 5), { booked: 1, held: 0 });
  t.match(
    scene.last.entries[0]!.facts.bookings!.map(([event]) => event),
    ['MODIFIED', 'CONFIRMED'],
  );
});

void t.test('a change keeps the nights that stay complimentary; new ones, and another type, are paid', async (t) => {
  const { scene, buy, now } = opened();
  scene.accept(promotion());
  const id = buy({ promoCode: 'TEN' });
  scene.accept(compCommand(id));
  const desk = { modifiedBy: 'desk', reason: 'asked' };
  scene.accept(modifyCommand(id, { nights: 3 }, desk));
  t.match(
    now(id).nights.map(({ rate }) => rate),
    [0, 0, 9_000],
  );
  t.match(now(id), { guarantee: { kind: 'PREPAY' } }, 'it is not free as a whole any more');
  t.match(now(id).nights[0]!.comped, { rate: 9_000 });
  scene.accept(modifyCommand(id, { nights: 2 }, desk));
  t.match(
    now(id).nights.map(({ rate }) => rate),
    [0, 0],
  );
  scene.accept(modifyCommand(id, { roomType: 'DLX' }, desk));
  t.same(
    now(id).nights.map(({ rate, comped }) => [rate, comped]),
    [
      [13_500, undefined],
      [13_500, undefined],
    ],
  );
  t.equal(now(id).comp, undefined);
});

void t.test('who cancels or does not come owes nothing for nights that were free', async (t) => {
  const { scene, buy, now } = opened();
  const cancelled = buy({ stay: { checkIn: DAY, checkOut: DAY + 2, rateCode: 'NRF' } });
  scene.accept(compCommand(cancelled));
  scene.accept(cancelCommand(cancelled));
  t.match(now(cancelled).cancellation, { penalty: 0 });
  t.equal(now(cancelled).paid, 0);
  const missed = buy(ofDays(0, 2));
  scene.accept(compCommand(missed, { nights: [DAY + 1] }));
  scene.accept(noShowCommand(missed));
  t.match(now(missed).cancellation, { penalty: NIGHT, originalTotal: NIGHT });
});

void t.test('what a change retained is given up with the nights, and back with them', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy(ofDays(0, 3));
  scene.accept(modifyCommand(id, { nights: 1 }, { modifiedBy: 'desk', reason: 'asked' }));
  scene.accept(modifyCommand(id, { checkIn: DAY + 9, checkOut: DAY + 10 }, { modifiedBy: 'desk', reason: 'asked' }));
  t.match(now(id), { retained: NIGHT });
  scene.accept(compCommand(id));
  t.match(now(id), { retained: undefined, comp: { forgone: NIGHT } });
  t.match(billOf(now(id)), { total: 0 });
  scene.accept(undo(id));
  t.match(now(id), { retained: NIGHT });
  assertMoney(now(id));
});

void t.test('an account goes on paying what is routed to it', async (t) => {
  const { scene, now } = opened();
  const source = { channel: 'OTA', collectedBy: 'CHANNEL' as const };
  const { id } = scene.accept(bookCommand({ source })).reservation;
  scene.accept(compCommand(id));
  t.match(now(id), { guarantee: { kind: 'CHANNEL' } });
});

void t.test('a night that is over is credited on the day on which it is made complimentary', async (t) => {
  const { scene, buy, now, roll } = opened();
  const id = buy(ofDays(0, 3));
  scene.accept(checkInCommand(id));
  roll();
  scene.accept(compCommand(id, { nights: [DAY, DAY + 1] }));
  const it = now(id);
  t.match(postingsOn(it, DAY), [{ of: DAY, nights: 1, rooms: 10_000, comps: undefined }]);
  const [own, late] = postingsOn(it, DAY + 1);
  t.match(own, { of: DAY + 1, nights: 1, comps: 1, rooms: 0, taxes: 0, extras: 0 });
  t.match(late, { of: DAY, nights: 0, comps: 1, rooms: -10_000, taxes: -1_000, extras: -400 });
});

void t.test('a guest who stays on pays for it, though his last night was free', async (t) => {
  const { scene, buy, now, roll } = opened();
  const id = buy(ofDays(0, 1));
  scene.accept(compCommand(id));
  scene.accept(checkInCommand(id));
  roll();
  roll();
  scene.accept({ type: 'OVERSTAY', reservationId: id });
  t.match(
    now(id).nights.map(({ rate }) => rate),
    [0, 10_000],
  );
});
