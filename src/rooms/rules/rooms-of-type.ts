import { LOYALTY_TIERS } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { fitsIn, type RoomNeeds, type PackingRoom, type PackingStay } from './room-packing.ts';
import {
  closedNightsOf,
  isClosedIn,
  type NightRange,
  type PlanRoom,
  type PlanStay,
  type RoomPlan,
  shareNights,
} from './room-plan.ts';
import { fitsStay, type Floors, floorsOf, requiredOf } from './room-wishes.ts';

/** Rooms of one type with the stays that have or need one of them, from today on. */
export type RoomsOfType = {
  /**
   * Rooms that are in order on some night; taken by guests in house, by stays assigned by hand, by stays of other types,
   * and by maintenances.
   */
  rooms: PackingRoom[];
  /** Have a room that they can keep; they can be moved. */
  settled: PackingStay[];
  /** Cannot keep their room: it is out of order, deleted, taken by another stay as well, or lacks what is required. */
  displaced: PackingStay[];
  /** Have no room yet; by check-in, then by priority. */
  waiting: PackingStay[];
};

/** Members of a stay that determine when it needs a room. */
type StayNights = Pick<PlanStay, 'checkIn' | 'checkOut'> & { status: ReservationStatus };

/**
 * Nights for which a stay needs its room from today on; none when `from` is not before `to`. A guest who is overdue is
 * in the room tonight too (OVERSTAY, docs/concepts/rooms.md#conflicts); a guest who leaves today is not.
 */
export function nightsFromToday({ status, checkIn, checkOut }: StayNights, today: Day): NightRange {
  const overstays = status === 'CHECKED_IN' && checkOut < today;
  return { from: Math.max(checkIn, today), to: overstays ? today + 1 : checkOut };
}

/** Other stays in a room on the nights for which a stay needs it from today on, by check-in. */
export function othersIn(
  plan: RoomPlan,
  roomNumber: string,
  stay: StayNights & Pick<PlanStay, 'reservationId'>,
  today: Day,
): PlanStay[] {
  const nights = nightsFromToday(stay, today);
  return plan
    .inRoom(roomNumber)
    .filter(
      (other) => other.reservationId !== stay.reservationId && shareNights(nightsFromToday(other, today), nights),
    );
}

/** A stay for the packing; priority is by loyalty, then by length of stay (docs/concepts/rooms.md#assignment). */
function asking(stay: PlanStay, { from: today, floors }: Window, due: boolean): PackingStay {
  const right = LOYALTY_TIERS.indexOf(stay.tier) * MORE_THAN_NIGHTS + stay.checkOut - stay.checkIn;
  const needs = needsOfStay(stay, floors);
  return { stay, ...nightsFromToday(stay, today), due, right, ...(needs && { needs }) };
}

function needsOfStay(stay: PlanStay, floors: Floors): RoomNeeds | undefined {
  const required = requiredOf(stay);
  if (required.length === 0) return undefined;
  const key = JSON.stringify(required.map(({ kind, value = '' }) => `${kind} ${value}`).sort());
  return { key, fits: (room) => fitsStay(room, stay, floors) };
}

/** Nights that any stay needs, from today on, and the floors of the property. */
type Window = NightRange & { floors: Floors };

/** More nights than any stay has. */
const MORE_THAN_NIGHTS = 10_000;

/** Order of priority; ties go to the lower id, so that the result is deterministic. */
export function byRight(a: PackingStay, b: PackingStay): number {
  return b.right - a.right || (a.stay.reservationId < b.stay.reservationId ? -1 : 1);
}

/** Groups rooms and stays by room type, including types that have stays but no rooms. */
export function roomsByType(plan: RoomPlan, today: Day): Map<string, RoomsOfType> {
  const types = new Map<string, RoomsOfType>();
  const typeOf = (roomType: string): RoomsOfType => {
    let type = types.get(roomType);
    if (!type) types.set(roomType, (type = { rooms: [], settled: [], displaced: [], waiting: [] }));
    return type;
  };
  const nights = { from: today, to: lastDeparture(plan, today), floors: floorsOf(plan.rooms.values()) };
  for (const room of plan.rooms.values()) addRoom(typeOf(room.roomType), room, plan, nights);
  for (const stay of plan.stays) {
    const wanted = asking(stay, nights, false);
    if (wanted.from >= wanted.to || stay.status === 'CHECKED_IN') continue;
    const room = stay.roomNumber === undefined ? undefined : plan.rooms.get(stay.roomNumber);
    if (stay.roomNumber === undefined) typeOf(stay.roomType).waiting.push(wanted);
    else if (!stay.fixed && (!room || isClosedIn(room, wanted))) typeOf(stay.roomType).displaced.push(wanted);
  }
  for (const { waiting } of types.values()) waiting.sort((a, b) => a.from - b.from || byRight(a, b));
  return types;
}

function lastDeparture({ stays }: RoomPlan, today: Day): Day {
  let last = today + 1;
  for (const { checkOut } of stays) last = Math.max(last, checkOut);
  return last;
}

/** Adds a room with what it is taken by on the nights that any stay needs. */
function addRoom(type: RoomsOfType, room: PlanRoom, plan: RoomPlan, window: Window): void {
  const { from: today, to: end } = window;
  const closed = closedNightsOf(room)
    .map(({ from, to }) => ({ from: Math.max(from, today), to: Math.min(to, end) }))
    .filter(({ from, to }) => from < to);
  if (closed.some(({ from, to }) => from === today && to === end)) return;
  const stays = plan
    .inRoom(room.roomNumber)
    .map((stay) => asking(stay, window, true))
    .filter(({ from, to }) => from < to);
  const stands = ({ stay }: PackingStay): boolean =>
    stay.status === 'CHECKED_IN' || stay.fixed === true || stay.roomType !== room.roomType;
  const taken = joined([...stays.filter(stands), ...closed]);
  type.rooms.push({ room, taken });
  const retained: NightRange[] = [...taken];
  // Those that it is closed for are displaced already.
  const movable = stays.filter((one) => !stands(one) && !isClosedIn(room, one));
  for (const one of movable.sort(byRight)) {
    const isFree = fitsIn(one, room) && !retained.some((other) => shareNights(other, one));
    if (isFree) retained.push(one);
    (isFree ? type.settled : type.displaced).push(one);
  }
}

/** In order, with overlapping nights merged: a room with two guests is taken once. */
function joined(nights: readonly NightRange[]): NightRange[] {
  const all: NightRange[] = [];
  for (const { from, to } of [...nights].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
