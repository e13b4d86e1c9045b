import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { TaskInRoom } from '../../../src/kernel/rules/commands/rooms.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { HousekeepingTaskId } from '../../../src/kernel/rules/ids.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Room, RoomStatus } from '../../../src/properties/rules/property.ts';
import {
  completedTask,
  followedTask,
  hasService,
  type HousekeepingTask,
  type HousekeepingTaskType,
  inspectedTask,
  isCurrent,
  isUndone,
  neededTask,
  reopenedTask,
  skippedTask,
  startedTask,
  stateAfterTask,
  stateBeforeService,
  type When,
} from '../../../src/rooms/rules/housekeeping.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';

type Setup = NonNullable<Facts['setup']>;
type Tasks = Pick<State, 'housekeeping' | 'rooms'>;

/** Gives a task an attendant and notes. @throws DomainError HOUSEKEEPING_TASK_NOT_FOUND */
export function decideChangeTask(
  draft: Draft,
  { taskId, attendant, notes }: CommandOf<'CHANGE_HOUSEKEEPING_TASK'>,
  context: DecisionContext,
): Decision<'CHANGE_HOUSEKEEPING_TASK'> {
  const before = taskOf(draft, taskId);
  const { attendant: _attendant, notes: _notes, ...rest } = before;
  const next = {
    ...rest,
    ...given('attendant', attendant === undefined ? before.attendant : attendant),
    ...given('notes', notes === undefined ? before.notes : notes),
  };
  return stored(draft, { before, next }, context);
}

/** @throws DomainError HOUSEKEEPING_TASK_NOT_FOUND, INVALID_STATE */
export function decideStartTask(
  draft: Draft,
  { taskId }: CommandOf<'START_HOUSEKEEPING_TASK'>,
  context: DecisionContext,
): Decision<'START_HOUSEKEEPING_TASK'> {
  const before = taskOf(draft, taskId);
  if (before.status !== 'PENDING') throw wrongState(before, 'started');
  return stored(draft, { before, next: startedTask(before, whenOf(draft, context)) }, context);
}

/**
 * Completes a task, whether or not it was started, with the state of its room: a room that was dirty is CLEAN, or
 * OCCUPIED again when its guest is in it.
 * @throws DomainError HOUSEKEEPING_TASK_NOT_FOUND, INVALID_STATE
 */
export function decideCompleteTask(
  draft: Draft,
  { taskId }: CommandOf<'COMPLETE_HOUSEKEEPING_TASK'>,
  context: DecisionContext,
): Decision<'COMPLETE_HOUSEKEEPING_TASK'> {
  const before = taskOf(draft, taskId);
  if (!isUndone(before)) throw wrongState(before, 'completed');
  const next = completedTask(before, whenOf(draft, context));
  return stored(draft, { before, next, status: stateAfterTask(roomOf(draft, before)) }, context);
}

/**
 * Records an inspection: the room is INSPECTED, or DIRTY again and the task to be done once more.
 * @throws DomainError HOUSEKEEPING_TASK_NOT_FOUND, INVALID_STATE
 */
export function decideInspectTask(
  draft: Draft,
  { taskId, passed, notes }: CommandOf<'INSPECT_HOUSEKEEPING_TASK'>,
  context: DecisionContext,
): Decision<'INSPECT_HOUSEKEEPING_TASK'> {
  const before = taskOf(draft, taskId);
  if (before.status !== 'COMPLETED') throw wrongState(before, 'inspected');
  const said = { ...before, ...(notes !== undefined && { notes }) };
  const next = passed ? inspectedTask(said, whenOf(draft, context)) : reopenedTask(said);
  return stored(draft, { before, next, status: passed ? 'INSPECTED' : 'DIRTY' }, context);
}

/** Stores a task and the state of its room, with facts about both. */
function stored(
  draft: Draft,
  { before, next, status }: { before: HousekeepingTask; next: HousekeepingTask; status?: RoomStatus },
  context: DecisionContext,
): { result: TaskInRoom; entity: string; facts: Facts } {
  const room = roomOf(draft, before);
  const after: Room = status === undefined || status === room.status ? room : changed(room, status, context);
  if (after !== room) draft.putRoom(after);
  draft.putTask(next, isCurrent(next, after));
  const setup: Setup = [{ kind: 'housekeepingTask', id: next.taskId, before, after: next }];
  if (after !== room) setup.push({ kind: 'room', id: after.roomNumber, before: room, after });
  return { result: { task: next, room: after }, entity: next.taskId, facts: { setup } };
}

const changed = (room: Room, status: RoomStatus, { now: updatedAt }: DecisionContext): Room => ({
  ...room,
  status,
  updatedAt,
});

const given = <K extends string>(name: K, value: string | null | undefined): Partial<Record<K, string>> =>
  value === null || value === undefined ? {} : ({ [name]: value } as Record<K, string>);

const whenOf = ({ today }: Draft, { now }: DecisionContext): When => ({ now, today });

function taskOf({ housekeeping }: Draft, taskId: HousekeepingTaskId): HousekeepingTask {
  const task = housekeeping.get(taskId);
  if (!task) throw new DomainError('HOUSEKEEPING_TASK_NOT_FOUND', 'The property has no such task, or it is over.');
  return task;
}

function roomOf({ rooms }: Draft, { roomNumber }: HousekeepingTask): Room {
  const room = rooms.get(roomNumber);
  if (!room) throw new Error(`a task is of room ${roomNumber}, which is not there`);
  return room;
}

