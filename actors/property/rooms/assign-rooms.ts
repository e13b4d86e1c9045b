import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import type { RoomPlan } from '../../../src/rooms/rules/room-plan.ts';
import { othersIn } from '../../../src/rooms/rules/rooms-of-type.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { transition } from '../stay/transition.ts';
import { isClosedFor } from './closed-rooms.ts';
import { restIsFree, roomGiven } from './move-to-room.ts';
import { NO_ROOM } from './room-stays.ts';
import { fittingFor } from './room-wishes.ts';

type Wanted = { before: Reservation; room: Room; unmetWishes: Reservation['unmetWishes'] };

/**
 * Applies an assignment that was computed outside the actor (docs/concepts/rooms.md#assignment): all at once, since
 * stays may swap rooms. Entries that no longer fit, because a stay or a room has changed, are left out.
 */
export function decideAssignRooms(
  draft: Draft,
  { assignments, keepsAnswer }: CommandOf<'ASSIGN_ROOMS'>,
  context: DecisionContext,
): Decision<'ASSIGN_ROOMS'> {
  const wanted = assignments.flatMap((one) => stillWanted(draft, one) ?? []);
  const leaving = wanted.map(({ before }) => before.id);
  let plan = draft.roomPlan.with([], leaving);
  const given: Wanted[] = [];
  for (const one of wanted) {
    const placed = place(draft, plan, one.before, one.room.roomNumber);
    if (!placed) continue;
    plan = placed;
    given.push(one);
  }
  const assigned = given.flatMap((one) => give(draft, one, context) ?? []);
  const moved = new Set(assigned.map(({ id }) => id));
  const lost: Reservation[] = [];
  for (const { before } of wanted) {
    if (moved.has(before.id) || before.roomNumber === undefined) continue;
    const same = place(draft, plan, before, before.roomNumber);
    if (same) plan = same;
    // Another stay has its room now, and no room is free: it waits for an assignment again.
    else lost.push(takeAssignedRoom(draft, before, context));
  }
  const { propertyId } = draft.property!;
  const changed = [...assigned, ...lost];
  return {
    result: {
      assigned: [...moved],
      skipped: assignments.map(({ reservationId }) => reservationId).filter((id) => !moved.has(id)),
    },
    entity: propertyId,
    facts: { bookings: changed.map((next) => factOf('ROOM_ASSIGNED', next, propertyId)) },
    ...(changed.length === 0 && !keepsAnswer && { dryRun: true }),
  };
}

function stillWanted(draft: Draft, assignment: CommandOf<'ASSIGN_ROOMS'>['assignments'][0]): Wanted | undefined {
  const before = draft.reservations.get(assignment.reservationId);
  const room = draft.rooms.get(assignment.roomNumber);
  if (!before || !room || isClosedFor(draft, room.roomNumber, before)) return undefined;
  const isSame = before.roomNumber === assignment.previousRoomNumber;
  const isToCome = before.status === 'CONFIRMED' && before.stay.checkOut > draft.today;
  const mayMove = isToCome && isSame && !before.roomFixed && fittingFor(draft, before)(room);
  return mayMove ? { before, room, unmetWishes: assignment.unmetWishes } : undefined;
}

/** The plan with the stay in the room, if no other stay has it on these nights. */
function place(draft: Draft, plan: RoomPlan, { id, stay }: Reservation, roomNumber: string): RoomPlan | undefined {
  const { roomType, checkIn, checkOut } = stay;
  const placed = {
    reservationId: id,
    roomType,
    roomNumber,
    checkIn,
    checkOut,
    status: 'CONFIRMED',
    tier: 'NONE',
  } as const;
  return othersIn(plan, roomNumber, placed, draft.today).length === 0 ? plan.with([placed]) : undefined;
}

/** An upgrade type that has been sold out since is not given. */
function give(
  draft: Draft,
  { before, room, unmetWishes }: Wanted,
  { now: at, subject: by }: DecisionContext,
): Reservation | undefined {
  const { roomNumber, roomType } = room;
  if (roomType !== before.stay.roomType && !restIsFree(draft, roomType, before)) return undefined;
  const given = { ...roomGiven(draft, before, room), assignedAt: at, unmetWishes };
  return transition(draft, before, 'assignRoom', { at, by, notes: `Room ${roomNumber}, ${roomType}` }, given);
}

/** Takes the room of a future stay. It gets another one with the next assignment, or at check-in. */
export function takeAssignedRoom(
  draft: Draft,
  before: Reservation,
  { now: at, subject: by }: DecisionContext,
): Reservation {
  const notes = `Room ${before.roomNumber} went to another stay`;
  return transition(draft, before, 'assignRoom', { at, by, notes }, NO_ROOM);
}
