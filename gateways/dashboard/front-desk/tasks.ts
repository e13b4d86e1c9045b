import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { BoardStay } from './shapes.ts';

/** Today's task of a stay, most urgent first. The chart is coloured by it, not by status. */
export const DESK_TASKS = [
  'overstay',
  'arrives-no-room',
  'arrives-unready',
  'arrives-unpaid',
  'leaves-owing',
  'leaves',
  'arrives-ready',
  'in-house',
  'later',
  'left',
] as const;
export type Task = (typeof DESK_TASKS)[number];

const READY: ReadonlySet<string> = new Set(['AVAILABLE', 'CLEAN', 'INSPECTED']);
/** States without a room that were never in house. */
const OVER: ReadonlySet<string> = new Set(['CANCELLED', 'NO_SHOW']);

/** Whether the front desk shows a stay. */
export function isShown({ status }: BoardStay): boolean {
  return !OVER.has(status);
}

/** Whether a room allows check-in: clean and empty, and inspected where the property inspects its rooms. */
export function isRoomReady(room: RoomItem | undefined, inspectsRooms: boolean): boolean {
  if (room === undefined || (inspectsRooms && room.status === 'CLEAN')) return false;
  return room.reservationId === undefined && READY.has(room.status);
}

/** @param room of the stay, if any  @param inspectsRooms whether a room has to be inspected before it is ready */
export function taskOf(stay: BoardStay, room: RoomItem | undefined, today: string, inspectsRooms: boolean): Task {
  if (stay.status === 'CHECKED_OUT' || OVER.has(stay.status)) return 'left';
  if (stay.status === 'CHECKED_IN') {
    if (stay.checkOut < today) return 'overstay';
    if (stay.checkOut > today) return 'in-house';
    return stay.balance > 0 ? 'leaves-owing' : 'leaves';
  }
  if (stay.checkIn > today) return 'later';
  if (stay.status === 'PENDING') return 'arrives-unpaid';
  if (stay.roomNumber === undefined) return 'arrives-no-room';
  return isRoomReady(room, inspectsRooms) ? 'arrives-ready' : 'arrives-unready';
}

/** The three lists of a day: arrivals, departures, guests in house. */
type DayLists = Record<ListName, readonly BoardStay[]> & { arrived: number; departed: number };
export const LIST_NAMES = ['arrivals', 'departures', 'inHouse'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** Open tasks first, then by name. */
export function listsOf(stays: Iterable<BoardStay>, today: string): DayLists {
  const lists = { arrivals: [] as BoardStay[], departures: [] as BoardStay[], inHouse: [] as BoardStay[] };
  for (const stay of stays) {
    if (!isShown(stay)) continue;
    const { status, checkIn, checkOut } = stay;
    const hasCome = status === 'CHECKED_IN' || status === 'CHECKED_OUT';
    if (checkIn === today || (!hasCome && checkIn < today)) lists.arrivals.push(stay);
    // An overstaying guest has to leave too.
    if (hasCome && (checkOut === today || (checkOut < today && status === 'CHECKED_IN'))) lists.departures.push(stay);
    if (status === 'CHECKED_IN') lists.inHouse.push(stay);
  }
  const arrived = lists.arrivals.filter(hasArrived);
  const departed = lists.departures.filter(hasLeft);
  return {
    arrivals: inOrder(lists.arrivals, hasArrived),
    departures: inOrder(lists.departures, hasLeft),
    inHouse: inOrder(lists.inHouse, () => false),
    arrived: arrived.length,
    departed: departed.length,
  };
}

/** Stays found by name, room or confirmation number. */
export function foundStays(stays: Iterable<BoardStay>, query: string): BoardStay[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  // What has ended is found by its whole number alone, to reinstate it.
  const isNumber = ({ confirmationNumber }: BoardStay): boolean =>
    confirmationNumber.toLowerCase() === query.trim().toLowerCase();
  const fits = ({ name, sharer = '', confirmationNumber, roomNumber = '' }: BoardStay): boolean => {
    const text = `${name} ${sharer} ${confirmationNumber} ${roomNumber}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return inOrder(
    [...stays].filter((stay) => isNumber(stay) || (isShown(stay) && fits(stay))),
    hasLeft,
  );
}

const hasArrived = ({ status }: BoardStay): boolean => status === 'CHECKED_IN' || status === 'CHECKED_OUT';
const hasLeft = ({ status }: BoardStay): boolean => status === 'CHECKED_OUT';

function inOrder(stays: readonly BoardStay[], isDone: (stay: BoardStay) => boolean): BoardStay[] {
  return stays.toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)) || a.name.localeCompare(b.name));
}
