import type { Day } from '../../kernel/rules/dates.ts';
import type { HousekeepingTaskId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Room, RoomStatus } from '../../properties/rules/property.ts';

/**
 * DEPARTURE: the room is cleaned for the next guest. STAY_OVER: it is cleaned for the guest who is in it. CLEANING is
 * what release 0.1.0 calls every task; for a room that has to be cleaned it is a DEPARTURE.
 */
export const HOUSEKEEPING_TASK_TYPES = ['DEPARTURE', 'STAY_OVER', 'CLEANING'] as const;
export type HousekeepingTaskType = (typeof HOUSEKEEPING_TASK_TYPES)[number];

/** SKIPPED: nobody did it, and nobody has to any more. */
export const HOUSEKEEPING_TASK_STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'INSPECTED', 'SKIPPED'] as const;
export type HousekeepingTaskStatus = (typeof HOUSEKEEPING_TASK_STATUSES)[number];

/** What an attendant does in a room (docs/concepts/rooms.md#housekeeping). */
export type HousekeepingTask = {
  taskId: HousekeepingTaskId;
  roomNumber: string;
  taskType: HousekeepingTaskType;
  status: HousekeepingTaskStatus;
  attendant?: string;
  notes?: string;
  createdAt: Instant;
  /** Of the last attempt: an inspection that fails begins another one. */
  startedAt?: Instant;
  completedAt?: Instant;
  /** Business date on which it was completed. */
  completedOn?: Day;
  inspectedAt?: Instant;
  /** From start to done, over all attempts; absent while no attempt had a start. */
  minutes?: number;
};

/** Time and business date of a change. */
export type When = { now: Instant; today: Day };
type RoomState = Pick<Room, 'status' | 'reservationId'>;

/** States of a room in which nothing has to be cleaned. */
const CLEANED: ReadonlySet<RoomStatus> = new Set(['AVAILABLE', 'CLEAN', 'INSPECTED']);

const MINUTE_MS = 60_000;

/** Whether somebody still has to do it. */
export function isUndone({ status }: Pick<HousekeepingTask, 'status'>): boolean {
  return status === 'PENDING' || status === 'IN_PROGRESS';
}

export function startedTask(task: HousekeepingTask, { now }: When): HousekeepingTask {
  return { ...task, status: 'IN_PROGRESS', startedAt: now };
}

export function completedTask(task: HousekeepingTask, { now, today }: When): HousekeepingTask {
  const { startedAt, minutes = 0 } = task;
  const took = startedAt !== undefined && { minutes: minutes + Math.round((now - startedAt) / MINUTE_MS) };
  return { ...task, status: 'COMPLETED', completedAt: now, completedOn: today, ...took };
}

export function inspectedTask(task: HousekeepingTask, { now }: When): HousekeepingTask {
  return { ...task, status: 'INSPECTED', inspectedAt: now };
}

/** The task after an inspection that failed: it has to be done once more, and keeps its minutes. */
export function reopenedTask(task: HousekeepingTask): HousekeepingTask {
  const { startedAt: _, completedAt: _at, completedOn: _on, ...left } = task;
  return { ...left, status: 'PENDING' };
}

export function skippedTask(task: HousekeepingTask): HousekeepingTask {
  return { ...task, status: 'SKIPPED' };
}

/**
 * A task in line with the state of its room: in a room that is clean it is completed, in one that is
 * inspected it is inspected, and a service of a guest who has left is skipped. The same task when it is in line.
 * @param room undefined: it was removed
 */
export function followedTask(task: HousekeepingTask, room: RoomState | undefined, when: When): HousekeepingTask {
  if (!room) return isUndone(task) ? skippedTask(task) : task;
  const { status, reservationId } = room;
  if (status === 'DIRTY' && isUndone(task) && task.taskType === 'STAY_OVER' && reservationId === undefined)
    return skippedTask(task);
  if (!CLEANED.has(status)) return task;
  const done = isUndone(task) ? completedTask(task, when) : task;
  return status === 'INSPECTED' && done.status === 'COMPLETED' ? inspectedTask(done, when) : done;
}

/** Whether somebody can still act on a task: it has to be done, or its room can be inspected. */
export function isCurrent(task: HousekeepingTask, room: RoomState | undefined): boolean {
  if (!room) return false;
  return (
    isUndone(task) || (task.status === 'COMPLETED' && room.status === 'CLEAN' && room.reservationId === undefined)
  );
}

/** Type of the task that a dirty room needs. */
export function neededTask({ status, reservationId }: RoomState): HousekeepingTaskType | undefined {
  if (status !== 'DIRTY') return undefined;
  return reservationId === undefined ? 'DEPARTURE' : 'STAY_OVER';
}

/** State of a room in which a task was completed; that of a room which was not dirty stays. */
export function stateAfterTask({ status, reservationId }: RoomState): RoomStatus {
  if (status !== 'DIRTY') return status;
  return reservationId === undefined ? 'CLEAN' : 'OCCUPIED';
}

/** State of a guest's room on a day of service: one that was cleaned on a day before has to be cleaned again. */
export function stateBeforeService({ status }: RoomState): RoomStatus {
  return CLEANED.has(status) ? 'OCCUPIED' : status;
}

/**
 * Whether a guest in house has a service on a day: each so many nights from the day on which he got the room, and not
 * on the day of departure (docs/reference/set-up.md#policies, `stayOverServiceNights`).
 */
export function hasService(stay: { checkIn: Day; checkOut: Day }, today: Day, everyNights: number): boolean {
  const nights = today - stay.checkIn;
  return everyNights > 0 && nights > 0 && nights % everyNights === 0 && today < stay.checkOut;
}

/** 1: a guest arrives today, 2: tomorrow, 3: later or not at all. */
export const HOUSEKEEPING_PRIORITIES = [1, 2, 3] as const;
export type HousekeepingPriority = (typeof HOUSEKEEPING_PRIORITIES)[number];

/** Urgency of a task by the next arrival in its room. */
export function priorityOf(nextArrival: Day | undefined, today: Day): HousekeepingPriority {
  if (nextArrival === undefined || nextArrival > today + 1) return 3;
  return nextArrival <= today ? 1 : 2;
}
