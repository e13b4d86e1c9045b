import t from 'tap';

import type { Room } from '../../../src/properties/rules/property.ts';
import { plain, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  envelope,
  NOW,
  property,
  roomType,
} from '../../../src/testing/property-world.ts';
import { draftChanges } from '../changes.ts';

const DAY_MS = 86_400_000;
const room = (roomNumber: string, type = 'STD'): Room => ({
  roomNumber,
  roomType: type,
  floor: 1,
  status: 'AVAILABLE',
  features: [],
  updatedAt: NOW,
});
const stamped = (scene: Scene): unknown => {
  const { seq: _seq, head: _head, at: _at, property: target, ...rest } = plain(scene.state);
  return { ...rest, property: { ...(target as object), updatedAt: 0 } };
};

void t.test('a property that was deleted comes back as it was', async (t) => {
  const scene = Scene.property();
  scene.accept({ type: 'PUT_ROOMS', rooms: [room('101')], mode: 'create' });
  const { reservation } = scene.accept(bookCommand());
  scene.accept({ type: 'SET_INVENTORY', roomType: 'DLX', start: DAY + 3, end: DAY + 4, totalRooms: 1 });
  scene.accept(cancelCommand(reservation.id));
  t.equal(scene.refuse({ type: 'RESTORE_PROPERTY' }).code, 'INVALID_STATE');
  const before = stamped(scene);
  scene.accept({ type: 'DELETE_PROPERTY' });
  t.equal(scene.refuse(bookCommand()).code, 'PROPERTY_NOT_FOUND');
  t.equal(scene.refuse({ type: 'CREATE_PROPERTY', property: property(), plans: [] }).code, 'ALREADY_EXISTS');
  t.match(scene.accept({ type: 'RESTORE_PROPERTY' }), { propertyId: 'anchor', updatedAt: NOW });
  t.same(stamped(scene), before);
  t.match(draftChanges(scene.last.draft), { property: { name: 'The Anchor' }, propertyDeleted: false, cells: [] });
  t.equal(scene.accept(bookCommand()).reservation.status, 'PENDING', 'and sells');
});

void t.test('after some nights it comes back on the business date of then', async (t) => {
  const scene = Scene.property();
  scene.accept({ type: 'DELETE_PROPERTY' });
  scene.pass(5 * DAY_MS);
  scene.accept({ type: 'RESTORE_PROPERTY' });
  t.equal(scene.view.businessDate, DAY + 5);
  t.same(
    scene.view.grid(0, DAY + 99, 'STD').map(({ day, total }) => [day, total]),
    Array.from({ length: 31 }, (_, ahead) => [DAY + 5 + ahead, 3]),
  );
});

void t.test('what never was does not come back, and two in one batch do it once', async (t) => {
  t.equal(Scene.nothing().refuse({ type: 'RESTORE_PROPERTY' }).code, 'PROPERTY_NOT_FOUND');
  const scene = Scene.property();
  const all = (['DELETE_PROPERTY', 'RESTORE_PROPERTY', 'RESTORE_PROPERTY'] as const).map((type) =>
    envelope({ type }),
  );
  t.same(
    scene.batch(...all).outcomes.map((one) => (one.kind === 'refused' ? one.error.code : one.kind)),
    ['accepted', 'accepted', 'INVALID_STATE'],
  );
});

void t.test('a room type comes back with its count and its rooms, its nights as those of a new one', async (t) => {
  const scene = Scene.property();
  scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'STD' });
  scene.accept({ type: 'PUT_ROOMS', rooms: [room('102', 'DLX')], mode: 'create' });
  const restore = { type: 'RESTORE_ROOM_TYPE', roomType: 'STD' } as const;
  t.equal(scene.refuse(restore).code, 'ROOM_TYPE_NOT_FOUND', 'where the database has none');
  const removed = { roomType: roomType('STD', 3), rooms: [room('101'), room('102')] };
  t.match(scene.accept({ ...restore, removed }), { roomType: 'STD', totalRooms: 3 });
  t.equal(scene.state.rooms.get('102')!.roomType, 'DLX', 'a number that was given away stays there');
  t.equal(scene.state.rooms.get('101')!.roomType, 'STD');
  t.match(scene.cell(DAY + 5), { total: 3, available: 3, rate: null });
  t.equal(scene.view.grid(0, DAY + 99, 'STD').length, 31);
  t.equal(scene.refuse({ ...restore, removed }).code, 'INVALID_STATE');
});

void t.test('a room comes back while its type is there', async (t) => {
  const scene = Scene.property();
  const restore = { type: 'RESTORE_ROOM', roomNumber: '101' } as const;
  t.equal(scene.refuse(restore).code, 'ROOM_NOT_FOUND');
  t.equal(scene.refuse({ ...restore, removed: room('101', 'GONE') }).code, 'UNKNOWN_ROOM_TYPE');
  t.match(scene.accept({ ...restore, removed: room('101') }), { roomNumber: '101', roomType: 'STD' });
  t.equal(scene.refuse({ ...restore, removed: room('101') }).code, 'INVALID_STATE');
});

void t.test(
  'a property follows its tenant where it has said nothing itself, and only then its number moves',
  async (t) => {
    const scene = Scene.nothing();
    const own = { taxPercent: 10, horizonNights: 30 };
    const target = property();
    target.metadata.ownPolicies = own;
    target.metadata.policies = { ...target.metadata.policies, feePerPersonNight: 0 };
    scene.accept({ type: 'CREATE_PROPERTY', property: target, plans: [] });
    const { seq } = scene.state;
    const follow = (policies: object) => scene.accept({ type: 'FOLLOW_TENANT', policies });
    follow({});
    follow({ taxPercent: 7 });
    t.equal(scene.state.seq, seq, 'what the property has set itself stays, and nothing is written');
    t.match(follow({ taxPercent: 7, freeCancellationHours: 72, overbookingLimit: 2 }).metadata.policies, {
      taxPercent: 10,
      freeCancellationHours: 72,
      overbookingLimit: 2,
    });
    t.equal(scene.state.seq, seq + 1);
    t.equal(scene.last.entries[0]!.type, 'FOLLOW_TENANT');
    follow({ taxPercent: 8, freeCancellationHours: 72, overbookingLimit: 2 });
    t.equal(scene.state.seq, seq + 1);
    t.match(follow({}).metadata.policies, { freeCancellationHours: 48, overbookingLimit: 0, taxPercent: 10 });
  },
);
