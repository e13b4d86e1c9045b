import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { MaintenanceId } from '../../../src/kernel/rules/ids.ts';
import { plain, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  modifyCommand,
  plainRoom,
} from '../../../src/testing/property-world.ts';
import { draftChanges } from '../changes.ts';
import { areRoomsAligned } from './closed-rooms.ts';

const ID = '00000000-0000-4000-8000-00000000000a' as MaintenanceId;
const OTHER = '00000000-0000-4000-8000-00000000000b' as MaintenanceId;

/** A property without payment: STD 101 to 103, DLX 201. */
function property(): Scene {
  const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: 30, maxHeldPercent: 100 } });
  const rooms = [plainRoom('101'), plainRoom('102'), plainRoom('103'), plainRoom('201', { roomType: 'DLX' })];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

type Asked = CommandOf<'OPEN_MAINTENANCE'>['maintenance'];
const asked = (changed: Partial<Asked> = {}): Asked => ({
  maintenanceId: ID,
  roomNumber: '101',
  kind: 'OUT_OF_ORDER',
  firstNight: DAY + 5,
  lastNight: DAY + 7,
  reason: 'a leak',
  ...changed,
});
const open = (changed: Partial<Asked> = {}): CommandOf<'OPEN_MAINTENANCE'> => ({
  type: 'OPEN_MAINTENANCE',
  maintenance: asked(changed),
});
const change = (changed: Partial<Asked> = {}): CommandOf<'CHANGE_MAINTENANCE'> => ({
  type: 'CHANGE_MAINTENANCE',
  maintenance: asked(changed),
});
const status = (roomNumber: string, to: CommandOf<'SET_ROOM_STATUS'>['status']): CommandOf<'SET_ROOM_STATUS'> => ({
  type: 'SET_ROOM_STATUS',
  roomNumber,
  status: to,
  notes: 'said at the desk',
});
const stayOf = (from: number, nights: number) => ({ stay: { checkIn: DAY + from, checkOut: DAY + from + nights } });
const available = (scene: Scene, ...nights: number[]): number[] =>
  nights.map((night) => scene.cell(DAY + night).available);
const roomStatus = (scene: Scene, roomNumber: string): string => scene.state.rooms.get(roomNumber)!.status;

void t.test('rooms out of order are not sold on their nights, and rooms out of service are', async (t) => {
  const scene = property();
  t.same(scene.accept(open()).oversold, []);
  t.same(available(scene, 4, 5, 7, 8), [3, 2, 2, 3]);
  t.match(scene.last.entries.at(-1)!.facts.setup, [{ kind: 'maintenance', id: ID, after: { reason: 'a leak' } }]);
  scene.accept(open({ maintenanceId: OTHER, roomNumber: '102', kind: 'OUT_OF_SERVICE' }));
  t.same(available(scene, 5), [2]);
  scene.accept(bookCommand(stayOf(5, 1)));
  scene.accept(bookCommand(stayOf(5, 1)));
  t.equal(scene.refuse(bookCommand(stayOf(4, 3))).code, 'ROOM_NOT_AVAILABLE');
  scene.accept(change({ lastNight: DAY + 5 }));
  t.same(available(scene, 5, 6, 7), [0, 3, 3]);
  scene.accept({ type: 'END_MAINTENANCE', maintenanceId: ID });
  t.same(available(scene, 5), [1]);
  t.equal(scene.refuse({ type: 'END_MAINTENANCE', maintenanceId: ID }).code, 'MAINTENANCE_NOT_FOUND');
});

void t.test('a type falls short where more is sold than is left, which the answer lists', async (t) => {
  const scene = property();
  for (let n = 0; n < 3; n++) scene.accept(bookCommand(stayOf(6, 1)));
  t.same(scene.accept(open()).oversold, [{ roomType: 'STD', day: DAY + 6, shortfall: 1 }]);
  t.match(
    draftChanges(scene.last.draft).cells.find(({ day }) => day === DAY + 6),
    { total: 3, outOfOrder: 1, available: 0, shortfall: 1 },
  );
  t.equal(scene.refuse(bookCommand(stayOf(6, 1))).code, 'ROOM_NOT_AVAILABLE');
});

