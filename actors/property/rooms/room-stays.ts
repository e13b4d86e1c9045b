import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { PlanStay } from '../../../src/rooms/rules/room-plan.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { releaseOverdue } from '../stay/overdue-rooms.ts';

/** Fields of a stay that has lost its room. */
export const NO_ROOM = {
  roomNumber: undefined,
  assignedAt: undefined,
  roomFixed: undefined,
  unmetWishes: undefined,
} as const;

/**
 * Stores a reservation with its place in the room plan, while it is not over and has a room. A guest who arrives late
 * or changes rooms has the room from that day on: others may have had it on the nights before.
 */
export function putReservation(draft: Draft, next: Reservation): void {
  draft.reservations.set(next.id, next);
  const was = draft.roomPlan.stay(next.id);
  releaseOverdue(draft, next, was);
  const is = roomStayOf(next, was, draft.today);
  if (is && !isSame(is, was)) draft.putRoomStay(is);
  else if (was && !is) draft.dropRoomStay(next.id);
}

function roomStayOf(next: Reservation, was: PlanStay | undefined, today: Day): PlanStay | undefined {
  const { id: reservationId, status, stay, roomNumber, roomFixed } = next;
  if (roomNumber === undefined || (status !== 'CONFIRMED' && status !== 'CHECKED_IN')) return undefined;
  const stays = was?.status === 'CHECKED_IN' && was.roomNumber === roomNumber;
  // Nights past the departure are not planned: an overstaying guest should have left.
  if (stays && status === 'CHECKED_IN' && was.checkOut < stay.checkOut && stay.checkOut <= today)
    return { ...was, roomType: stay.roomType };
  const isLonger = was !== undefined && was.checkOut < stay.checkOut;
  // Nights between the planned departure and today may have been another guest's.
  const goesOn = stays && !(isLonger && was.checkOut < today);
  const from = goesOn ? was.checkIn : Math.max(today, stay.checkIn);
  if (status === 'CONFIRMED' && from >= stay.checkOut) return undefined;
  // A guest in house on or after the last day stays in the plan, without nights after a move.
  const checkIn = Math.min(from, stay.checkOut);
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
