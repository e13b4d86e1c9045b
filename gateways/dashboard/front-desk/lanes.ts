import type { RoomItem } from '../../../src/live/contracts/live.ts';
import { addDays } from '../grid/days.ts';
import { type BoardStay, type MaintenanceView, takenUntil } from './shapes.ts';
import { isShown, type Task, taskOf } from './tasks.ts';

/**
 * A stay in the chart. A night covers two halves of days, since one guest leaves in the morning of the day on which
 * the next arrives: `from` (inclusive) and `to` (exclusive) count halves of the shown days.
 */
export type Bar = { stay: BoardStay; task: Task; from: number; to: number; goesBack: boolean; goesOn: boolean };

/** Nights of a maintenance in the chart, in halves of the shown days as a {@link Bar}. */
export type Closure = { maintenance: MaintenanceView; from: number; to: number };

const CLASHES = ['taken', 'out-of-order', 'no-such-room'] as const;
/** Why a stay cannot be in its assigned room. */
export type Clash = (typeof CLASHES)[number];

/** Nights with more booked stays than rooms, and the largest excess. */
export type Shortfall = { from: number; to: number; rooms: number };

export type Lane =
  | { kind: 'overbooked'; key: string; gaps: readonly Shortfall[] }
  | { kind: 'unassigned'; key: string; bars: readonly Bar[] }
  | { kind: 'room'; key: string; room: RoomItem; bars: readonly Bar[]; closures: readonly Closure[] }
  | { kind: 'clash'; key: string; roomNumber: string; clash: Clash; bars: readonly Bar[] };

/** A room type with its free rooms by night, and its lanes. */
export type LaneGroup = { roomType: string; rooms: number; free: readonly number[]; lanes: readonly Lane[] };

type ChartOf = {
  rooms: Iterable<RoomItem>;
  stays: Iterable<BoardStay>;
  maintenances: readonly MaintenanceView[];
  today: string;
  /** Whether a room has to be inspected before it is ready. */
  inspectsRooms: boolean;
  /** The shown days in order. */
  days: readonly string[];
};

/**
 * The tape chart: every stay is in exactly one lane. Stays that do not fit have lanes of their own and are never
 * hidden.
 */
export function lanesOf({ rooms, stays, maintenances, today, inspectsRooms, days }: ChartOf): LaneGroup[] {
  const byNumber = new Map([...rooms].map((room) => [room.roomNumber, room]));
  const span = spanOf(days, today);
  const shown = [...stays].filter(isShown);
  const bars = shown.flatMap((stay) => {
    const { from, to } = span(stay);
    if (from >= 2 * days.length || to <= 0) return [];
    const task = taskOf(stay, byNumber.get(stay.roomNumber ?? ''), today, inspectsRooms);
    const clipped = { from: Math.max(0, from), to: Math.min(2 * days.length, to) };
    return [{ stay, task, ...clipped, goesBack: from < 0, goesOn: to > 2 * days.length }];
  });
  const types = new Set([...byNumber.values(), ...shown].map(({ roomType }) => roomType));
  // By room, since each room is looked up for each day.
  const closedRooms = Map.groupBy(maintenances, ({ roomNumber }) => roomNumber);
  const ofRoom = ({ roomNumber }: RoomItem): readonly MaintenanceView[] => closedRooms.get(roomNumber) ?? [];
  return [...types].sort().map((roomType) => {
    const own = [...byNumber.values()].filter((room) => room.roomType === roomType).sort(byRoomNumber);
    const staying = shown.filter((stay) => stay.roomType === roomType && stay.status !== 'CHECKED_OUT');
    const usable = (day: string): number =>
      own.filter((room) => !isClosed(room, ofRoom(room), { from: day, to: addDays(day, 1) })).length;
    const free = days.map((day) => usable(day) - staying.filter((stay) => isThere(stay, day, today)).length);
    const here = bars.filter(({ stay }) => typeOf(stay, byNumber) === roomType);
    const closures = (room: RoomItem): Closure[] => closuresOf(room, ofRoom(room), days);
    const lanes = lanesOfType({ own, free, bars: here, byNumber, roomType, closures });
    return { roomType, rooms: own.length, free, lanes };
  });
}

type OfType = {
  own: readonly RoomItem[];
  free: readonly number[];
  bars: readonly Bar[];
  byNumber: ReadonlyMap<string, RoomItem>;
  roomType: string;
  closures: (room: RoomItem) => Closure[];
};

function lanesOfType({ own, free, bars, byNumber, roomType, closures }: OfType): Lane[] {
  const lanes: Lane[] = [];
  const gaps = own.length === 0 ? [] : shortfalls(free);
  if (gaps.length > 0) lanes.push({ kind: 'overbooked', key: `${roomType} over`, gaps });
  const unassigned = bars.filter(({ stay }) => stay.roomNumber === undefined);
  packed(unassigned).forEach((lane, index) => {
    lanes.push({ kind: 'unassigned', key: `${roomType} none ${index}`, bars: lane });
  });
  for (const room of own) {
    const inIt = bars.filter(({ stay }) => stay.roomNumber === room.roomNumber);
    const closed = closures(room);
    const { free, clashing } = apart(inIt, room, closed);
    lanes.push({ kind: 'room', key: room.roomNumber, room, bars: free, closures: closed });
    lanes.push(...clashLanes(room.roomNumber, clashing));
  }
  const gone = bars.filter(({ stay }) => stay.roomNumber !== undefined && !byNumber.has(stay.roomNumber));
  for (const number of new Set(gone.map(({ stay }) => stay.roomNumber!))) {
    const inIt = gone.filter(({ stay }) => stay.roomNumber === number);
    lanes.push(...clashLanes(number, new Map([['no-such-room', inIt]])));
  }
  return lanes;
}

