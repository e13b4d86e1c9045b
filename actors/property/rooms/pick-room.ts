import type { LoyaltyTier } from '../../../src/guests/rules/guest.ts';
import { stepsUp } from '../../../src/guests/rules/loyalty.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Room, RoomStatus } from '../../../src/properties/rules/property.ts';
import type { PlanStay } from '../../../src/rooms/rules/room-plan.ts';
import { requiredOf } from '../../../src/rooms/rules/room-wishes.ts';
import { othersIn } from '../../../src/rooms/rules/rooms-of-type.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { isClosedFor, roomsClosedFor } from './closed-rooms.ts';
import { upgradesFor, restIsFree } from './move-to-room.ts';
import { byWishes, fittingFor } from './room-wishes.ts';

/** Room states that allow check-in, in order of preference (docs/concepts/rooms.md#check-in). */
const READY: readonly RoomStatus[] = ['INSPECTED', 'CLEAN', 'AVAILABLE'];

/**
 * Whether a room is clean and empty: rooms of guests who stay on are cleaned too. Where the property inspects its rooms
 * (policy `roomReadyWhen`), one that is only CLEAN is not ready; AVAILABLE is set by hand.
 */
export function isReady({ property }: Pick<Draft, 'property'>, { status, reservationId }: Room): boolean {
  if (status === 'CLEAN' && property!.metadata.policies.roomReadyWhen === 'INSPECTED') return false;
  return reservationId === undefined && READY.includes(status);
}

/** A room for an arriving guest, and the future stays that lose it. */
type ReadyRoom = { room: Room; displaced: readonly PlanStay[] };

/**
 * Picks the room for a check-in: the assigned one if it is ready; else a free one of the type; else one assigned to
 * future stays, which then get another; else, for a loyalty member, one of a better type. All meet the required wishes
 * of the stay; of several ready rooms, the one that meets most wishes.
 * @throws DomainError NO_ROOM_READY
 */
export function pickRoom(draft: Draft, before: Reservation, tier: LoyaltyTier): ReadyRoom {
  const { stay, roomNumber } = before;
  const assigned = roomNumber === undefined ? undefined : draft.rooms.get(roomNumber);
  const closed = roomsClosedFor(draft, before);
  const fits = fittingFor(draft, before);
  const usable = (room: Room): boolean => !closed.has(room.roomNumber) && fits(room);
  if (assigned && isReady(draft, assigned) && usable(assigned))
    return { room: assigned, displaced: inTheWay(draft, assigned, before) };
  const ready = (roomType: string): Room[] => byWishes(draft, readyRooms(draft, roomType).filter(usable), before);
  const own = ready(stay.roomType);
  const free = (room: Room): boolean => inTheWay(draft, room, before).length === 0;
  const room = own.find(free);
  if (room) return { room, displaced: [] };
  for (const one of own) {
    const displaced = inTheWay(draft, one, before);
    if (displaced.every(({ status, fixed }) => status === 'CONFIRMED' && !fixed)) return { room: one, displaced };
  }
  const better = upgradesFor(draft, stay).slice(0, stepsUp(tier));
  for (const roomType of better.filter((type) => restIsFree(draft, type, before))) {
    const up = ready(roomType).find(free);
    if (up) return { room: up, displaced: [] };
  }
  const required =
    requiredOf({ wishes: before.roomWishes ?? [] }).length > 0 ? ' that meets the required wishes' : '';
  throw new DomainError('NO_ROOM_READY', `No ${stay.roomType} room${required} is ready.`);
}

/** Rooms of a type that a guest may be let into, the readiest first. */
export function readyRooms(draft: Draft, roomType: string): Room[] {
  const ready = [...draft.rooms.values()].filter((room) => room.roomType === roomType && isReady(draft, room));
  return ready.sort((a, b) => READY.indexOf(a.status) - READY.indexOf(b.status));
}

/** Other stays that have the room on a remaining night of this stay. */
export function inTheWay(draft: Draft, { roomNumber }: Room, { id, status, stay }: Reservation): PlanStay[] {
  return othersIn(draft.roomPlan, roomNumber, { ...stay, reservationId: id, status }, draft.today);
}

/**
 * Whether no other stay and no maintenance has the room on a remaining night of this stay, and the room meets its
 * required wishes.
 */
export function isFreeFor(draft: Draft, room: Room, reservation: Reservation): boolean {
  if (!fittingFor(draft, reservation)(room)) return false;
  return inTheWay(draft, room, reservation).length === 0 && !isClosedFor(draft, room.roomNumber, reservation);
}
