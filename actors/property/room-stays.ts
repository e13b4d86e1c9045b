import type { Day } from '../../src/domain/dates.ts';
import type { Reservation } from '../../src/domain/reservation.ts';
import type { PlanStay } from '../../src/domain/room-plan.ts';
import type { Draft } from './draft.ts';

/** Of a stay whose room went to another, or does not fit any more. */
export const NO_ROOM = { roomNumber: undefined, assignedAt: undefined, roomFixed: undefined } as const;

/**
 * Writes a reservation with the place that it has in the room plan: as long as it is not over and has a room. Whoever
 * comes late, or gets another room, has it from that day on: others may have been there the nights before.
 */
export function putReservation(draft: Draft, next: Reservation): void {
  draft.reservations.set(next.id, next);
  const was = draft.roomPlan.stay(next.id);
  const is = roomStayOf(next, was, draft.today);
  if (is && !isSame(is, was)) draft.putRoomStay(is);
  else if (was && !is) draft.dropRoomStay(next.id);
}

function roomStayOf(next: Reservation, was: PlanStay | undefined, today: Day): PlanStay | undefined {
  const { id: reservationId, status, stay, roomNumber, roomFixed } = next;
  if (roomNumber === undefined || (status !== 'CONFIRMED' && status !== 'CHECKED_IN')) return undefined;
  const stays = was?.status === 'CHECKED_IN' && was.roomNumber === roomNumber;
  // Whoever should have left by now is still in the house.
  const last = status === 'CHECKED_IN' ? stay.checkOut - 1 : Infinity;
  const checkIn = stays ? was.checkIn : Math.min(Math.max(today, stay.checkIn), last);
  if (checkIn >= stay.checkOut) return undefined;
  const place = { reservationId, roomNumber, roomType: stay.roomType, checkIn, checkOut: stay.checkOut };
  return { ...place, status, tier: 'NONE', ...(roomFixed && { fixed: true }) };
}

function isSame(a: PlanStay, b: PlanStay | undefined): boolean {
  return (
    b !== undefined &&
    a.roomNumber === b.roomNumber &&
    a.roomType === b.roomType &&
    a.checkIn === b.checkIn &&
    a.checkOut === b.checkOut &&
    a.status === b.status &&
    a.fixed === b.fixed
  );
}
