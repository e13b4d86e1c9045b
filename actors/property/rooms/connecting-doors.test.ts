import t from 'tap';

import { Scene } from '../../../src/testing/actors/scene.ts';
import { plainRoom } from '../../../src/testing/property-world.ts';

/** STD 101 to 104; a door between 101 and 102. */
function property(): Scene {
  const scene = Scene.property();
  const rooms = ['101', '102', '103', '104'].map((number) => plainRoom(number));
  rooms[0] = plainRoom('101', { connectsTo: ['102'], accessible: true });
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

const doors = (scene: Scene): Record<string, string[]> =>
  Object.fromEntries(
    [...scene.state.rooms.values()].flatMap(({ roomNumber, connectsTo }) =>
      connectsTo ? [[roomNumber, connectsTo]] : [],
    ),
  );

void t.test('a door is on both sides, whichever room names it', async (t) => {
  const scene = property();
  t.same(doors(scene), { 101: ['102'], 102: ['101'] });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('103', { connectsTo: ['102', '104'] })], mode: 'replace' });
  t.same(doors(scene), { 101: ['102'], 102: ['101', '103'], 103: ['102', '104'], 104: ['103'] });
  const kinds = scene.last.entries.at(-1)!.facts.setup!.map(({ kind, id }) => `${kind} ${id}`);
  t.same(kinds, ['room 103', 'room 102', 'room 104'], 'the journal has the rooms that have changed with it');
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('102', { connectsTo: [] })], mode: 'replace' });
  t.same(doors(scene), { 103: ['104'], 104: ['103'] });
});

void t.test('a room that says nothing of doors and access keeps them', async (t) => {
  const scene = property();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101', { floor: 4 })], mode: 'replace' });
  t.match(scene.state.rooms.get('101'), { floor: 4, accessible: true, connectsTo: ['102'] });
  const plain = { ...plainRoom('101'), accessible: false, connectsTo: [] };
  scene.accept({ type: 'PUT_ROOMS', rooms: [plain], mode: 'replace' });
  t.notOk('accessible' in scene.state.rooms.get('101')!, 'no access and none said are one');
  t.same(doors(scene), {});
});

void t.test('a door to the room itself or to an unknown room is refused', async (t) => {
  const scene = property();
  const refused = (connectsTo: string[]): unknown =>
    scene.refuse({ type: 'PUT_ROOMS', rooms: [plainRoom('104', { connectsTo })], mode: 'replace' });
  t.match(refused(['101', '104']), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/connectsTo/1', code: 'ITSELF' }] },
  });
  t.match(refused(['999']), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/connectsTo/0', code: 'UNKNOWN' }] },
  });
  t.same(doors(scene), { 101: ['102'], 102: ['101'] });
});

void t.test('a removed room takes its doors with it, and brings back those to rooms that are there', async (t) => {
  const scene = property();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('103', { connectsTo: ['101', '102'] })], mode: 'replace' });
  const removed = scene.state.rooms.get('103')!;
  scene.accept({ type: 'REMOVE_ROOM', roomNumber: '103' });
  t.same(doors(scene), { 101: ['102'], 102: ['101'] });
  scene.accept({ type: 'REMOVE_ROOM', roomNumber: '102' });
  t.same(doors(scene), {});
  scene.accept({ type: 'RESTORE_ROOM', roomNumber: '103', removed });
  t.same(doors(scene), { 101: ['103'], 103: ['101'] });
});
