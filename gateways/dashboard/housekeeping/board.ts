import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { RoomStatusName, TaskView } from '../front-desk/shapes.ts';
import { addDays } from '../grid/days.ts';

/** A room as housekeeping sees it. */
export type BoardRoom = {
  room: RoomItem;
  floor: number;
  /** What has to be done, or what is to be inspected. */
  task?: TaskView;
  /** Day of the next arrival, if one is near. */
  arrival?: string;
  /** 1: a guest arrives in the room today, 2: tomorrow, 3: later or not at all. */
  priority: 1 | 2 | 3;
};
type BoardFloor = { floor: number; rooms: readonly BoardRoom[] };

export const STATES = [
  'TO_DO',
  'TO_INSPECT',
  'AVAILABLE',
  'OCCUPIED',
  'DIRTY',
  'CLEAN',
  'INSPECTED',
  'OUT_OF_ORDER',
] as const;
export type BoardState = (typeof STATES)[number];
/** What the board is narrowed to; all of it has to hold. `attendant` is empty for tasks of nobody. */
export type BoardFilter = { floor?: number; attendant?: string; state?: BoardState };

type About = {
  rooms: Iterable<RoomItem>;
  floors: ReadonlyMap<string, number>;
  tasks: readonly TaskView[];
  /** Day of the next arrival by room number. */
  arrivals: ReadonlyMap<string, string>;
  today: string;
};

/** Rooms by floor and number, with what has to be done in them. */
export function boardOf({ rooms, floors, tasks, arrivals, today }: About): BoardFloor[] {
  const taskOf = new Map(tasks.map((task) => [task.roomNumber, task]));
  const board = [...rooms].map((room): BoardRoom => {
    const task = taskOf.get(room.roomNumber);
    const arrival = arrivals.get(room.roomNumber) ?? task?.nextArrival ?? undefined;
    return {
      room,
      floor: floors.get(room.roomNumber) ?? 0,
      ...(task && { task }),
      ...(arrival !== undefined && { arrival }),
      priority: arrival === undefined ? 3 : arrival <= today ? 1 : arrival === addDays(today, 1) ? 2 : 3,
    };
  });
  const byNumber = (a: BoardRoom, b: BoardRoom): number =>
    a.room.roomNumber.localeCompare(b.room.roomNumber, undefined, { numeric: true });
  return [...Map.groupBy(board, ({ floor }) => floor)]
    .map(([floor, those]) => ({ floor, rooms: those.sort(byNumber) }))
    .sort((a, b) => a.floor - b.floor);
}

export function filteredBoard(board: readonly BoardFloor[], { floor, attendant, state }: BoardFilter): BoardFloor[] {
  const fits = (one: BoardRoom): boolean =>
    (attendant === undefined || (one.task !== undefined && (one.task.attendant ?? '') === attendant)) &&
    (state === undefined || isIn(one, state));
  return board
    .filter((one) => floor === undefined || one.floor === floor)
    .map((one) => ({ ...one, rooms: one.rooms.filter(fits) }))
    .filter(({ rooms }) => rooms.length > 0);
}

export const isToDo = ({ task, room }: BoardRoom): boolean =>
  task?.status === 'PENDING' || task?.status === 'IN_PROGRESS' || room.status === 'DIRTY';
export const isToInspect = ({ room }: BoardRoom): boolean =>
  room.status === 'CLEAN' && room.reservationId === undefined;

function isIn(one: BoardRoom, state: BoardState): boolean {
  if (state === 'TO_DO') return isToDo(one);
  return state === 'TO_INSPECT' ? isToInspect(one) : one.room.status === state;
}

export const VERBS = ['clean', 'inspect', 'out-of-order'] as const;
export type Verb = (typeof VERBS)[number];

/** Whether one tap does it: a task that can be done, or a state that the room may have next. */
export function canDo(one: BoardRoom, verb: Verb): boolean {
  switch (verb) {
    case 'clean':
      return isToDo(one);
    case 'inspect':
      return isToInspect(one);
    case 'out-of-order':
      return one.room.status !== 'OUT_OF_ORDER' && one.room.reservationId === undefined;
  }
}

/** The state that takes a tap back; `undefined` where a guest is in the room, or for what nobody sets by hand. */
export function stateBefore({ room: { status, reservationId } }: BoardRoom): RoomStatusName | undefined {
  return reservationId !== undefined || status === 'OCCUPIED' ? undefined : status;
}
