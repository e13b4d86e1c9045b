import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { HousekeepingTaskId } from '../../../src/kernel/rules/ids.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { HousekeepingTask } from '../../../src/rooms/rules/housekeeping.ts';
import { plain, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  envelope,
  modifyCommand,
  plainRoom,
  property as propertyDocument,
} from '../../../src/testing/property-world.ts';
import { draftChanges } from '../changes.ts';
import { areTasksAligned } from './housekeeping.ts';

const MINUTE = 60_000;
const NOBODY = '00000000-0000-4000-8000-00000000000a' as HousekeepingTaskId;

/** A property without payment: STD 101 to 103, and DLX 201. */
function property(policies: Partial<Policies> = {}): Scene {
  const usual = { paymentRequired: false, horizonNights: 30, maxHeldPercent: 100 };
  const scene = Scene.property({ policies: { ...usual, ...policies } });
  const rooms = [plainRoom('101'), plainRoom('102'), plainRoom('103'), plainRoom('201', { roomType: 'DLX' })];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

const status = (roomNumber: string, to: CommandOf<'SET_ROOM_STATUS'>['status']): CommandOf<'SET_ROOM_STATUS'> => ({
  type: 'SET_ROOM_STATUS',
  roomNumber,
  status: to,
});
const start = (taskId: HousekeepingTaskId) => ({ type: 'START_HOUSEKEEPING_TASK', taskId }) as const;
const complete = (taskId: HousekeepingTaskId) => ({ type: 'COMPLETE_HOUSEKEEPING_TASK', taskId }) as const;
const inspect = (taskId: HousekeepingTaskId, passed = true) =>
  ({ type: 'INSPECT_HOUSEKEEPING_TASK', taskId, passed }) as const;

const tasks = (scene: Scene): HousekeepingTask[] => [...scene.state.housekeeping.values()];
const taskOf = (scene: Scene, roomNumber: string): HousekeepingTask => {
  const own = tasks(scene).filter((task) => task.roomNumber === roomNumber);
  if (own.length !== 1) throw new Error(`room ${roomNumber} has ${own.length} tasks`);
  return own[0]!;
};
const dirty = (scene: Scene, roomNumber = '101'): HousekeepingTaskId => {
  scene.accept(status(roomNumber, 'DIRTY'));
  return taskOf(scene, roomNumber).taskId;
};
const roomStatus = (scene: Scene, roomNumber: string): string => scene.state.rooms.get(roomNumber)!.status;
/** Tasks that the last batch stored. */
const written = (scene: Scene) => draftChanges(scene.last.draft).housekeeping;

/** A guest in house from today for some nights. */
function guest(scene: Scene, nights: number) {
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + nights } })).reservation;
  const { room } = scene.accept(checkInCommand(id));
  return { id, roomNumber: room.roomNumber };
}

void t.test('a task from a check-out to an inspected room, in the commit of each step', async (t) => {
  const scene = property();
  const { id, roomNumber } = guest(scene, 2);
  t.same(tasks(scene), []);
  scene.accept(checkOutCommand(id, { forced: true }));
  const { taskId } = taskOf(scene, roomNumber);
  t.match(written(scene), [{ taskId, taskType: 'DEPARTURE', status: 'PENDING', isOpen: true }]);
  t.match(scene.last.entries[0]!.facts.setup, [{ kind: 'room', after: { status: 'DIRTY' } }]);
  t.equal(scene.last.entries[0]!.facts.setup!.length, 1, 'the room says it, and 0.1.0 can read it');

  scene.accept({ type: 'CHANGE_HOUSEKEEPING_TASK', taskId, attendant: 'Ana', notes: 'a cot' });
  scene.accept(start(taskId));
  t.match(scene.last.entries[0], {
    type: 'START_HOUSEKEEPING_TASK',
    entity: taskId,
    facts: {
      setup: [
        { kind: 'housekeepingTask', id: taskId, before: { status: 'PENDING' }, after: { status: 'IN_PROGRESS' } },
      ],
    },
  });
  scene.pass(25 * MINUTE);
  const { room, task } = scene.accept(complete(taskId));
  t.match(room, { roomNumber, status: 'CLEAN' });
  t.match(task, { status: 'COMPLETED', attendant: 'Ana', notes: 'a cot', minutes: 25, completedOn: DAY });
  t.match(scene.last.entries[0]!.facts.setup, [
    { kind: 'housekeepingTask', after: { minutes: 25 } },
    { kind: 'room', before: { status: 'DIRTY' }, after: { status: 'CLEAN' } },
  ]);
  t.match(scene.accept(inspect(taskId)), { task: { status: 'INSPECTED' }, room: { status: 'INSPECTED' } });
  t.match(written(scene), [{ status: 'INSPECTED', inspectedAt: scene.now, isOpen: false }]);
  t.same(tasks(scene), [], 'what is over leaves memory');
});

