import type { Room, RoomType } from '../../src/domain/property.ts';
import type { Reservation, Stay } from '../../src/domain/reservation.ts';
import type { Nights } from '../../src/domain/room-plan.ts';
import type { Draft } from './draft.ts';
import { moveNights } from './nights.ts';
import { firstSoldOut } from './stay-rules.ts';

/** What of a reservation says which room it has. */
export type RoomGiven = Pick<Reservation, 'stay' | 'bookedRoomType' | 'roomNumber'>;

/** Nights for which a stay needs its room from today on; whoever should have left has it tonight too. */
export function nightsLeft({ today }: Draft, { checkIn, checkOut }: Pick<Stay, 'checkIn' | 'checkOut'>): Nights {
  const from = Math.max(checkIn, today);
  return { from, to: Math.max(checkOut, from + 1) };
}

/**
 * A reservation is to have this room. Where it is of another type than the stay, what is left of the stay moves there
 * in the same commit, at the price that was agreed (I1); that the type has it is for the caller to see.
 */
export function roomGiven(draft: Draft, { stay, bookedRoomType }: Reservation, room: Room): RoomGiven {
  const { roomNumber, roomType } = room;
  if (roomType === stay.roomType) return { stay, bookedRoomType, roomNumber };
  const rest = { ...stay, checkIn: Math.max(stay.checkIn, draft.today) };
  moveNights(draft, rest, 'booked', -1);
  moveNights(draft, { ...rest, roomType }, 'booked', 1);
  const booked = bookedRoomType ?? stay.roomType;
  return { stay: { ...stay, roomType }, bookedRoomType: booked === roomType ? undefined : booked, roomNumber };
}

/** Types that are dearer tonight, the nearest first, that the guests fit into and that have a room to sell each night. */
export function betterTypes(draft: Draft, stay: Stay): string[] {
  const price = (type: string): number => draft.slab(type)?.base(draft.today) ?? -1;
  const own = price(stay.roomType);
  return [...draft.roomTypes.values()]
    .filter(({ roomType }) => roomType !== stay.roomType && price(roomType) > own)
    .filter((type) => fits(type, stay))
    .sort((a, b) => price(a.roomType) - price(b.roomType))
    .map(({ roomType }) => roomType);
}

/** Whether what is left of a stay can be had in another type. */
export function restIsFree(draft: Draft, roomType: string, stay: Stay): boolean {
  const { policies } = draft.property!.metadata;
  const { from, to } = nightsLeft(draft, stay);
  return firstSoldOut(draft.slab(roomType)!, policies, from, to, 1) === undefined;
}

function fits(type: RoomType, { adults, children }: Stay): boolean {
  return adults <= type.maxAdults && children <= type.maxChildren && adults + children <= type.maxGuests;
}
