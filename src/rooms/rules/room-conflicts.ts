import type { Day } from '../../kernel/rules/dates.ts';
import { arrivalsDue, reasonWithout, type UnassignedReason } from './assign-rooms.ts';
import { placeStays } from './place-stays.ts';
import { isClosedIn, type PlanStay, type RoomPlan } from './room-plan.ts';
import { fitsStay, floorsOf } from './room-wishes.ts';
import { byRight, nightsFromToday, roomsByType, type RoomsOfType } from './rooms-of-type.ts';

export const CONFLICT_REASONS = [
  'DOUBLE_ASSIGNED',
  'NO_ROOM_LEFT',
  'NO_ACCESSIBLE_ROOM',
  'OUT_OF_ORDER',
  'TYPE_MISMATCH',
  'UNSUITABLE_ROOM',
  'OVERSTAY',
] as const;
type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** A room conflict for the front desk (docs/concepts/rooms.md#conflicts); `day` is its first night. */
export type RoomConflict = {
  roomNumber?: string;
  roomType: string;
  day: Day;
  reservationIds: string[];
  reason: ConflictReason;
};

/** Limit of reported conflicts, the nearest first. */
export const MAX_CONFLICTS = 500;

/**
 * Conflicts from today on, by night, reason, type and room, at most {@link MAX_CONFLICTS}:
 * - DOUBLE_ASSIGNED: stays that have the same room on the same night;
 * - OVERSTAY: a guest in house whose check-out day has passed, with the stays that need the room by today;
 * - OUT_OF_ORDER: a stay in a room that is out of order on one of its nights, or that was deleted;
 * - TYPE_MISMATCH: a stay in a room of another type than its own;
 * - UNSUITABLE_ROOM: a stay in a room that does not meet one of its required wishes;
 * - NO_ROOM_LEFT: stays that find no room for all of their nights, by type and by the first night without one;
 * - NO_ACCESSIBLE_ROOM: the same, of stays that would find one if they did not need an accessible one.
 */
export function conflictsIn(plan: RoomPlan, today: Day): RoomConflict[] {
  const conflicts = [...inRooms(plan, today), ...withoutRoom(plan, today)];
  return conflicts.sort(inOrder).slice(0, MAX_CONFLICTS);
}

function* inRooms(plan: RoomPlan, today: Day): Iterable<RoomConflict> {
  const floors = floorsOf(plan.rooms.values());
  for (const [roomNumber, stays] of stayingByRoom(plan, today)) {
    const room = plan.rooms.get(roomNumber);
    for (const stay of stays) {
      const nights = nightsFromToday(stay, today);
      const { from } = nights;
      const about = { roomNumber, roomType: room?.roomType ?? stay.roomType, day: from };
      const conflict = { ...about, reservationIds: [stay.reservationId] };
      if (!room || isClosedIn(room, nights)) yield { ...conflict, reason: 'OUT_OF_ORDER' };
      else if (room.roomType !== stay.roomType) yield { ...conflict, reason: 'TYPE_MISMATCH' };
      if (room && !fitsStay(room, stay, floors)) yield { ...conflict, reason: 'UNSUITABLE_ROOM' };
      if (!overstays(stay, today)) continue;
      const next = stays.filter((one) => !overstays(one, today) && one.checkIn <= today);
      yield { ...about, reservationIds: idsOf([stay, ...next]), reason: 'OVERSTAY' };
    }
    const staying = stays.filter((stay) => !overstays(stay, today));
    yield* doubles(staying, today, { roomNumber, roomType: room?.roomType ?? stays[0]!.roomType });
  }
}

/** One conflict for stays of which each shares a night with an earlier one. */
function* doubles(
  stays: readonly PlanStay[],
  today: Day,
  room: Pick<RoomConflict, 'roomNumber' | 'roomType'>,
): Iterable<RoomConflict> {
  let together: PlanStay[] = [];
  let until = -Infinity;
  let day = Infinity;
  const conflict = (): RoomConflict => ({ ...room, day, reservationIds: idsOf(together), reason: 'DOUBLE_ASSIGNED' });
  for (const stay of stays) {
    const { from, to } = nightsFromToday(stay, today);
    if (from < until) day = Math.min(day, from);
    else {
      if (together.length > 1) yield conflict();
      [together, day, until] = [[], Infinity, -Infinity];
    }
    together.push(stay);
    until = Math.max(until, to);
  }
  if (together.length > 1) yield conflict();
}

/** Packs rooms as an assignment would: a stay reported here would get none. */
function* withoutRoom(plan: RoomPlan, today: Day): Iterable<RoomConflict> {
  // A property without rooms assigns none.
  if (plan.rooms.size === 0) return;
  const due = new Set(arrivalsDue(plan, today));
  for (const [roomType, type] of roomsByType(plan, today)) {
    const nowhere = withoutRoomIn(type, due, today);
    for (const reason of ['NO_ROOM_LEFT', 'NO_ACCESSIBLE_ROOM'] as const) {
      const without = nowhere.filter((one) => one.reason === reason);
      for (const [day, stays] of Map.groupBy(without, ({ from }) => from))
        yield { roomType, day, reservationIds: idsOf(stays.map(({ stay }) => stay)), reason };
    }
  }
}

type WithoutRoom = { stay: PlanStay; from: Day; reason: UnassignedReason };

function withoutRoomIn(type: RoomsOfType, due: ReadonlySet<PlanStay>, today: Day): WithoutRoom[] {
  const now = [...type.displaced, ...type.waiting.filter(({ stay }) => due.has(stay))].sort(byRight);
  const later = type.waiting.filter(({ stay }) => !due.has(stay));
  for (const one of now) one.due = true;
  const { unplaced, free } = placeStays(type, { due: now, later, guests: [] }, () => 0, today);
  return unplaced.map((one) => ({
    stay: one.stay,
    // Where each night has a free room, a single room for all nights is missing.
    from: free.firstFull(one) ?? one.from,
    reason: reasonWithout(one, { free }),
  }));
}

/** Stays in each room on a night from today on, by check-in. */
function stayingByRoom(plan: RoomPlan, today: Day): Map<string, PlanStay[]> {
  const staying = new Map<string, PlanStay[]>();
  for (const stay of plan.stays) {
    const { from, to } = nightsFromToday(stay, today);
    if (stay.roomNumber === undefined || from >= to || staying.has(stay.roomNumber)) continue;
    const there = plan.inRoom(stay.roomNumber).filter((one) => {
      const nights = nightsFromToday(one, today);
      return nights.from < nights.to;
    });
    staying.set(stay.roomNumber, there);
  }
  return staying;
}

const overstays = ({ status, checkOut }: PlanStay, today: Day): boolean =>
  status === 'CHECKED_IN' && checkOut < today;

const idsOf = (stays: readonly PlanStay[]): string[] => stays.map(({ reservationId }) => reservationId);

function inOrder(a: RoomConflict, b: RoomConflict): number {
  return a.day - b.day || compare(a.reason, b.reason) || compare(a.roomType, b.roomType) || byRoom(a, b);
}

const byRoom = (a: RoomConflict, b: RoomConflict): number =>
  compare(a.roomNumber ?? '', b.roomNumber ?? '') || compare(a.reservationIds[0]!, b.reservationIds[0]!);

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