void t.test('an inspection that fails opens the task again, and minutes add up', async (t) => {
  const scene = property();
  const taskId = dirty(scene);
  for (const minutes of [20, 7]) {
    scene.accept(start(taskId));
    scene.pass(minutes * MINUTE);
    scene.accept(complete(taskId));
    if (minutes === 20) scene.accept({ ...inspect(taskId, false), notes: 'dust' });
    if (minutes === 20) t.equal(roomStatus(scene, '101'), 'DIRTY');
    if (minutes === 20) t.notOk('completedAt' in taskOf(scene, '101'));
  }
  t.match(taskOf(scene, '101'), { taskId, status: 'COMPLETED', notes: 'dust', minutes: 27 });
});

void t.test('a wrong step is refused, with the state of the task', async (t) => {
  const scene = property();
  const taskId = dirty(scene);
  const refused = (command: Parameters<Scene['refuse']>[0]) => {
    const { code, details } = scene.refuse(command);
    return [code, details.extra?.['taskStatus']];
  };
  t.same(refused(inspect(taskId)), ['INVALID_STATE', 'PENDING']);
  scene.accept(start(taskId));
  t.same(refused(start(taskId)), ['INVALID_STATE', 'IN_PROGRESS']);
  t.same(refused(inspect(taskId)), ['INVALID_STATE', 'IN_PROGRESS']);
  scene.accept(complete(taskId));
  t.same(refused(start(taskId)), ['INVALID_STATE', 'COMPLETED']);
  t.same(refused(complete(taskId)), ['INVALID_STATE', 'COMPLETED']);
  scene.accept(inspect(taskId));
  for (const command of [start, complete, inspect])
    t.same(refused(command(taskId)), ['HOUSEKEEPING_TASK_NOT_FOUND', undefined]);
  t.same(refused(start(NOBODY)), ['HOUSEKEEPING_TASK_NOT_FOUND', undefined]);
});

void t.test('a state that is set for the room ends its task, whatever the task was', async (t) => {
  for (const isStarted of [false, true])
    for (const [state, ends] of [
      ['CLEAN', 'COMPLETED'],
      ['INSPECTED', 'INSPECTED'],
      ['AVAILABLE', 'COMPLETED'],
    ] as const) {
      const scene = property();
      const taskId = dirty(scene);
      if (isStarted) scene.accept(start(taskId));
      scene.pass(10 * MINUTE);
      scene.accept(status('101', state));
      t.match(written(scene), [{ taskId, status: ends, completedOn: DAY, isOpen: state === 'CLEAN' }], state);
      t.equal(written(scene)[0]!.minutes, isStarted ? 10 : undefined);
    }
  const scene = property();
  const taskId = dirty(scene);
  scene.accept(complete(taskId));
  scene.accept(status('101', 'INSPECTED'));
  t.match(written(scene), [{ taskId, status: 'INSPECTED', isOpen: false }]);
});

void t.test('a room has one task, however often it is called dirty', async (t) => {
  const scene = property();
  const taskId = dirty(scene);
  t.equal(dirty(scene), taskId);
  scene.accept(complete(taskId));
  const again = dirty(scene);
  t.not(again, taskId, 'a room that was clean is cleaned anew');
  t.match(
    written(scene).map((task) => [task.taskId, task.status, task.isOpen]),
    [
      [taskId, 'COMPLETED', false],
      [again, 'PENDING', true],
    ],
  );
  const batch = scene.batch(
    ...(['CLEAN', 'DIRTY', 'CLEAN', 'DIRTY'] as const).map((to) => envelope(status('101', to))),
  );
  t.equal(new Set(draftChanges(batch.draft).housekeeping.map((task) => task.taskId)).size, 3, 'within one batch too');
});

