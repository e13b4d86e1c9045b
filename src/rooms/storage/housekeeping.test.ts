import t from 'tap';

import type { HousekeepingTaskId } from '../../kernel/rules/ids.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { comparable, foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { freshId, plainRoom } from '../../testing/property-world.ts';
import { databaseHousekeeping } from './housekeeping.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const reader = databaseHousekeeping(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const ROOMS = ['101', '102', '103', '104'];

/** A property with rooms whose tasks are completed after so many minutes; the last one is still under way. */
async function cleaned() {
  const property = await Stored.property(store);
  const { scene } = property;
  scene.accept({ type: 'PUT_ROOMS', rooms: ROOMS.map((room) => plainRoom(room)), mode: 'create' });
  const ids: HousekeepingTaskId[] = [];
  for (const [n, roomNumber] of ROOMS.entries()) {
    scene.pass(60_000);
    scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'DIRTY' });
    const { taskId } = [...scene.state.housekeeping.values()].at(-1)!;
    ids.push(taskId);
    const attendant = n === 0 ? 'Bea' : 'Ana';
    scene.accept({ type: 'CHANGE_HOUSEKEEPING_TASK', taskId, attendant, notes: `note ${n}` });
    scene.accept({ type: 'START_HOUSEKEEPING_TASK', taskId });
    scene.pass((n + 1) * 600_000);
    if (n < 3) scene.accept({ type: 'COMPLETE_HOUSEKEEPING_TASK', taskId });
  }
  scene.accept({ type: 'INSPECT_HOUSEKEEPING_TASK', taskId: ids[2]!, passed: true });
  t.same(new Set(await property.write()), new Set(['committed']));
  return { property, scene, ids };
}

void t.test('tasks on which somebody can act are loaded as they lived; the others are not', async (t) => {
  const { property, scene, ids } = await cleaned();
  const loaded = await foundIn(store, property.to);
  t.same(comparable(loaded), comparable(scene.state));
  t.same(
    new Set([...loaded.housekeeping.values()].map(({ taskId, status }) => `${taskId} ${status}`)),
    new Set([`${ids[0]} COMPLETED`, `${ids[1]} COMPLETED`, `${ids[3]} IN_PROGRESS`]),
  );
});

void t.test('a task is read with all that it says, also when it is over, and within its property', async (t) => {
  const { property, ids } = await cleaned();
  t.match(await reader.get(property.to, ids[2]!), {
    roomNumber: '103',
    taskType: 'DEPARTURE',
    status: 'INSPECTED',
    attendant: 'Ana',
    notes: 'note 2',
    minutes: 30,
    completedOn: property.scene.state.today,
    inspectedAt: Number,
  });
  t.equal(await reader.get({ ...property.to, propertyId: 'another' }, ids[2]!), undefined);
  t.equal(await reader.get({ ...property.to, tenantId: 'another' }, ids[2]!), undefined);
  t.equal(await reader.get(property.to, 'none'), undefined);
  t.equal(await reader.get(property.to, freshId()), undefined);
});

void t.test('tasks of a status are listed newest first, by attendant and rooms, page by page', async (t) => {
  const { property } = await cleaned();
  const rooms = async (filter: object, limit = 10) => {
    const { items, next } = await reader.list(property.to, { status: 'COMPLETED', ...filter }, limit);
    return [...items.map(({ roomNumber }) => roomNumber), ...(next ? ['more'] : [])];
  };
  t.same(await rooms({}), ['102', '101']);
  t.same(await rooms({ attendant: 'Bea' }), ['101']);
  t.same(await rooms({ roomNumbers: ['102', '103'] }), ['102']);
  t.same(await rooms({ roomNumbers: [] }), []);
  t.same(await rooms({}, 1), ['102', 'more']);
  const { next } = await reader.list(property.to, { status: 'COMPLETED' }, 1);
  t.match((await reader.list(property.to, { status: 'COMPLETED' }, 1, next)).items, [{ roomNumber: '101' }]);
});

void t.test('minutes are summed by attendant and type over business dates', async (t) => {
  const { property, scene } = await cleaned();
  const { today } = scene.state;
  const done = (first: number, last: number, limit = 10) => reader.done(property.to, first, last, limit);
  t.same(await done(today, today), [
    { attendant: 'Ana', taskType: 'DEPARTURE', rooms: 2, timedRooms: 2, minutes: 50 },
    { attendant: 'Bea', taskType: 'DEPARTURE', rooms: 1, timedRooms: 1, minutes: 10 },
  ]);
  t.equal((await done(today, today, 1)).length, 1);
  t.same(await done(today - 3, today - 1), []);
  t.equal((await done(today - 3, today + 3)).length, 2);
});
