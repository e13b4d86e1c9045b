import t from 'tap';

import type { LoyaltyTier } from '../../../src/guests/rules/guest.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  type BookingOptions,
  checkInCommand,
  DAY,
  plainRoom,
} from '../../../src/testing/property-world.ts';

const DAY_MS = 86_400_000;
const TONIGHT = { stay: { checkIn: DAY, checkOut: DAY + 3 } };

/** A property without payment, with the rooms given and one booking. */
function property(rooms: ReturnType<typeof plainRoom>[], options: BookingOptions = TONIGHT) {
  const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: 30 } });
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  const { reservation } = scene.accept(bookCommand(options));
  return { scene, id: reservation.id };
}

void t.test('the guest gets the readiest room of the type, which is then occupied', async (t) => {
  const { scene, id } = property([
    plainRoom('101', { status: 'DIRTY' }),
    plainRoom('102'),
    plainRoom('103', { status: 'INSPECTED' }),
  ]);
  const { reservation, upgraded } = scene.accept(checkInCommand(id, { staffMember: 'Eve' }));
  t.match(reservation, {
    status: 'CHECKED_IN',
    roomNumber: '103',
    stay: { roomType: 'STD' },
    checkIn: { keyCards: 2 },
  });
  t.match(reservation.timeline.at(-1), { event: 'CHECKED_IN', by: 'Eve' });
  t.notOk(upgraded);
  t.equal(scene.state.rooms.get('103')!.status, 'OCCUPIED');
  t.match(scene.cell(DAY), { booked: 1 });
  t.equal(
    codeOf(() => scene.accept(checkInCommand(id))),
    'INVALID_STATE',
  );
});

void t.test('a better room moves the nights that are left, in the same commit and at the same price', async (t) => {
  const { scene, id } = property([plainRoom('101', { status: 'DIRTY' }), plainRoom('201', { roomType: 'DLX' })]);
  t.equal(
    codeOf(() => scene.accept(checkInCommand(id))),
    'NO_ROOM_READY',
    'only for members',
  );
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  const { reservation, upgraded } = scene.accept(checkInCommand(id, { tier: 'SILVER' }));
  t.ok(upgraded);
  t.match(reservation, { roomNumber: '201', stay: { roomType: 'DLX' }, bookedRoomType: 'STD' });
  t.same(
    reservation.nights.map(({ rate }) => rate),
    [10_000, 10_000, 10_000],
  );
  for (const day of [DAY + 1, DAY + 2]) {
    t.match(scene.cell(day), { booked: 0, available: 3 });
    t.match(scene.cell(day, 'DLX'), { booked: 1, available: 1 });
  }
  t.equal(scene.last.entries.length, 1, 'one row of the journal');
});

void t.test('a better type that is sold out on a night, or sleeps too few, is not given', async (t) => {
  const sold = property([plainRoom('201', { roomType: 'DLX' })]);
  for (let n = 0; n < 2; n++)
    sold.scene.accept(bookCommand({ stay: { roomType: 'DLX', checkIn: DAY + 2, checkOut: DAY + 3 } }));
  for (const tier of ['SILVER', 'GOLD', 'PLATINUM'] satisfies LoyaltyTier[])
    t.equal(
      codeOf(() => sold.scene.accept(checkInCommand(sold.id, { tier }))),
      'NO_ROOM_READY',
    );
});

void t.test('not before the arrival day, and not without identification', async (t) => {
  const { scene, id } = property([plainRoom('101')], { stay: { checkIn: DAY + 1, checkOut: DAY + 2 } });
  t.equal(
    codeOf(() => scene.accept(checkInCommand(id))),
    'TOO_EARLY',
  );
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.equal(
    codeOf(() => scene.accept(checkInCommand(id, { identified: false }))),
    'IDENTIFICATION_REQUIRED',
  );
  scene.accept(checkInCommand(id));
});

void t.test('more guests than the room sleeps do not get in', async (t) => {
  const { scene, id } = property([plainRoom('101')]);
  const guests = { adults: 20, children: 0 };
  t.equal(scene.refuse(checkInCommand(id, { guests })).code, 'OCCUPANCY_EXCEEDED');
  t.match(scene.state.rooms.get('101'), { reservationId: undefined });
  const { reservation } = scene.accept(checkInCommand(id, { guests: { adults: 1, children: 1 } }));
  t.match(reservation.checkIn, { guests: { adults: 1, children: 1 } });
});

void t.test('a room whose guest stays on is given to nobody else, however clean it is', async (t) => {
  const { scene, id } = property([plainRoom('101')]);
  const { reservation: next } = scene.accept(bookCommand(TONIGHT));
  scene.accept(checkInCommand(id));
  scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '101', status: 'CLEAN' });
  t.equal(scene.refuse(checkInCommand(next.id)).code, 'NO_ROOM_READY');
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101', { floor: 3 })], mode: 'replace' });
  t.match(scene.state.rooms.get('101'), { status: 'CLEAN', floor: 3, reservationId: id });
  t.equal(scene.refuse(checkInCommand(next.id)).code, 'NO_ROOM_READY');
  t.equal(scene.refuse({ type: 'REMOVE_ROOM', roomNumber: '101' }).code, 'PROPERTY_IN_USE');
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('102')], mode: 'create' });
  t.equal(scene.accept(checkInCommand(next.id)).room.roomNumber, '102');
});

void t.test('a time of check-in may lie behind, and no more than five minutes ahead', async (t) => {
  const { scene, id } = property([plainRoom('101')]);
  const ahead = scene.refuse(checkInCommand(id, { at: scene.now + 5 * 60_000 + 1 }));
  t.match(ahead.details.errors, [{ pointer: '/checkInTime', code: 'IN_THE_FUTURE' }]);
  const { checkIn: record } = scene.accept(checkInCommand(id, { at: scene.now - 400 * DAY_MS }));
  t.equal(record.at, scene.now - 400 * DAY_MS);
});