void t.test('a guest who arrives ends what could be inspected; a room that is removed skips its task', async (t) => {
  const scene = property();
  const taskId = dirty(scene);
  scene.accept(complete(taskId));
  const { roomNumber } = guest(scene, 1);
  t.equal(roomNumber, '101', 'the readiest');
  t.match(written(scene), [{ taskId, status: 'COMPLETED', isOpen: false }]);
  dirty(scene, '102');
  scene.accept({ type: 'REMOVE_ROOM', roomNumber: '102' });
  t.match(written(scene), [{ roomNumber: '102', status: 'SKIPPED', isOpen: false }]);
  t.same(tasks(scene), []);
});

void t.test('a room out of order keeps its task, and cleaning it does not open the room', async (t) => {
  const scene = property();
  const taskId = dirty(scene);
  scene.accept(status('101', 'OUT_OF_ORDER'));
  t.equal(taskOf(scene, '101').taskId, taskId);
  t.match(scene.accept(complete(taskId)), { task: { status: 'COMPLETED' }, room: { status: 'OUT_OF_ORDER' } });
  t.same(tasks(scene), [], 'nothing to inspect');
});

void t.test('a room that is clean is ready, or only once inspected where the property says so', async (t) => {
  for (const roomReadyWhen of ['CLEAN', 'INSPECTED'] as const) {
    const scene = property({ roomReadyWhen });
    for (const room of ['101', '102', '103']) scene.accept(complete(dirty(scene, room)));
    const stay = { checkIn: DAY, checkOut: DAY + 2 };
    const { id } = scene.accept(bookCommand({ stay })).reservation;
    if (roomReadyWhen === 'INSPECTED') {
      t.equal(scene.refuse(checkInCommand(id)).code, 'NO_ROOM_READY');
      scene.accept(inspect(taskOf(scene, '103').taskId));
      t.equal(scene.accept(checkInCommand(id)).room.roomNumber, '103');
      const move = { type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '101' } as const;
      t.equal(scene.refuse(move).code, 'NO_ROOM_READY');
      scene.accept(status('101', 'AVAILABLE'));
      scene.accept(move);
    } else t.equal(scene.accept(checkInCommand(id)).room.status, 'CLEAN');
  }
});

void t.test('a guest in house gets a service each n nights, not on the days of arrival and departure', async (t) => {
  for (const [every, served] of [
    [0, []],
    [1, [1, 2, 3, 4]],
    [2, [2, 4]],
    [3, [3]],
  ] as const) {
    const scene = property({ stayOverServiceNights: every });
    const { roomNumber } = guest(scene, 5);
    const days: number[] = [];
    for (let day = 1; day <= 5; day++) {
      scene.endDay();
      const [task] = tasks(scene);
      if (!task) continue;
      t.match(task, { roomNumber, taskType: 'STAY_OVER', status: 'PENDING' });
      days.push(day);
      t.match(scene.last.entries[0]!.facts.setup!.at(-1), { kind: 'housekeepingTask', id: task.taskId });
    }
    t.same(days, served, `each ${every}`);
  }
});

void t.test('a service that nobody did is skipped at the roll, and the room keeps one task', async (t) => {
  const scene = property({ stayOverServiceNights: 1 });
  const { roomNumber } = guest(scene, 5);
  scene.endDay();
  const first = taskOf(scene, roomNumber);
  scene.accept(start(first.taskId));
  scene.endDay();
  const second = taskOf(scene, roomNumber);
  t.not(second.taskId, first.taskId);
  t.match(
    written(scene).map(({ taskId, status: is, isOpen }) => [taskId, is, isOpen]),
    [
      [first.taskId, 'SKIPPED', false],
      [second.taskId, 'PENDING', true],
    ],
  );
  scene.accept(start(second.taskId));
  scene.pass(15 * MINUTE);
  const { room } = scene.accept(complete(second.taskId));
  t.equal(room.status, 'OCCUPIED', 'the guest stays');
  t.match(written(scene), [{ status: 'COMPLETED', minutes: 15, isOpen: false }]);
  scene.accept(status(roomNumber, 'CLEAN'));
  scene.endDay();
  t.equal(roomStatus(scene, roomNumber), 'OCCUPIED', 'a day later it has to be cleaned again');
  scene.accept(status(roomNumber, 'CLEAN'));
  t.match(written(scene), [{ taskType: 'STAY_OVER', status: 'COMPLETED' }], 'the state of the room ends it too');
});

