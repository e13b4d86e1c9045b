import type { Day } from './dates.ts';
import type { PlanRoom, PlanStay, RoomPlan } from './room-plan.ts';
import { nightsFromToday } from './rooms-of-type.ts';

/** Why a room cannot be given, in the words of contracts.md 3; ROOM_TAKEN says by whom, and the first such night. */
export type RoomRefusal =
  | { ok: false; reason: 'RESERVATION_NOT_FOUND'; reservationId: string }
  | { ok: false; reason: 'ROOM_NOT_FOUND' | 'ROOM_OUT_OF_ORDER'; reservationId: string; roomNumber: string }
  | {
      ok: false;
      reason: 'ROOM_TAKEN';
      reservationId: string;
      roomNumber: string;
      takenBy: string;
      night: Day;
    };

/** A room that can be given by hand; `upgraded` when it is of another type than the stay. */
export type RoomOffer = {
  ok: true;
  reservationId: string;
  roomNumber: string;
  roomType: string;
  upgraded: boolean;
  previousRoomNumber?: string;
};

/**
 * Whether a stay can have this room from today on: the room is there, in order, and nobody else has it on one of the
 * nights. Another type is not refused: who may have which is for the caller to say.
 */
export function canAssign(
  plan: RoomPlan,
  reservationId: string,
  roomNumber: string,
  today: Day,
): RoomOffer | RoomRefusal {
  const stay = plan.stay(reservationId);
  if (!stay) return { ok: false, reason: 'RESERVATION_NOT_FOUND', reservationId };
  return offer(plan, stay, roomNumber, today);
}

/**
 * Whether two stays can have each other's room from today on, seen as a whole: neither stands in the other's way, but
 * others may. A stay without a room has none to give: ROOM_NOT_FOUND for the other one.
 */
export function canSwap(
  plan: RoomPlan,
  one: string,
  other: string,
  today: Day,
): { ok: true; offers: [RoomOffer, RoomOffer] } | RoomRefusal {
  const [first, second] = [plan.stay(one), plan.stay(other)];
  if (!first) return { ok: false, reason: 'RESERVATION_NOT_FOUND', reservationId: one };
  if (!second) return { ok: false, reason: 'RESERVATION_NOT_FOUND', reservationId: other };
  // Of two stays that have the same room neither makes place by going to the other's.
  const apart = first.roomNumber !== second.roomNumber;
  const to = offer(plan, first, second.roomNumber ?? '', today, apart ? other : undefined);
  if (!to.ok) return to;
  const back = offer(plan, second, first.roomNumber ?? '', today, apart ? one : undefined);
  return back.ok ? { ok: true, offers: [to, back] } : back;
}

/** As if the stay `leaving` were not there. */
function offer(
  plan: RoomPlan,
  stay: PlanStay,
  roomNumber: string,
  today: Day,
  leaving?: string,
): RoomOffer | RoomRefusal {
  const { reservationId, roomNumber: previousRoomNumber } = stay;
  const asked = { reservationId, roomNumber };
  const room: PlanRoom | undefined = plan.rooms.get(roomNumber);
  if (!room) return { ok: false, reason: 'ROOM_NOT_FOUND', ...asked };
  if (room.status === 'OUT_OF_ORDER') return { ok: false, reason: 'ROOM_OUT_OF_ORDER', ...asked };
  const { from, to } = nightsFromToday(stay, today);
  for (const there of plan.inRoom(roomNumber)) {
    const nights = nightsFromToday(there, today);
    const night = Math.max(from, nights.from);
    const isOther = there.reservationId !== reservationId && there.reservationId !== leaving;
    if (isOther && night < Math.min(to, nights.to))
      return { ok: false, reason: 'ROOM_TAKEN', ...asked, takenBy: there.reservationId, night };
  }
  const upgraded = room.roomType !== stay.roomType;
  const offered = { ok: true as const, ...asked, roomType: room.roomType, upgraded };
  return previousRoomNumber === undefined ? offered : { ...offered, previousRoomNumber };
}
