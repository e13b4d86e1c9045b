import t from 'tap';

import type { RoomWish } from '../../../src/rooms/rules/room-wishes.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  DAY,
  freshId,
  modifyCommand,
  plainRoom,
  type BookingOptions,
} from '../../../src/testing/property-world.ts';

const ACCESSIBLE: RoomWish = { kind: 'ACCESSIBLE', weight: 10, required: true };
const VIEW: RoomWish = { kind: 'FEATURE', value: 'VIEW', weight: 10 };
const CONNECTING: RoomWish = { kind: 'CONNECTING', weight: 10 };

/** A property without payment: STD 101, accessible 102, and 103 with a view and a door to 102; DLX 201. */
function property(): Scene {
  const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: 30 } });
  const rooms = [
    plainRoom('101', { status: 'INSPECTED' }),
    plainRoom('102', { accessible: true }),
    plainRoom('103', { features: ['VIEW'], connectsTo: ['102'] }),
    plainRoom('201', { roomType: 'DLX' }),
  ];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

function booked(scene: Scene, roomWishes: RoomWish[], more: BookingOptions = {}): string {
  const stay = { checkIn: DAY, checkOut: DAY + 2, ...more.stay };
  return scene.accept(bookCommand({ roomWishes, ...more, stay })).reservation.id;
}
const assign = (reservationId: string, roomNumber: string) =>
  ({ type: 'ASSIGN_ROOM', reservationId, roomNumber }) as const;
const now = (scene: Scene, id: string) => scene.state.reservations.get(id)!;

void t.test('a room that does not meet a required wish is not given by hand', async (t) => {
  const scene = property();
  const id = booked(scene, [ACCESSIBLE, VIEW]);
  t.match(scene.refuse(assign(id, '101')), {
    code: 'ROOM_UNSUITABLE',
    details: { extra: { required: [{ kind: 'ACCESSIBLE' }] } },
  });
  const { reservation } = scene.accept(assign(id, '102'));
  t.same(reservation.unmetWishes, [{ kind: 'FEATURE', value: 'VIEW', reason: 'TAKEN' }], '103 is none for this stay');
});

void t.test('why a room given by hand does not meet a wish', async (t) => {
  const scene = property();
  const unmet = (id: string, roomNumber: string) => scene.accept(assign(id, roomNumber)).reservation.unmetWishes;
  const high: RoomWish = { kind: 'FEATURE', value: 'BATH', weight: 10 };
  const id = booked(scene, [VIEW, high]);
  t.same(unmet(id, '101'), [
    { kind: 'FEATURE', value: 'VIEW', reason: 'OUTWEIGHED' },
    { kind: 'FEATURE', value: 'BATH', reason: 'NO_SUCH_ROOM' },
  ]);
  t.same(unmet(id, '103'), [{ kind: 'FEATURE', value: 'BATH', reason: 'NO_SUCH_ROOM' }]);
  const other = booked(scene, [VIEW]);
  t.same(unmet(other, '101'), [{ kind: 'FEATURE', value: 'VIEW', reason: 'TAKEN' }]);
  scene.accept(modifyCommand(other, {}, { roomWishes: [] }));
  t.equal(now(scene, other).roomWishes, undefined);
  t.equal(now(scene, other).unmetWishes, undefined, 'no wish is left');
  const maintenance = {
    maintenanceId: freshId(),
    roomNumber: '103',
    kind: 'OUT_OF_ORDER' as const,
    firstNight: DAY + 6,
    lastNight: DAY + 6,
    reason: 'leak',
  };
  scene.accept({ type: 'OPEN_MAINTENANCE', maintenance });
  const late = booked(scene, [VIEW], { stay: { checkIn: DAY + 5, checkOut: DAY + 8 } });
  t.same(unmet(late, '101'), [{ kind: 'FEATURE', value: 'VIEW', reason: 'CLOSED' }], 'for its second night alone');
});