void t.test(
  'nights that have passed, overlaps, and rooms with a guest are refused, and nothing changes',
  async (t) => {
    const scene = property();
    const id = scene.accept(bookCommand(stayOf(0, 3))).reservation.id;
    const { room } = scene.accept(checkInCommand(id));
    scene.accept(open({ roomNumber: '201' }));
    const before = plain(scene.state);
    const nights = (firstNight: number, lastNight?: number) => ({ roomNumber: '201', firstNight, lastNight });
    const refused = (changed: Partial<Asked>) => scene.refuse(open({ maintenanceId: OTHER, ...changed }));
    t.equal(refused(nights(DAY - 1, DAY + 1)).code, 'VALIDATION_FAILED');
    t.equal(refused(nights(DAY + 9, DAY + 8)).code, 'VALIDATION_FAILED');
    t.equal(refused(nights(DAY + 9_999)).code, 'VALIDATION_FAILED');
    t.match(refused(nights(DAY + 7)), { code: 'MAINTENANCE_OVERLAPS', details: { extra: { maintenanceId: ID } } });
    t.equal(refused({ roomNumber: '999' }).code, 'ROOM_NOT_FOUND');
    const inHouse = { roomNumber: room.roomNumber, firstNight: DAY + 2 };
    t.match(refused(inHouse), {
      code: 'ROOM_OCCUPIED',
      details: { extra: { reservationId: id }, date: '2026-06-03' },
    });
    t.equal(scene.refuse(status(room.roomNumber, 'OUT_OF_ORDER')).code, 'ROOM_OCCUPIED');
    t.same(plain(scene.state), before);
    scene.accept(open({ maintenanceId: OTHER, roomNumber: room.roomNumber, firstNight: DAY + 3 }));
  },
);

void t.test('a state set by hand opens a maintenance without an end, and the next state ends it', async (t) => {
  const scene = property();
  scene.accept(status('101', 'OUT_OF_ORDER'));
  t.same(available(scene, 0, 1, 30), [2, 2, 2]);
  t.match(
    [...scene.state.maintenances.values()],
    [{ roomNumber: '101', firstNight: DAY, reason: 'said at the desk' }],
  );
  scene.endDay();
  t.same(available(scene, 1, 31), [2, 2], 'the night that enters the window is one of it');
  scene.accept(status('101', 'CLEAN'));
  t.same(available(scene, 1, 31), [3, 3]);
  t.match(
    draftChanges(scene.last.draft).maintenances,
    [{ firstNight: DAY, lastNight: DAY }],
    'one night is on record',
  );
  t.equal(scene.state.maintenances.size, 0);
  scene.accept(status('101', 'OUT_OF_ORDER'));
  scene.accept(status('101', 'DIRTY'));
  t.equal(draftChanges(scene.last.draft).maintenancesRemoved.length, 1, 'no night: no record');
});

void t.test('rooms of the same number get maintenances of their own in each property', async (t) => {
  const ids = ['here', 'there'].map((propertyId) => {
    const scene = Scene.property({ propertyId });
    scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
    scene.accept(status('101', 'OUT_OF_ORDER'));
    return [...scene.state.maintenances.keys()];
  });
  t.equal(new Set(ids.flat()).size, 2);
});

void t.test('a maintenance begins and ends by itself', async (t) => {
  const scene = property();
  scene.accept(open({ firstNight: DAY + 1, lastNight: DAY + 2 }));
  t.equal(roomStatus(scene, '101'), 'CLEAN');
  scene.endDay();
  t.equal(roomStatus(scene, '101'), 'OUT_OF_ORDER');
  t.match(scene.last.entries.at(-1)!.facts.setup, [{ kind: 'room', after: { status: 'OUT_OF_ORDER' } }]);
  scene.endDay();
  scene.endDay();
  t.equal(roomStatus(scene, '101'), 'DIRTY', 'to be cleaned before the next guest');
  t.equal(scene.state.maintenances.size, 0);
  t.ok(areRoomsAligned(scene.state));
});

void t.test('a maintenance begins and ends where a change of the time zone moves the business date', async (t) => {
  const scene = property();
  scene.accept(open({ firstNight: DAY, lastNight: DAY }));
  scene.accept(open({ maintenanceId: OTHER, roomNumber: '102', firstNight: DAY + 1, lastNight: DAY + 2 }));
  const { property: before } = scene.state;
  const metadata = { ...before!.metadata, timezone: 'Pacific/Kiritimati' };
  // 04:00 of the next day there.
  scene.now = DAY * 86_400_000 + 14 * 3_600_000;
  scene.accept({ type: 'UPDATE_PROPERTY', property: { ...before!, metadata } });
  t.equal(scene.state.today, DAY + 1);
  t.same([roomStatus(scene, '101'), roomStatus(scene, '102')], ['DIRTY', 'OUT_OF_ORDER']);
  t.same([...scene.state.maintenances.keys()], [OTHER]);
});

void t.test('no stay gets a room that is closed on one of its nights', async (t) => {
  const scene = property();
  scene.accept(open({ firstNight: DAY + 1, lastNight: DAY + 1 }));
  scene.accept(open({ maintenanceId: OTHER, roomNumber: '102', firstNight: DAY + 1, lastNight: DAY + 1 }));
  const id = scene.accept(bookCommand(stayOf(0, 3))).reservation.id;
  const assign = { type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '101' } as const;
  t.equal(scene.refuse(assign).code, 'ROOM_OUT_OF_ORDER');
  t.same(scene.accept({ type: 'ASSIGN_ROOMS', assignments: [{ reservationId: id, roomNumber: '102' }] }).skipped, [
    id,
  ]);
  t.equal(scene.accept(checkInCommand(id)).room.roomNumber, '103');
  const short = scene.accept(bookCommand(stayOf(0, 1))).reservation.id;
  t.equal(scene.accept(checkInCommand(short)).room.roomNumber, '101', 'open tonight');
});

