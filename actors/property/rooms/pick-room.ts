import type { LoyaltyTier } from '../../../src/guests/rules/guest.ts';
import { stepsUp } from '../../../src/guests/rules/loyalty.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Room, RoomStatus } from '../../../src/properties/rules/property.ts';
import type { PlanStay } from '../../../src/rooms/rules/room-plan.ts';
import { othersIn } from '../../../src/rooms/rules/rooms-of-type.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { upgradesFor, restIsFree } from './move-to-room.ts';

/** In which a guest may be let in, the readiest first (docs/concepts/rooms.md#check-in). */
const READY: readonly RoomStatus[] = ['INSPECTED', 'CLEAN', 'AVAILABLE'];

/** Clean and nobody in it: the rooms of guests who stay on are made up too. */
export function isReady({ status, reservationId }: Room): boolean {
  return reservationId === undefined && READY.includes(status);
}

/** A room for a guest who is there, and the stays to come that lose it to him. */
type ReadyRoom = { room: Room; displaced: readonly PlanStay[] };

/**
 * The room for a guest who stands at the desk: his own if it is ready; else one of the type that nobody has on his
 * nights; else one that stays to come have, which then get another; else, for a member, one of a better type.
 * @throws DomainError NO_ROOM_READY
 */
export function pickRoom(draft: Draft, before: Reservation, tier: LoyaltyTier): ReadyRoom {
  const { stay, roomNumber } = before;
  const assigned = roomNumber === undefined ? undefined : draft.rooms.get(roomNumber);
  if (assigned && isReady(assigned)) return { room: assigned, displaced: inTheWay(draft, assigned, before) };
  const own = readyRooms(draft, stay.roomType);
  const free = (room: Room): boolean => isFreeFor(draft, room, before);
  const room = own.find(free);
  if (room) return { room, displaced: [] };
  for (const one of own) {
    const displaced = inTheWay(draft, one, before);
    if (displaced.every(({ status, fixed }) => status === 'CONFIRMED' && !fixed)) return { room: one, displaced };
  }
  const better = upgradesFor(draft, stay).slice(0, stepsUp(tier));
  for (const roomType of better.filter((type) => restIsFree(draft, type, before))) {
    const up = readyRooms(draft, roomType).find(free);
    if (up) return { room: up, displaced: [] };
  }
  throw new DomainError('NO_ROOM_READY', `No ${stay.roomType} room is ready.`);
}

/** Rooms of a type that a guest may be let into, the readiest first. */
export function readyRooms(draft: Draft, roomType: string): Room[] {
  const ready = [...draft.rooms.values()].filter((room) => room.roomType === roomType && isReady(room));
  return ready.sort((a, b) => READY.indexOf(a.status) - READY.indexOf(b.status));
}

/** Others that have the room on one of the nights that are left of a stay. */
export function inTheWay(draft: Draft, { roomNumber }: Room, { id, status, stay }: Reservation): PlanStay[] {
  return othersIn(draft.roomPlan, roomNumber, { ...stay, reservationId: id, status }, draft.today);
}

export function isFreeFor(draft: Draft, room: Room, reservation: Reservation): boolean {
  return inTheWay(draft, room, reservation).length === 0;
}
