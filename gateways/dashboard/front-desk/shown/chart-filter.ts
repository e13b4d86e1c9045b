import { addDays } from '../../grid/days.ts';
import type { Lane, LaneGroup } from '../lanes.ts';
import type { RoomStatusName } from '../shapes.ts';
import { DESK_TASKS, type Task } from '../tasks.ts';

/** Days that the tape chart can show at once. */
export const SPANS = [1, 7, 14, 30] as const;
export type Span = (typeof SPANS)[number];
export const DEFAULT_SPAN: Span = 14;

/** Days that the arrows beside the dates move the chart. */
export const STEP_DAYS: Record<Span, number> = { 1: 1, 7: 7, 14: 7, 30: 14 };

/** Days shown before the day that the chart is about: of yesterday's guests some leave today. One day has no other. */
const leadOf = (span: Span): number => (span === 1 ? 0 : 1);

/** First shown day of a chart that is about a day. */
export const homeOf = (day: string, span: Span): string => addDays(day, -leadOf(span));

/** The day that a chart is about, from its first day. */
export const dayOfStart = (start: string, span: Span): string => addDays(start, leadOf(span));

export const ROOM_STATUS_NAMES = [
  'AVAILABLE',
  'OCCUPIED',
  'DIRTY',
  'CLEAN',
  'INSPECTED',
  'OUT_OF_ORDER',
] as const satisfies readonly RoomStatusName[];

/** What the chart is narrowed to; all of it has to hold. */
export type ChartFilter = { floor?: number; roomType?: string; status?: RoomStatusName; task?: Task };

/** Parameters of the address. */
type Read = (name: string) => string | undefined;

export function spanFrom(read: Read): Span {
  return SPANS.find((span) => String(span) === read('view')) ?? DEFAULT_SPAN;
}

/** The day that the address names; `undefined` for none, and for what is no date. */
export function dateFrom(read: Read): string | undefined {
  const date = read('date') ?? '';
  return isDate(date) ? date : undefined;
}

export function isDate(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export function filterFrom(read: Read): ChartFilter {
  const floor = read('floor');
  const roomType = read('type');
  const status = ROOM_STATUS_NAMES.find((name) => name === read('status'));
  const task = DESK_TASKS.find((name) => name === read('task'));
  return {
    ...(floor !== undefined && /^-?\d{1,3}$/.test(floor) && { floor: Number(floor) }),
    ...(roomType !== undefined && { roomType }),
    ...(status && { status }),
    ...(task && { task }),
  };
}

export function filterParameters({ floor, roomType, status, task }: ChartFilter): Record<string, string | undefined> {
  return { floor: floor?.toString(), type: roomType, status, task };
}

export type ShownLanes = { groups: readonly LaneGroup[]; hiddenRooms: number; hiddenStays: number };

/** The lanes that a filter leaves, and how many rooms and stays of these days it hides. */
export function filteredLanes(
  groups: readonly LaneGroup[],
  filter: ChartFilter,
  floors: ReadonlyMap<string, number>,
): ShownLanes {
  if (Object.keys(filter).length === 0) return { groups, hiddenRooms: 0, hiddenStays: 0 };
  const { floor, roomType, status, task } = filter;
  const statuses = new Map(
    groups.flatMap(({ lanes }) =>
      lanes.flatMap((lane) => (lane.kind === 'room' ? [[lane.room.roomNumber, lane.room.status] as const] : [])),
    ),
  );
  const fits = (lane: Lane): boolean => {
    // Nights that are sold too often are of a type, not of a room.
    if (lane.kind === 'overbooked') return floor === undefined && status === undefined && task === undefined;
    const room = roomOf(lane);
    if (floor !== undefined && (room === undefined || floors.get(room) !== floor)) return false;
    if (status !== undefined && (room === undefined || statuses.get(room) !== status)) return false;
    return task === undefined || lane.bars.some((bar) => bar.task === task);
  };
  const left = groups
    .filter((group) => roomType === undefined || group.roomType === roomType)
    .map((group) => ({ ...group, lanes: group.lanes.filter(fits) }))
    .filter((group) => group.lanes.length > 0);
  return {
    groups: left,
    hiddenRooms: count(groups, roomsIn) - count(left, roomsIn),
    hiddenStays: count(groups, staysIn) - count(left, staysIn),
  };
}

function roomOf(lane: Lane): string | undefined {
  if (lane.kind === 'room') return lane.room.roomNumber;
  return lane.kind === 'clash' ? lane.roomNumber : undefined;
}

const roomsIn = (lane: Lane): number => (lane.kind === 'room' ? 1 : 0);
const staysIn = (lane: Lane): number => ('bars' in lane ? lane.bars.length : 0);

function count(groups: readonly LaneGroup[], of: (lane: Lane) => number): number {
  return groups.reduce((sum, { lanes }) => lanes.reduce((all, lane) => all + of(lane), sum), 0);
}
