import { nextCursor, openCursor, positionOf, signCursor } from '../../kernel/operations/cursor.ts';
import { existing } from '../../kernel/operations/existing.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, Reply } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { HousekeepingTaskId } from '../../kernel/rules/ids.ts';
import type { Room } from '../../properties/rules/property.ts';
import type { HousekeepingQuery } from '../contracts/housekeeping.ts';
import {
  type HousekeepingPriority,
  type HousekeepingTask,
  type HousekeepingTaskStatus,
  isUndone,
  priorityOf,
} from '../rules/housekeeping.ts';

type Reading = Pick<Services, 'properties' | 'housekeeping' | 'signed'>;

/** A task with its room as it is now, unless it was removed; the next arrival and urgency while it is not over. */
export type ShownTask = {
  task: HousekeepingTask;
  room?: Room;
  nextArrival?: Day;
  priority?: HousekeepingPriority;
};

/**
 * Lists housekeeping tasks: those that wait for somebody in the order of arrivals, those of a status that is over newest
 * first. Without a status these are tasks to do and, where the property inspects its rooms, to inspect.
 */
export async function listTasks(
  services: Reading,
  to: Address,
  query: HousekeepingQuery,
): Promise<{ items: ShownTask[]; nextCursor?: string; seq: number }> {
  const view = await services.properties.view(to);
  const { status } = query;
  const page =
    status === undefined || isUndone({ status })
      ? openTasks(services, to, view, query)
      : await tasksOver(services, to, view, { ...query, status });
  return { ...page, seq: view.seq };
}

type Listed = { items: ShownTask[]; nextCursor?: string };

function openTasks(
  { signed }: Reading,
  { tenantId, propertyId }: Address,
  view: PropertyView,
  { status, attendant, roomNumber, floor, limit, cursor }: HousekeepingQuery,
): Listed {
  const bound = `housekeeping of ${tenantId} ${propertyId}`;
  const after = cursor === undefined ? '' : (openCursor(signed, cursor, bound) as string);
  const inspects = view.setup.property.metadata.policies.roomReadyWhen === 'INSPECTED';
  const isWanted = (task: HousekeepingTask): boolean =>
    (status === undefined ? isUndone(task) || inspects : task.status === status) &&
    task.attendant === (attendant ?? task.attendant) &&
    task.roomNumber === (roomNumber ?? task.roomNumber);
  const shown = view.setup.housekeeping.filter(isWanted).map(shownIn(view));
  const sorted = shown
    .filter(({ room }) => floor === undefined || room?.floor === floor)
    .map((one) => ({ one, place: placeOf(one) }))
    .filter(({ place }) => place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const items = sorted.slice(0, limit);
  const next = sorted.length > limit ? signCursor(signed, items.at(-1)!.place, bound) : undefined;
  return { items: items.map(({ one }) => one), ...(next !== undefined && { nextCursor: next }) };
}

/** Place of an open task in their list, which sorts as a text: by the next arrival, then by age. */
function placeOf({ task, nextArrival = 999_999, priority }: ShownTask): string {
  const digits = (value: number, length: number): string => String(value).padStart(length, '0');
  return [priority ?? 3, digits(nextArrival, 6), digits(task.createdAt, 15), task.roomNumber].join(' ');
}

async function tasksOver(
  { housekeeping, signed }: Reading,
  to: Address,
  view: PropertyView,
  { status, attendant, roomNumber, floor, limit, cursor }: HousekeepingQuery & { status: HousekeepingTaskStatus },
): Promise<Listed> {
  const rooms = view.setup.rooms.filter((room) => room.floor === (floor ?? room.floor));
  const onFloor = floor === undefined ? undefined : rooms.map((room) => room.roomNumber);
  const roomNumbers =
    roomNumber === undefined ? onFloor : [roomNumber].filter((one) => onFloor?.includes(one) ?? true);
  const filter = { status, ...(attendant !== undefined && { attendant }), ...(roomNumbers && { roomNumbers }) };
  const { items, next } = await housekeeping.list(to, filter, limit, positionOf(signed, cursor));
  const following = nextCursor(signed, next);
  return {
    items: items.map(shownIn(view)),
    ...(following !== undefined && { nextCursor: following }),
  };
}

/** Shows tasks with what one view says of their rooms. */
function shownIn(view: PropertyView): (task: HousekeepingTask) => ShownTask {
  const { businessDate, setup } = view;
  const rooms = new Map(setup.rooms.map((room) => [room.roomNumber, room]));
  const current = new Set(setup.housekeeping.map(({ taskId }) => taskId));
  return (task) => {
    const room = rooms.get(task.roomNumber);
    const shown = { task, ...(room && { room }) };
    if (!current.has(task.taskId)) return shown;
    const nextArrival = view.nextArrival(task.roomNumber);
    const priority = priorityOf(nextArrival, businessDate);
    return { ...shown, ...(nextArrival !== undefined && { nextArrival }), priority };
  };
}

/** Reads a task, also one that is over. @throws DomainError HOUSEKEEPING_TASK_NOT_FOUND */
export async function readTask(
  { properties, housekeeping }: Reading,
  to: Address,
  id: HousekeepingTaskId,
): Promise<ShownTask & { seq: number }> {
  const view = await properties.view(to);
  const current = view.setup.housekeeping.find(({ taskId }) => taskId === id);
  const task = existing(current ?? (await housekeeping.get(to, id)), 'HOUSEKEEPING_TASK_NOT_FOUND');
  return { ...shownIn(view)(task), seq: view.seq };
}

type Stamps = Pick<Reply<unknown>, 'seq' | 'replayed'>;
/** What is done with a task. */
type TaskCommand = CommandOf<
  'CHANGE_HOUSEKEEPING_TASK' | 'START_HOUSEKEEPING_TASK' | 'COMPLETE_HOUSEKEEPING_TASK' | 'INSPECT_HOUSEKEEPING_TASK'
>;

/**
 * Changes, starts, completes or inspects a task, which may change the state of its room.
 * @throws DomainError HOUSEKEEPING_TASK_NOT_FOUND, INVALID_STATE
 */
export async function actOnTask(
  services: Services,
  caller: Caller,
  to: Address,
  command: TaskCommand,
  key?: ClientKey,
): Promise<ShownTask & Stamps> {
  try {
    const { result, seq, replayed } = await send(services, caller, to, command, claim(key));
    const { task, room } = result;
    return { ...shownIn(await services.properties.view(to))(task), room, seq, replayed };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'HOUSEKEEPING_TASK_NOT_FOUND') throw error;
    // The actor knows only tasks that are not over.
    const over = await services.housekeeping.get(to, command.taskId);
    if (!over) throw error;
    const { status } = over;
    throw new DomainError('INVALID_STATE', `The task is over: it is ${status}.`, { extra: { taskStatus: status } });
  }
}
