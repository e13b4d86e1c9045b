import t from 'tap';

import { endOfBusinessDay } from '../../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../../src/properties/rules/property.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  DAY,
  endPaymentCommand,
  freshId,
  paid,
  placeHoldCommand,
  plainRoom,
  startBookingCommand,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const MINUTE_MS = 60_000;

/** A property a minute before its business date rolls, with a room that is ready. */
function lateEvening() {
  const scene = Scene.property();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  scene.now = endOfBusinessDay(DAY, clockOf(scene.state.property!)) - MINUTE_MS;
  const roll = () => {
    scene.now += MINUTE_MS + 1;
    return scene.accept({ type: 'TICK' });
  };
  const now = (id: string) => scene.state.reservations.get(id)!;
  return { scene, roll, now };
}

const tonight = (nights: number) => ({ checkIn: DAY, checkOut: DAY + nights });

void t.test('a night that ends while it is paid is not booked: the money goes back', async (t) => {
  const { scene, roll } = lateEvening();
  const start = startBookingCommand({ stay: tonight(1) });
  const { attempt, reservation } = scene.accept(start);
  roll();
  t.match(scene.last.entries[0]!.facts.bookings, [['RELEASED', reservation.id]], 'it ends with its night');
  const error = scene.refuse({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment: paid(attempt) });
  t.equal(error.code, 'HOLD_EXPIRED', 'which gives all of it back');
  t.notOk(scene.state.reservations.get(reservation.id));
});

void t.test(
  'a stay with nights left is confirmed though its arrival night has ended, and checks in late',
  async (t) => {
    const { scene, roll, now } = lateEvening();
    const start = startBookingCommand({ stay: tonight(2) });
    const { attempt, reservation } = scene.accept(start);
    roll();
    scene.accept({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment: paid(attempt) });
    t.match(now(reservation.id), { status: 'CONFIRMED', paid: 2 * 11_400 });
    t.match(scene.cell(DAY + 1), { booked: 1, held: 0 });
    t.equal(scene.accept(checkInCommand(reservation.id, { at: scene.now })).reservation.status, 'CHECKED_IN');
  },
);

void t.test('an unpaid reservation ends with its last night; money that comes later goes back', async (t) => {
  const { scene, roll, now } = lateEvening();
  const { id } = scene.accept(bookCommand({ stay: tonight(1) })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, { method: 'CREDIT_CARD' }));
  roll();
  t.match(now(id), { status: 'CANCELLED', cancellation: { reason: 'HOLD_EXPIRED', penalty: 0 } });
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now(id), { status: 'CANCELLED', paid: 0 });
  t.match(now(id).payments.at(-1), { type: 'REFUND', amount: 11_400, status: 'PROCESSING' });
});

void t.test('an unpaid reservation with nights left is confirmed by what is paid after the roll', async (t) => {
  const { scene, roll, now } = lateEvening();
  const { id } = scene.accept(bookCommand({ stay: tonight(2) })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id));
  roll();
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now(id), { status: 'CONFIRMED', paid: 2 * 11_400 });
  t.equal(scene.accept(checkInCommand(id, { at: scene.now })).reservation.status, 'CHECKED_IN');
});

void t.test('what is paid and was never confirmed is confirmed by nobody when its nights are over', async (t) => {
  const scene = Scene.property({ policies: { autoConfirmation: false } });
  const { id } = scene.accept(bookCommand({ stay: tonight(1) })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  scene.now = endOfBusinessDay(DAY, clockOf(scene.state.property!)) + 1;
  scene.accept({ type: 'TICK' });
  t.match(scene.refuse({ type: 'CONFIRM_RESERVATION', reservationId: id }), {
    code: 'INVALID_STATE',
    message: 'The nights of the stay are over.',
  });
});

void t.test('a hold ends with its last night, and cannot be extended into the day after', async (t) => {
  const { scene, roll } = lateEvening();
  const { id } = scene.accept(placeHoldCommand(2, tonight(1)));
  const other = scene.accept(placeHoldCommand(1, tonight(2)));
  roll();
  t.match(scene.last.entries[0]!.facts.holds, [['EXPIRED', id]]);
  t.equal(scene.refuse({ type: 'EXTEND_HOLD', holdId: id }).code, 'HOLD_EXPIRED');
  t.equal(scene.refuse(startBookingCommand({ fromHold: id, stay: tonight(1) })).code, 'HOLD_EXPIRED');
  t.match(scene.state.holds.get(other.id), { kind: 'EXPLICIT', rooms: 1 });
});

void t.test('a hold with nights left is booked late, at its price', async (t) => {
  const { scene, roll, now } = lateEvening();
  const hold = scene.accept(placeHoldCommand(1, tonight(3)));
  roll();
  const start = startBookingCommand({ fromHold: hold.id, stay: tonight(3) });
  const { attempt, reservation } = scene.accept(start);
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment: paid(attempt) });
  t.match(now(reservation.id), { status: 'CONFIRMED', nights: { length: 3 }, paid: 3 * 11_400 });
  t.match(scene.cell(DAY + 1), { booked: 1, held: 0 });
  t.equal(
    scene.refuse(bookCommand({ stay: tonight(3), reservationId: freshId() })).code,
    'VALIDATION_FAILED',
    'without a hold nobody books the night that has ended',
  );
});