void t.test('a guest who stays on into a maintenance leaves a room that is out of order', async (t) => {
  const scene = property();
  const id = scene.accept(bookCommand(stayOf(0, 1))).reservation.id;
  const { roomNumber } = scene.accept(checkInCommand(id)).room;
  scene.accept(open({ roomNumber, firstNight: DAY + 1, lastNight: DAY + 3 }));
  scene.accept(modifyCommand(id, { checkOut: DAY + 2 }));
  scene.endDay();
  t.match(scene.state.rooms.get(roomNumber), { status: 'OCCUPIED', reservationId: id });
  scene.endDay();
  scene.accept(checkOutCommand(id, { forced: true }));
  t.equal(roomStatus(scene, roomNumber), 'OUT_OF_ORDER');
});

void t.test('passed nights stay those of the room', async (t) => {
  const scene = property();
  scene.accept(open({ firstNight: DAY, lastNight: DAY + 3 }));
  scene.accept(change({ firstNight: DAY, lastNight: DAY + 3, roomNumber: '102' }));
  scene.endDay();
  const refused = scene.refuse(change({ firstNight: DAY, lastNight: DAY + 3, roomNumber: '103' }));
  t.match(refused.details.errors, [{ pointer: '/roomNumber' }]);
  scene.accept(change({ firstNight: DAY, lastNight: DAY + 4, roomNumber: '102' }));
});

void t.test('a change of a room that says no state leaves it out of order', async (t) => {
  const scene = property();
  scene.accept(open({ firstNight: DAY, lastNight: DAY + 3 }));
  const { status: _, ...room } = { ...plainRoom('101'), floor: 7 };
  t.match(scene.accept({ type: 'PUT_ROOMS', rooms: [room], mode: 'replace' }), [
    { floor: 7, status: 'OUT_OF_ORDER' },
  ]);
  t.same(available(scene, 0, 3), [2, 2]);
  scene.accept({ type: 'PUT_ROOMS', rooms: [{ ...room, roomType: 'DLX' }], mode: 'replace' });
  t.same(available(scene, 0, 3), [3, 3], 'the other type lacks it');
  t.equal(scene.cell(DAY, 'DLX').available, scene.cell(DAY + 4, 'DLX').available - 1);
});

void t.test('a guest who stays on in a room that is open again is still in it', async (t) => {
  const scene = property();
  const id = scene.accept(bookCommand(stayOf(0, 1))).reservation.id;
  const { roomNumber } = scene.accept(checkInCommand(id)).room;
  scene.endDay();
  scene.accept(status(roomNumber, 'OUT_OF_ORDER'));
  scene.accept(modifyCommand(id, { checkOut: DAY + 3 }));
  const [maintenanceId] = scene.state.maintenances.keys();
  scene.accept({ type: 'END_MAINTENANCE', maintenanceId: maintenanceId! });
  t.match(scene.state.rooms.get(roomNumber), { status: 'OCCUPIED', reservationId: id });
});

void t.test('a room that changes its type or goes takes its maintenances along', async (t) => {
  const scene = property();
  scene.accept(open({ firstNight: DAY, lastNight: undefined }));
  const moved = { ...plainRoom('101', { roomType: 'DLX' }), status: 'OUT_OF_ORDER' as const };
  scene.accept({ type: 'PUT_ROOMS', rooms: [moved], mode: 'replace' });
  t.same(available(scene, 0, 9), [3, 3]);
  t.equal(scene.cell(DAY + 9, 'DLX').available, 1);
  scene.accept({ type: 'REMOVE_ROOM', roomNumber: '101' });
  t.equal(scene.cell(DAY + 9, 'DLX').available, 2);
  t.equal(scene.state.maintenances.size, 0);
});

void t.test('nights that a longer horizon opens lack the rooms that are out of order without an end', async (t) => {
  const scene = property();
  scene.accept(open({ lastNight: undefined }));
  const { metadata } = scene.state.property!;
  const longer = { ...metadata, policies: { ...metadata.policies, horizonNights: 40 } };
  scene.accept({ type: 'UPDATE_PROPERTY', property: { ...scene.state.property!, metadata: longer } });
  t.same(available(scene, 30, 40), [2, 2]);
});

void t.test('rooms put out of order by a release without maintenances are brought in line', async (t) => {
  const scene = property();
  const room = scene.state.rooms.get('101')!;
  const old = new Map(scene.state.rooms).set('101', { ...room, status: 'OUT_OF_ORDER', notes: 'old' });
  scene.state = { ...scene.state, rooms: old };
  t.notOk(areRoomsAligned(scene.state));
  scene.accept({ type: 'ALIGN_ROOMS' });
  t.ok(areRoomsAligned(scene.state));
  t.same(available(scene, 0, 9), [2, 2]);
  t.match([...scene.state.maintenances.values()], [{ roomNumber: '101', reason: 'old' }]);
});