function wrongState({ status }: HousekeepingTask, what: string): DomainError {
  return new DomainError('INVALID_STATE', `A task that is ${status} cannot be ${what}.`, {
    extra: { taskStatus: status },
  });
}

/**
 * Lets tasks follow the states of rooms, whatever command set them (docs/concepts/rooms.md#housekeeping). It depends on
 * the states alone, so a room may be named again. The facts of a command say nothing of it, because they have the room:
 * so release 0.1.0, which knows no facts about tasks, still publishes its events.
 */
export function followRooms(draft: Draft, roomNumbers: ReadonlySet<string>, context: DecisionContext): void {
  if (roomNumbers.size === 0) return;
  const tasks = tasksByRoom(draft, roomNumbers);
  for (const roomNumber of roomNumbers) followRoom(draft, roomNumber, tasks.get(roomNumber) ?? [], context);
}

function followRoom(
  draft: Draft,
  roomNumber: string,
  tasks: readonly HousekeepingTask[],
  context: DecisionContext,
): void {
  const room = draft.rooms.get(roomNumber);
  // Only release 0.1.0 leaves a second one: it does not know tasks that are under way.
  const [newest, ...others] = tasks.toSorted((a, b) => b.createdAt - a.createdAt);
  for (const other of others) draft.putTask(isUndone(other) ? skippedTask(other) : other, false);
  if (newest) {
    const next = followedTask(newest, room, whenOf(draft, context));
    if (next !== newest || !isCurrent(next, room)) draft.putTask(next, isCurrent(next, room));
    if (isUndone(next)) return;
  }
  const taskType = room && neededTask(room);
  if (room && taskType) openTask(draft, room, taskType, context);
}

function openTask(
  draft: Draft,
  { roomNumber, notes }: Room,
  taskType: HousekeepingTaskType,
  { now: createdAt }: DecisionContext,
): HousekeepingTask {
  const { address, seq } = draft.base;
  const { tenantId, propertyId } = address;
  const opened = [tenantId, propertyId, 'housekeeping', roomNumber, `${seq}`, `${draft.housekeepingPut.size}`];
  const taskId = derivedId(...opened) as HousekeepingTaskId;
  const task = { taskId, roomNumber, taskType, status: 'PENDING' as const, ...given('notes', notes), createdAt };
  draft.putTask(task, true);
  return task;
}

function tasksByRoom(
  { housekeeping }: Tasks,
  roomNumbers?: ReadonlySet<string>,
): ReadonlyMap<string, HousekeepingTask[]> {
  const tasks = [...housekeeping.values()].filter(({ roomNumber }) => roomNumbers?.has(roomNumber) ?? true);
  return Map.groupBy(tasks, ({ roomNumber }) => roomNumber);
}

/** Brings all tasks in line with the rooms, after nodes of a release that knows less of them. */
export function alignTasks(draft: Draft, context: DecisionContext): void {
  const named = [...draft.housekeeping.values()].map(({ roomNumber }) => roomNumber);
  followRooms(draft, new Set([...draft.rooms.keys(), ...named]), context);
}

/** Whether tasks are in line with the rooms. */
export function areTasksAligned(state: Tasks & Pick<State, 'today'>): boolean {
  const tasks = tasksByRoom(state);
  const when = { now: 0, today: state.today };
  for (const [roomNumber, [task, ...others]] of tasks) {
    const room = state.rooms.get(roomNumber);
    if (others.length > 0 || !isCurrent(task!, room) || followedTask(task!, room, when) !== task) return false;
  }
  for (const room of state.rooms.values())
    if (neededTask(room) && !tasks.get(room.roomNumber)?.some(isUndone)) return false;
  return true;
}

/**
 * Opens the services of guests in house when the business date has rolled, and skips those of yesterday that nobody did
 * (policy `stayOverServiceNights`). A room has one task: one that is dirty has its own already.
 * @param before the business date before the roll
 * @returns tasks and rooms as facts for the journal
 */
export function rollServices(draft: Draft, before: Day, context: DecisionContext): Setup {
  if (draft.today <= before) return [];
  const setup: Setup = [];
  for (const task of draft.housekeeping.values()) {
    if (task.taskType !== 'STAY_OVER' || !isUndone(task) || draft.rooms.get(task.roomNumber)?.status === 'DIRTY')
      continue;
    const after = skippedTask(task);
    draft.putTask(after, false);
    setup.push({ kind: 'housekeepingTask', id: task.taskId, before: task, after });
  }
  const every = draft.property!.metadata.policies.stayOverServiceNights;
  if (every === 0) return setup;
  const tasks = tasksByRoom(draft);
  for (const { reservationId, roomNumber, status, ...nights } of draft.roomPlan.stays) {
    if (status !== 'CHECKED_IN' || !hasService(nights, draft.today, every)) continue;
    const room = draft.rooms.get(roomNumber ?? '');
    if (room?.reservationId !== reservationId || tasks.get(room.roomNumber)?.some(isUndone)) continue;
    setup.push(...openService(draft, room, context));
  }
  return setup;
}

function openService(draft: Draft, room: Room, context: DecisionContext): Setup {
  const task = openTask(draft, room, 'STAY_OVER', context);
  const fact: Setup[0] = { kind: 'housekeepingTask', id: task.taskId, after: task };
  const status = stateBeforeService(room);
  if (status === room.status) return [fact];
  const after = changed(room, status, context);
  draft.putRoom(after);
  return [fact, { kind: 'room', id: room.roomNumber, before: room, after }];
}