void t.test('connecting rooms by hand meet the wishes of one booking', async (t) => {
  const scene = property();
  const bookingId = freshId();
  const one = booked(scene, [CONNECTING], { bookingId });
  const other = booked(scene, [CONNECTING], { bookingId });
  t.match(scene.accept(assign(one, '102')).reservation.unmetWishes, [{ kind: 'CONNECTING' }]);
  t.same(scene.accept(assign(other, '101')).reservation.unmetWishes, [{ kind: 'CONNECTING', reason: 'OUTWEIGHED' }]);
  t.equal(scene.accept(assign(other, '103')).reservation.unmetWishes, undefined);
});

void t.test('an assignment from outside that breaks what is required by now is left out', async (t) => {
  const scene = property();
  const id = booked(scene, []);
  const unmetWishes = [{ kind: 'FEATURE' as const, value: 'VIEW', reason: 'TAKEN' as const }];
  const give = (roomNumber: string, more: object = {}) =>
    scene.accept({ type: 'ASSIGN_ROOMS', assignments: [{ reservationId: id, roomNumber, ...more }] });
  scene.accept(modifyCommand(id, {}, { roomWishes: [ACCESSIBLE] }));
  t.same(give('101').skipped, [id]);
  t.same(give('102', { unmetWishes }).assigned, [id]);
  t.match(now(scene, id), { roomNumber: '102', unmetWishes });
});

void t.test(
  'a room that does not meet what is required now is given up before arrival, and kept in house',
  async (t) => {
    const scene = property();
    const id = booked(scene, []);
    scene.accept(assign(id, '101'));
    const { changes } = scene.accept(modifyCommand(id, {}, { roomWishes: [VIEW] }));
    t.match(changes, { roomWishes: { from: undefined, to: [VIEW] } });
    t.match(now(scene, id), { roomNumber: '101', unmetWishes: [{ kind: 'FEATURE', reason: 'OUTWEIGHED' }] });
    scene.accept(modifyCommand(id, {}, { roomWishes: [ACCESSIBLE] }));
    t.equal(now(scene, id).roomNumber, undefined);
    const other = booked(scene, []);
    scene.accept(assign(other, '101'));
    scene.accept(checkInCommand(other));
    scene.accept(modifyCommand(other, {}, { roomWishes: [ACCESSIBLE] }));
    t.match(now(scene, other), { roomNumber: '101', unmetWishes: [{ kind: 'ACCESSIBLE', reason: 'OUTWEIGHED' }] });
  },
);

void t.test(
  'a guest who arrives gets a ready room that meets the wishes, and never without what is required',
  async (t) => {
    const scene = property();
    t.equal(scene.accept(checkInCommand(booked(scene, [VIEW]))).room.roomNumber, '103', 'before the inspected 101');
    t.equal(scene.accept(checkInCommand(booked(scene, []))).room.roomNumber, '101', 'an accessible room is kept');
    const needs = booked(scene, [ACCESSIBLE]);
    scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '102', status: 'DIRTY' });
    t.match(scene.refuse(checkInCommand(needs, { tier: 'PLATINUM' })), {
      code: 'NO_ROOM_READY',
      message: /required wishes/,
    });
    scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '102', status: 'CLEAN' });
    t.equal(scene.accept(checkInCommand(needs)).room.roomNumber, '102');
  },
);

void t.test(
  'a guest who needs the accessible room that another has gets it at check-in, and the other moves',
  async (t) => {
    const scene = property();
    const other = booked(scene, [], { stay: { checkIn: DAY + 1, checkOut: DAY + 3 } });
    scene.accept({ type: 'ASSIGN_ROOMS', assignments: [{ reservationId: other, roomNumber: '102' }] });
    t.equal(scene.accept(checkInCommand(booked(scene, [ACCESSIBLE]))).room.roomNumber, '102');
    t.equal(now(scene, other).roomNumber, undefined);
  },
);
