import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import { connects, Parties } from '../../../src/rooms/rules/connecting-rooms.ts';
import { planRooms } from '../../../src/rooms/rules/maintenance.ts';
import type { PlanStay } from '../../../src/rooms/rules/room-plan.ts';
import {
  fitsStay,
  floorsOf,
  meetsWish,
  requiredOf,
  wishes,
  wishesOf,
  wishScore,
} from '../../../src/rooms/rules/room-wishes.ts';
import { nightsFromToday } from '../../../src/rooms/rules/rooms-of-type.ts';
import { unmetWishes } from '../../../src/rooms/rules/unmet-wishes.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';

/** A reservation as a stay with wishes. */
function wishingStay(reservation: Reservation): PlanStay {
  const { id, status, stay, roomWishes, guest, bookingId, groupId } = reservation;
  const { roomType, checkIn, checkOut } = stay;
  return {
    reservationId: id,
    roomType,
    checkIn,
    checkOut,
    status: status === 'CHECKED_IN' ? status : 'CONFIRMED',
    tier: 'NONE',
    wishes: wishesOf(roomWishes, guest.preferences),
    parties: [bookingId, groupId].filter((party) => party !== undefined),
  };
}

/** Tells rooms that meet all required wishes of a stay from others. */
export function fittingFor(draft: Draft, { roomWishes: own = [] }: Reservation): (room: Room) => boolean {
  const required = requiredOf({ wishes: own });
  if (required.length === 0) return () => true;
  const floors = floorsOf(draft.rooms.values());
  return (room) => fitsStay(room, { wishes: required }, floors);
}

/** @throws DomainError ROOM_UNSUITABLE where the room does not meet a required wish of the stay */
export function checkRequired(draft: Draft, room: Room, reservation: Reservation): void {
  if (fittingFor(draft, reservation)(room)) return;
  const floors = floorsOf(draft.rooms.values());
  const unmet = requiredOf({ wishes: reservation.roomWishes ?? [] }).filter((wish) => !meetsWish(room, wish, floors));
  const names = unmet.map(({ kind, value }) => (value === undefined ? kind : `${kind} ${value}`));
  throw new DomainError('ROOM_UNSUITABLE', `The stay requires what the room does not have: ${names.join(', ')}.`, {
    extra: { required: unmet.map(({ kind, value }) => ({ kind, ...(value !== undefined && { value }) })) },
  });
}

/** Rooms by how well they meet the wishes of a stay, the best first; others keep their order. */
export function byWishes(draft: Draft, rooms: readonly Room[], reservation: Reservation): Room[] {
  const stay = wishingStay(reservation);
  const floors = floorsOf(draft.rooms.values());
  const scores = new Map(rooms.map((room) => [room, wishScore(room, stay, floors)]));
  return rooms.toSorted((a, b) => scores.get(b)! - scores.get(a)!);
}

/**
 * Wishes that a room does not meet which a stay gets here, by hand or at check-in; the draft has the plan before.
 * Rooms of partners count as far as they have one.
 */
export function unmetIn(draft: Draft, reservation: Reservation, room: Room): Pick<Reservation, 'unmetWishes'> {
  const stay = wishingStay(reservation);
  if (stay.wishes!.length === 0) return { unmetWishes: undefined };
  const { today } = draft;
  const plan = draft.roomPlan.withRooms(
    planRooms({ rooms: [...draft.rooms.values()], maintenances: [...draft.maintenances.values()] }),
  );
  const partners = wishes(stay, 'CONNECTING') ? partnersOf(draft, stay) : [];
  const unmet = unmetWishes(
    stay,
    room,
    { plan, today, floors: floorsOf(draft.rooms.values()) },
    {
      isConnected: partners.some(({ roomNumber }) => {
        const other = draft.rooms.get(roomNumber);
        return other !== undefined && connects(room, other);
      }),
      partners,
    },
  );
  return { unmetWishes: unmet.length > 0 ? unmet : undefined };
}

function partnersOf(draft: Draft, stay: PlanStay): { stay: PlanStay; roomType: string; roomNumber: string }[] {
  const others: PlanStay[] = [];
  for (const { reservationId, roomNumber } of draft.roomPlan.stays) {
    const other = draft.reservations.get(reservationId);
    if (other?.roomWishes && roomNumber !== undefined) others.push({ ...wishingStay(other), roomNumber });
  }
  return new Parties(others)
    .partnersOf(stay, (one) => nightsFromToday(one, draft.today))
    .map((one) => ({ stay: one, roomType: one.roomType, roomNumber: one.roomNumber! }));
}
