import t from 'tap';
import { room, stay, TODAY } from '../testing/room-houses.ts';
import { canAssign, canSwap } from './manual-assign.ts';
import { RoomPlan } from './room-plan.ts';

const house = RoomPlan.of(
  [room('101'), room('102'), room('103', { status: 'OUT_OF_ORDER' }), room('201', { roomType: 'DLX' })],
  [
    stay('in', -2, 4, { roomNumber: '101', status: 'CHECKED_IN' }),
    stay('next', 3, 2, { roomNumber: '101' }),
    stay('other', 4, 3, { roomNumber: '102' }),
    stay('open', 1, 3),
    stay('late', -3, 1, { roomNumber: '201', status: 'CHECKED_IN' }),
  ],
);

void t.test('a room can be given where nobody else has it on any of the nights', async (t) => {
  t.same(canAssign(house, 'open', '102', TODAY), {
    ok: true,
    reservationId: 'open',
    roomNumber: '102',
    roomType: 'STD',
    upgraded: false,
  });
  t.match(canAssign(house, 'next', '102', TODAY), { ok: false, takenBy: 'other', night: TODAY + 4 });
  t.match(canAssign(house, 'next', '101', TODAY), { ok: true, previousRoomNumber: '101' }, 'its own');
});

void t.test('who has the room, and on which night first, is said', async (t) => {
  const refused = { ok: false, reason: 'ROOM_TAKEN', reservationId: 'open', roomNumber: '101' };
  t.same(canAssign(house, 'open', '101', TODAY), { ...refused, takenBy: 'in', night: TODAY + 1 });
  t.same(canAssign(house.with([], ['in']), 'open', '101', TODAY), { ...refused, takenBy: 'next', night: TODAY + 3 });
});

void t.test('another type is no obstacle but told; no such room, and one out of order, are', async (t) => {
  t.match(canAssign(house, 'open', '201', TODAY), { ok: true, roomType: 'DLX', upgraded: true });
  t.match(canAssign(house, 'open', '103', TODAY), { ok: false, reason: 'ROOM_OUT_OF_ORDER' });
  t.match(canAssign(house, 'open', '999', TODAY), { ok: false, reason: 'ROOM_NOT_FOUND' });
  t.match(canAssign(house, 'nobody', '101', TODAY), { ok: false, reason: 'RESERVATION_NOT_FOUND' });
});

void t.test('only nights from today on count, and who should have left has the room tonight', async (t) => {
  t.match(canAssign(house, 'in', '102', TODAY), { ok: true }, 'a guest in house can move');
  const tonight = house.with([stay('now', 0, 2)]);
  t.match(canAssign(tonight, 'now', '201', TODAY), { ok: false, takenBy: 'late', night: TODAY });
  t.match(canAssign(house, 'open', '201', TODAY), { ok: true }, 'gone by tomorrow');
});

void t.test('two stays change rooms where neither meets anybody but the other', async (t) => {
  t.match(canSwap(house, 'next', 'other', TODAY), {
    ok: true,
    offers: [
      { reservationId: 'next', roomNumber: '102', previousRoomNumber: '101' },
      { reservationId: 'other', roomNumber: '101', previousRoomNumber: '102' },
    ],
  });
  const third = house.with([stay('third', 6, 2, { roomNumber: '101' })]);
  t.match(canSwap(third, 'next', 'other', TODAY), { ok: false, reservationId: 'other', takenBy: 'third' });
  t.match(canSwap(third, 'other', 'next', TODAY), { ok: false, reservationId: 'other', takenBy: 'third' });
});

void t.test('there is no change of rooms without two of them', async (t) => {
  t.match(canSwap(house, 'open', 'other', TODAY), { ok: false, reason: 'ROOM_NOT_FOUND', reservationId: 'other' });
  t.match(canSwap(house, 'other', 'open', TODAY), { ok: false, reason: 'ROOM_NOT_FOUND', reservationId: 'other' });
  t.match(canSwap(house, 'other', 'nobody', TODAY), { ok: false, reason: 'RESERVATION_NOT_FOUND' });
  const both = house.with([stay('x', 4, 2, { roomNumber: '102' })]);
  t.match(canSwap(both, 'x', 'other', TODAY), { ok: false, reason: 'ROOM_TAKEN' }, 'the same room solves nothing');
});
