import t from 'tap';

import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  changedGroup,
  checkInCommand,
  checkOutCommand,
  DAY,
  group,
  plainRoom,
} from '../../../src/testing/property-world.ts';

const NIGHTS = [DAY, DAY + 1, DAY + 2];

/** A group with rooms of both types on three nights, and a guest in one of its STD rooms. */
function booked(dlx: number) {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  for (const [roomNumber, roomType] of [
    ['101', 'STD'],
    ['201', 'DLX'],
    ['202', 'DLX'],
  ] as const)
    scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom(roomNumber, { roomType })], mode: 'create' });
  const blocks = NIGHTS.flatMap((day) => [
    { roomType: 'STD', day, rooms: 2, rate: 8_000 },
    ...(dlx > 0 ? [{ roomType: 'DLX', day, rooms: dlx, rate: 12_000 }] : []),
  ]);
  const { groupId } = scene.accept(group(2, { blocks, cutoff: DAY + 2 }));
  const stay = { roomType: 'STD', checkIn: DAY, checkOut: DAY + 3 };
  const { id } = scene.accept(bookCommand({ stay, groupId })).reservation;
  const move = (roomNumber: string) =>
    scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber }).reservation;
  return { scene, groupId, id, move, counts: counting(scene, groupId) };
}

/** Rooms of the block, picked up, still blocked and booked, on each night. */
function counting(scene: Scene, groupId: GroupId) {
  return (roomType: string) =>
    NIGHTS.map((day) => {
      const { rooms = 0, pickedUp = 0 } = scene.state.groups.get(groupId)!.blocks[`${day} ${roomType}`] ?? {};
      const slab = scene.state.slabs.get(roomType)!;
      return [rooms, pickedUp, slab.count(day, 'group'), slab.count(day, 'booked')].join(' ');
    });
}

const same = (text: string): string[] => NIGHTS.map(() => text);

void t.test('a guest who gets a better room is picked up there, out of the block of that type', async (t) => {
  const { scene, id, move, counts } = booked(1);
  t.match(move('201').stay, { roomType: 'DLX' });
  t.same([counts('STD'), counts('DLX')], [same('2 0 2 0'), same('1 1 0 1')]);
  scene.accept(cancelCommand(id));
  t.same([counts('STD'), counts('DLX')], [same('2 0 2 0'), same('1 0 1 0')]);
});

void t.test('where the block is used up, the group has a room more there', async (t) => {
  const { scene, groupId, id, move, counts } = booked(1);
  const stay = { roomType: 'DLX', checkIn: DAY, checkOut: DAY + 3 };
  const other = scene.accept(bookCommand({ stay, groupId })).reservation.id;
  move('202');
  t.same(counts('DLX'), same('2 2 0 2'));
  scene.accept(cancelCommand(id));
  t.same(counts('DLX'), same('2 1 1 1'));
  scene.accept(cancelCommand(other));
  t.same([counts('STD'), counts('DLX')], [same('2 0 2 0'), same('2 0 2 0')]);
});

void t.test('without a block of that type the room comes out of general sale, and goes back there', async (t) => {
  const { scene, groupId, id, move, counts } = booked(0);
  move('201');
  t.same([counts('STD'), counts('DLX')], [same('2 0 2 0'), same('1 1 0 1')]);
  const noted = scene.state.groups.get(groupId)!.blocks[`${DAY} DLX`];
  t.match(noted, { isShoulder: true, rate: 8_000 }, 'at the rate that the guest pays');
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '101' });
  t.same([counts('STD'), counts('DLX')], [same('2 1 1 1'), same('0 0 0 0')], 'and back');
  const blocks = NIGHTS.map((day) => ({ roomType: 'STD', day, rooms: 1, rate: 8_000 }));
  scene.accept(changedGroup(groupId, { blocks }));
  t.same(counts('STD'), same('1 1 0 1'), 'what is not picked up can be cut');
});

void t.test('a guest is moved only where the group or general sale has a room', async (t) => {
  const { scene, groupId, id } = booked(1);
  const stay = { roomType: 'DLX', checkIn: DAY, checkOut: DAY + 3 };
  scene.accept(bookCommand({ stay }));
  scene.accept(bookCommand({ stay, groupId }));
  const refused = scene.refuse({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '201' });
  t.equal(refused.code, 'ROOM_NOT_AVAILABLE');
});

void t.test('nights that are given back by leaving early go back to the block', async (t) => {
  const { scene, id, counts } = booked(0);
  scene.accept(checkInCommand(id));
  scene.accept(checkOutCommand(id, { forced: true }));
  t.same(counts('STD'), same('2 0 2 0'));
});

void t.test('a pickup that an earlier release did not move ends at none', async (t) => {
  const { scene, groupId, id, counts } = booked(1);
  const { blocks } = scene.state.groups.get(groupId)!;
  for (const block of Object.values(blocks)) Object.assign(block, { pickedUp: 0 });
  scene.accept(cancelCommand(id));
  t.same(counts('STD'), same('2 0 1 0'), 'what was not counted is not given back');
});
