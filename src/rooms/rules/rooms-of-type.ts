import { LOYALTY_TIERS } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import type { PackingRoom, PackingStay } from './room-packing.ts';
import type { NightRange, PlanRoom, PlanStay, RoomPlan } from './room-plan.ts';

/** The rooms of one type, and the stays that have or want one of them, from today on. */
export type RoomsOfType = {
  /**
   * Those in order; taken by guests in house, and by stays that were given their room by hand or are not of the type.
   */
  rooms: PackingRoom[];
  /** Have a room that they can keep, and can still be moved. */
  settled: PackingStay[];
  /** Cannot keep the room that they have: it is out of order or gone, or somebody else has it too. */
  astray: PackingStay[];
  /** Have none yet, by check-in and then by right. */
  waiting: PackingStay[];
};

/** What of a stay says when it needs a room. */
type StayNights = Pick<PlanStay, 'checkIn' | 'checkOut'> & { status: ReservationStatus };

/**
 * Nights for which a stay needs its room from today on, none when `from` is not before `to`. Who should have left
 * before today is in the room tonight too (OVERSTAY, docs/concepts/rooms.md#conflicts); who leaves today is not.
 */
export function nightsFromToday({ status, checkIn, checkOut }: StayNights, today: Day): NightRange {
  const overstays = status === 'CHECKED_IN' && checkOut < today;
  return { from: Math.max(checkIn, today), to: overstays ? today + 1 : checkOut };
}

/** Other stays that have a room on one of the nights for which a stay needs one from today on, by check-in. */
export function othersIn(
  plan: RoomPlan,
  roomNumber: string,
  stay: StayNights & Pick<PlanStay, 'reservationId'>,
  today: Day,
): PlanStay[] {
  const { from, to } = nightsFromToday(stay, today);
  return plan.inRoom(roomNumber).filter((other) => {
    const nights = nightsFromToday(other, today);
    return other.reservationId !== stay.reservationId && Math.max(from, nights.from) < Math.min(to, nights.to);
  });
}

/** Order of the packing: by loyalty, then by length of stay (docs/concepts/rooms.md#assignment). */
function asking(stay: PlanStay, today: Day, due: boolean): PackingStay {
  const right = LOYALTY_TIERS.indexOf(stay.tier) * MORE_THAN_NIGHTS + stay.checkOut - stay.checkIn;
  return { stay, ...nightsFromToday(stay, today), due, right };
}

/** No stay is that long. */
const MORE_THAN_NIGHTS = 10_000;

/** Who chooses first; of equals the one with the lower id, so that it is always the same. */
export function byRight(a: PackingStay, b: PackingStay): number {
  return b.right - a.right || (a.stay.reservationId < b.stay.reservationId ? -1 : 1);
}

/** The property by room type; types of which it has stays but no rooms too. */
export function roomsByType(plan: RoomPlan, today: Day): Map<string, RoomsOfType> {
  const types = new Map<string, RoomsOfType>();
  const typeOf = (roomType: string): RoomsOfType => {
    let type = types.get(roomType);
    if (!type) types.set(roomType, (type = { rooms: [], settled: [], astray: [], waiting: [] }));
    return type;
  };
  for (const room of plan.rooms.values()) addRoom(typeOf(room.roomType), room, plan, today);
  for (const stay of plan.stays) {
    const wanted = asking(stay, today, false);
    if (wanted.from >= wanted.to || stay.status === 'CHECKED_IN') continue;
    const room = stay.roomNumber === undefined ? undefined : plan.rooms.get(stay.roomNumber);
    if (stay.roomNumber === undefined) typeOf(stay.roomType).waiting.push(wanted);
    else if (!stay.fixed && (!room || room.status === 'OUT_OF_ORDER')) typeOf(stay.roomType).astray.push(wanted);
  }
  for (const { waiting } of types.values()) waiting.sort((a, b) => a.from - b.from || byRight(a, b));
  return types;
}

function addRoom(type: RoomsOfType, room: PlanRoom, plan: RoomPlan, today: Day): void {
  if (room.status === 'OUT_OF_ORDER') return;
  const stays = plan
    .inRoom(room.roomNumber)
    .map((stay) => asking(stay, today, true))
    .filter(({ from, to }) => from < to);
  const stands = ({ stay }: PackingStay): boolean =>
    stay.status === 'CHECKED_IN' || stay.fixed === true || stay.roomType !== room.roomType;
  const taken = joined(stays.filter(stands));
  type.rooms.push({ room, taken });
  const kept: NightRange[] = [...taken];
  for (const one of stays.filter((stay) => !stands(stay)).sort(byRight)) {
    const keeps = kept.every(({ from, to }) => to <= one.from || one.to <= from);
    if (keeps) kept.push(one);
    (keeps ? type.settled : type.astray).push(one);
  }
}

/** In order, with nights that overlap made one: a room with two guests is taken once. */
function joined(nights: readonly NightRange[]): NightRange[] {
  const all: NightRange[] = [];
  for (const { from, to } of [...nights].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
