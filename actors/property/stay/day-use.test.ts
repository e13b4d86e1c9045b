import t from 'tap';

import { billOf, folioTotals } from '../../../src/money/rules/folio.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  modifyCommand,
  placeHoldCommand,
  plainRoom,
  plan,
  restrict,
} from '../../../src/testing/property-world.ts';

/** 40.00, ten percent of tax, and 2.00 a person. */
const OF_DAY = 4_800;
const OF_NIGHT = 11_400;

function opened() {
  const scene = Scene.property({ policies: { cancellationPolicy: 'NON_REFUNDABLE' } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101'), plainRoom('102')], mode: 'create' });
  const day = plan({ code: 'DAY', dayUse: [{ rate: 4_000 }, { roomType: 'DLX', rate: 6_000 }], minLengthOfStay: 2 });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...day, cancellationPolicy: 'NON_REFUNDABLE' }, mode: 'create' });
  const stays = paidStays(scene);
  return { scene, ...stays, buyDay: (on: number) => stays.buy({ stay: dayUse(on) }) };
}

const dayUse = (on: number) => ({ checkIn: on, checkOut: on + 1, dayUse: true as const, rateCode: 'DAY' });
const desk = { modifiedBy: 'desk', reason: 'asked' };

void t.test('day use has its price by room type, takes one cell and ignores limits of length', async (t) => {
  const { scene, buyDay, now } = opened();
  const id = buyDay(DAY + 5);
  t.match(now(id), { stay: dayUse(DAY + 5), nights: [{ day: DAY + 5, rate: 4_000 }], paid: OF_DAY });
  t.equal(now(id).nights.length, 1);
  t.match([scene.cell(DAY + 5), scene.cell(DAY + 6)], [{ booked: 1 }, { booked: 0 }]);
  const { reservation } = scene.accept(bookCommand({ stay: { ...dayUse(DAY + 5), roomType: 'DLX' } }));
  t.equal(reservation.nights[0]!.rate, 6_000);
  const refused = (stay: object) => scene.refuse(bookCommand({ stay })).code;
  t.equal(refused({ checkIn: DAY + 5, checkOut: DAY + 6, rateCode: 'DAY' }), 'MIN_STAY');
  t.equal(refused({ ...dayUse(DAY + 5), rateCode: 'BAR' }), 'VALIDATION_FAILED');
  t.match(scene.accept(placeHoldCommand(1, dayUse(DAY + 6))), { terms: { dayUse: true, rates: [[4_000]] } });
});

void t.test('a guest who leaves on the day owes the day; nothing is given back', async (t) => {
  const { scene, buyDay, now } = opened();
  const id = buyDay(DAY);
  scene.accept(checkInCommand(id));
  scene.accept(checkOutCommand(id));
  const it = now(id);
  assertMoney(it);
  t.match(it, { status: 'CHECKED_OUT', stay: dayUse(DAY), paid: OF_DAY });
  t.equal(it.payments.length, 1);
  t.match(billOf(it), { total: OF_DAY, balance: 0 });
});

void t.test('a guest in house who stays on pays the nights in place of the day', async (t) => {
  const { scene, buyDay, now } = opened();
  const id = buyDay(DAY);
  scene.accept(checkInCommand(id));
  scene.accept(modifyCommand(id, { checkOut: DAY + 2 }, desk));
  const it = now(id);
  assertMoney(it);
  t.notOk(it.stay.dayUse);
  t.match(billOf(it), { total: 2 * OF_NIGHT, balance: 2 * OF_NIGHT - OF_DAY });
  const back = scene.refuse(modifyCommand(id, { checkOut: DAY }, desk));
  t.equal(back.code, 'VALIDATION_FAILED', 'no night becomes day use again');
});

void t.test('a change from a night to day use keeps what a cancellation would', async (t) => {
  const { scene, buy, now } = opened();
  const override = { reason: 'asked', sealed: 'sealed' };
  const id = buy({ stay: { checkIn: DAY + 5, checkOut: DAY + 6, rateCode: 'DAY' }, override });
  scene.accept(modifyCommand(id, { checkOut: DAY + 5 }, desk));
  t.match(now(id), { stay: { dayUse: true }, paid: OF_NIGHT });
  t.equal(folioTotals(now(id)).total, OF_NIGHT, 'not refundable');
  scene.accept(cancelCommand(id));
  assertMoney(now(id));
  t.match(now(id), { cancellation: { penalty: OF_NIGHT }, paid: OF_NIGHT });
});

void t.test('a guest of day use who stays the night pays it at the best available rate of the day', async (t) => {
  const { scene, buyDay, now, roll } = opened();
  const id = buyDay(DAY);
  scene.accept(checkInCommand(id));
  t.equal(scene.refuse({ type: 'OVERSTAY', reservationId: id }).code, 'TOO_EARLY');
  scene.accept(baseRates('STD', 12_000));
  roll();
  scene.accept(checkOutCommand(id, { forced: true }));
  t.match(now(id), { status: 'CHECKED_OUT', nights: [{ day: DAY, rate: 10_000 }] });
  t.match(now(id).stay, { checkIn: DAY, checkOut: DAY + 1, dayUse: undefined });
  t.match(billOf(now(id)), { total: OF_NIGHT, balance: OF_NIGHT - OF_DAY });
  assertMoney(now(id));

  const other = buyDay(scene.state.today);
  scene.accept(checkInCommand(other));
  roll();
  roll();
  scene.accept({ type: 'OVERSTAY', reservationId: other });
  t.equal(now(other).nights.length, 2);
  t.notOk(now(other).stay.dayUse);
  scene.accept({ ...modifyCommand(other, {}, desk), specialRequests: ['late breakfast'] });
  assertMoney(now(other));
});

void t.test('a guest in house who stays on has arrived, whatever restricts arrivals now', async (t) => {
  const { scene, buy, now } = opened();
  const open = plan({ code: 'OPEN', dayUse: [{ rate: 4_000 }] });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: open, mode: 'create' });
  const id = buy({ stay: { ...dayUse(DAY), rateCode: 'OPEN' } });
  scene.accept(checkInCommand(id));
  scene.accept(restrict({ closedToArrival: true, minStayArrival: 3 }, { rateCode: 'OPEN' }));
  scene.accept(modifyCommand(id, { checkOut: DAY + 1 }, desk));
  t.match(now(id), { nights: [{ rate: 10_000 }] });
});

void t.test('day use that is over is not sold', async (t) => {
  const { scene } = opened();
  const first = dayUse(DAY);
  const hold = placeHoldCommand(1, first);
  scene.accept(hold);
  scene.now = (DAY * 24 + 16) * 3_600_000;
  t.equal(scene.refuse(bookCommand({ stay: first })).code, 'VALIDATION_FAILED', '18:00 there');
  t.equal(scene.refuse(placeHoldCommand(1, first)).code, 'VALIDATION_FAILED');
});
