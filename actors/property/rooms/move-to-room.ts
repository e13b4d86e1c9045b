import { withoutSurcharge } from '../../../src/money/rules/surcharge.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { nightsFromToday } from '../../../src/rooms/rules/rooms-of-type.ts';
import { upgradeCandidates } from '../../../src/rooms/rules/upgrade-candidates.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { canMoveGuest, pickUp } from '../groups/group-nights.ts';
import { moveNights } from '../nights.ts';
import { firstSoldOut } from '../stay/stay-rules.ts';

/** The fields of a reservation that say which room it has. */
type RoomGiven = Pick<Reservation, 'stay' | 'nights' | 'bookedRoomType' | 'roomNumber'>;

/**
 * Gives a reservation this room. If the room is of another type, the rest of the stay moves to that type in the same
 * commit, at the agreed price (I1). The caller checks availability in that type.
 */
export function roomGiven(draft: Draft, reservation: Reservation, room: Room): RoomGiven {
  const { roomNumber, roomType } = room;
  const { stay, nights, bookedRoomType } = reservation;
  if (roomType === stay.roomType) return { stay, nights, bookedRoomType, roomNumber };
  return { ...movedToType(draft, reservation, roomType), roomNumber };
}

/**
 * What is left of a stay moves to another room type, in the blocks of its group too. Back in the type that was booked,
 * the surcharge of an upgrade ends with the nights that are over.
 */
export function movedToType(
  draft: Draft,
  { stay, nights, bookedRoomType, groupId }: Reservation,
  roomType: string,
): Omit<RoomGiven, 'roomNumber'> {
  const rest = { ...stay, checkIn: Math.max(stay.checkIn, draft.today) };
  moveNights(draft, rest, 'booked', -1);
  moveNights(draft, { ...rest, roomType }, 'booked', 1);
  if (groupId !== undefined) {
    pickUp(draft, groupId, rest, -1);
    const rates = new Map(nights.map((night) => [night.day, night.rate]));
    pickUp(draft, groupId, { ...rest, roomType }, 1, (day) => rates.get(day) ?? 0);
  }
  const booked = bookedRoomType ?? stay.roomType;
  const moved = { ...stay, roomType };
  if (booked !== roomType) return { stay: moved, nights, bookedRoomType: booked };
  const plain = nights.map((night) => (night.day < rest.checkIn ? night : withoutSurcharge(night)));
  return { stay: moved, nights: plain, bookedRoomType: undefined };
}

/** Whether the rest of a stay is available in another type. */
export function restIsFree(draft: Draft, roomType: string, { status, stay, groupId }: Reservation): boolean {
  const { policies } = draft.property!.metadata;
  const { from, to } = nightsFromToday({ ...stay, status }, draft.today);
  if (groupId !== undefined) return canMoveGuest(draft, groupId, { roomType, checkIn: from, checkOut: to });
  return firstSoldOut(draft.slab(roomType)!, policies, from, to, 1) === undefined;
}

/** Room types for an upgrade, nearest first. */
export function upgradesFor(draft: Draft, stay: Stay): string[] {
  return upgradeCandidates(draft.roomTypes.values(), stay, (type) => draft.slab(type)?.base(draft.today));
}