void t.test('a guest who leaves or moves leaves a departure, not a service', async (t) => {
  const scene = property({ stayOverServiceNights: 1 });
  const { id, roomNumber } = guest(scene, 5);
  scene.endDay();
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '102' });
  t.match(
    written(scene).map((task) => [task.roomNumber, task.taskType, task.status]),
    [
      [roomNumber, 'STAY_OVER', 'SKIPPED'],
      [roomNumber, 'DEPARTURE', 'PENDING'],
    ],
  );
  scene.endDay();
  t.match(taskOf(scene, '102'), { taskType: 'STAY_OVER' });
  t.equal(taskOf(scene, roomNumber).taskType, 'DEPARTURE', 'a departure is never skipped');
  scene.accept(checkOutCommand(id, { forced: true }));
  t.match(taskOf(scene, '102'), { taskType: 'DEPARTURE', status: 'PENDING' });
});

void t.test('the room of a guest in house that is called dirty is cleaned for him, until it is done', async (t) => {
  const scene = property();
  const { id, roomNumber } = guest(scene, 3);
  const taskId = dirty(scene, roomNumber);
  t.equal(taskOf(scene, roomNumber).taskType, 'STAY_OVER');
  scene.endDay();
  t.equal(taskOf(scene, roomNumber).taskId, taskId, 'a dirty room is never without a task');
  scene.accept(modifyCommand(id, { checkOut: DAY + 4 }));
  t.equal(scene.accept(complete(taskId)).room.status, 'OCCUPIED');
});

void t.test('a change of the time zone that ends the day opens services too', async (t) => {
  const scene = property({ stayOverServiceNights: 1 });
  const { roomNumber } = guest(scene, 3);
  scene.pass(10 * 3_600_000);
  const { metadata } = scene.state.property!;
  const changed = { ...propertyDocument({ policies: metadata.policies }) };
  scene.accept({
    type: 'UPDATE_PROPERTY',
    property: { ...changed, metadata: { ...metadata, timezone: 'Pacific/Auckland' } },
  });
  t.equal(scene.state.today, DAY + 1);
  t.match(taskOf(scene, roomNumber), { taskType: 'STAY_OVER' });
});

void t.test('tasks are brought in line with rooms after a release that knows less of them', async (t) => {
  const scene = property();
  const taskId = dirty(scene);
  scene.accept(start(taskId));
  const aligned = { ...scene.state };
  t.ok(areTasksAligned(aligned));
  const { housekeeping, rooms } = scene.state;
  const with102 = (room: Partial<ReturnType<typeof plainRoom>>) =>
    new Map([...rooms, ['102', { ...rooms.get('102')!, ...room }]]);
  const late = { ...housekeeping.get(taskId)!, taskId: NOBODY, status: 'PENDING', taskType: 'CLEANING' } as const;
  const found = {
    'it cleaned the room of a task under way': {
      state: { rooms: new Map([...rooms, ['101', { ...rooms.get('101')!, status: 'CLEAN' as const }]]) },
      ends: [[taskId, 'COMPLETED', true]],
    },
    'it opened a second task': {
      state: { housekeeping: new Map([...housekeeping, [NOBODY, { ...late, createdAt: scene.now + 1 }]]) },
      ends: [[taskId, 'SKIPPED', false]],
    },
    'it removed the room': {
      state: { housekeeping: new Map([...housekeeping, [NOBODY, { ...late, roomNumber: '999' }]]) },
      ends: [[NOBODY, 'SKIPPED', false]],
    },
    'a room is dirty without a task': {
      state: { rooms: with102({ status: 'DIRTY' }) },
      ends: [[/./, 'PENDING', true]],
    },
  };
  for (const [name, { state, ends }] of Object.entries(found)) {
    const other = new Scene({ ...scene.state, ...state }, scene.now);
    t.notOk(areTasksAligned(other.state), name);
    other.accept({ type: 'ALIGN_ROOMS' });
    t.match(
      written(other).map((task) => [task.taskId, task.status, task.isOpen]),
      ends,
      name,
    );
    t.ok(areTasksAligned(other.state));
    const before = plain(other.state);
    other.accept({ type: 'ALIGN_ROOMS' });
    t.same(plain(other.state), before, 'and stays so');
  }
});