/** Separates the stays that fit into a room's lane from those that clash: the room is taken, or out of order. */
function apart(
  bars: readonly Bar[],
  room: RoomItem,
  closures: readonly Closure[],
): { free: Bar[]; clashing: Map<Clash, Bar[]> } {
  const closed = closures.filter(({ maintenance }) => maintenance.kind === 'OUT_OF_ORDER');
  const isOut = (bar: Bar): boolean =>
    closed.length === 0 ? room.status === 'OUT_OF_ORDER' : closed.some((one) => overlap(one, bar));
  const free: Bar[] = [];
  const clashing = new Map<Clash, Bar[]>();
  const put = (clash: Clash, bar: Bar): void => void clashing.set(clash, [...(clashing.get(clash) ?? []), bar]);
  for (const bar of bars.toSorted(byRight)) {
    if (bar.stay.status === 'CHECKED_OUT') free.push(bar);
    else if (isOut(bar)) put('out-of-order', bar);
    else if (free.some((other) => other.stay.status !== 'CHECKED_OUT' && overlap(other, bar))) put('taken', bar);
    else free.push(bar);
  }
  return { free: free.sort(byStart), clashing };
}

/**
 * Whether a room is out of order on one of the nights from the first day until the morning of the last; on all of them
 * where only its state says so.
 */
export function isClosed(
  { roomNumber, status }: RoomItem,
  maintenances: readonly MaintenanceView[],
  nights: { from: string; to: string },
): boolean {
  const own = maintenances.filter((one) => one.roomNumber === roomNumber && one.kind === 'OUT_OF_ORDER');
  if (own.length === 0) return status === 'OUT_OF_ORDER';
  return own.some(({ from, to }) => from < nights.to && (to === null || to >= nights.from));
}

/** Maintenances of a room on the shown days. */
function closuresOf(
  { roomNumber }: RoomItem,
  maintenances: readonly MaintenanceView[],
  days: readonly string[],
): Closure[] {
  const [first] = days;
  if (first === undefined) return [];
  const half = halvesFrom(first);
  const end = 2 * days.length;
  return maintenances
    .filter((one) => one.roomNumber === roomNumber)
    .map((maintenance) => {
      const { from, to } = maintenance;
      return {
        maintenance,
        from: Math.max(0, half(from)),
        to: to === null ? end : Math.min(end, half(addDays(to, 1))),
      };
    })
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
}

function clashLanes(roomNumber: string, clashing: ReadonlyMap<Clash, readonly Bar[]>): Lane[] {
  return [...clashing].flatMap(([clash, bars]) =>
    packed(bars).map((lane, index) => ({
      kind: 'clash' as const,
      key: `${roomNumber} ${clash} ${index}`,
      roomNumber,
      clash,
      bars: lane,
    })),
  );
}

/** Packs bars into as few lanes as possible without overlaps. */
function packed(bars: readonly Bar[]): Bar[][] {
  const lanes: Bar[][] = [];
  for (const bar of bars.toSorted(byStart)) {
    const lane = lanes.find((one) => !overlap(one.at(-1)!, bar));
    if (lane) lane.push(bar);
    else lanes.push([bar]);
  }
  return lanes;
}

function shortfalls(free: readonly number[]): Shortfall[] {
  const gaps: Shortfall[] = [];
  free.forEach((rooms, night) => {
    if (rooms >= 0) return;
    const last = gaps.at(-1);
    // A night spans from the second half of its day to the first half of the next.
    if (last?.to === 2 * night + 1 && last.rooms === -rooms) last.to += 2;
    else gaps.push({ from: 2 * night + 1, to: 2 * night + 3, rooms: -rooms });
  });
  return gaps;
}

/** Counts from the first day of the chart to the afternoon of a date, in halves of days. */
function halvesFrom(first: string): (date: string) => number {
  const start = dayNumber(first);
  return (date) => 2 * (dayNumber(date) - start) + 1;
}

/** From the afternoon of arrival to the morning of departure; overdue guests until tonight. */
function spanOf(days: readonly string[], today: string): (stay: BoardStay) => { from: number; to: number } {
  const half = halvesFrom(days[0] ?? today);
  return (stay) => ({
    from: half(stay.checkIn),
    to: overstays(stay, today) ? half(today) + 1 : half(takenUntil(stay)),
  });
}

const overstays = ({ status, checkOut }: BoardStay, today: string): boolean =>
  status === 'CHECKED_IN' && checkOut < today;

/** Whether a stay needs a room on a night. */
function isThere(stay: BoardStay, day: string, today: string): boolean {
  if (stay.checkIn > day) return false;
  return takenUntil(stay) > day || (day === today && overstays(stay, today));
}

/** The room type that shows a stay: that of its room, or the booked one without a room. */
function typeOf({ roomNumber, roomType }: BoardStay, rooms: ReadonlyMap<string, RoomItem>): string {
  return rooms.get(roomNumber ?? '')?.roomType ?? roomType;
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

function overlap(a: Pick<Bar, 'from' | 'to'>, b: Pick<Bar, 'from' | 'to'>): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Guests in house first, then by arrival. */
function byRight(a: Bar, b: Bar): number {
  const inHouse = ({ stay }: Bar): number => (stay.status === 'CHECKED_IN' ? 0 : 1);
  return inHouse(a) - inHouse(b) || byStart(a, b);
}

function byStart(a: Bar, b: Bar): number {
  return a.from - b.from || a.stay.reservationId.localeCompare(b.stay.reservationId);
}

function byRoomNumber(a: RoomItem, b: RoomItem): number {
  return a.roomNumber.localeCompare(b.roomNumber, undefined, { numeric: true });
}
