import type { CommandOf, CommandResults } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { checkAction, transition } from '../stay/transition.ts';
import { isClosedFor, stateAfterGuest } from './closed-rooms.ts';
import { upgradesFor, restIsFree, roomGiven } from './move-to-room.ts';
import { inTheWay, isReady } from './pick-room.ts';
import { checkRequired, unmetIn } from './room-wishes.ts';

/**
 * Assigns the room that somebody at the desk has chosen (docs/concepts/rooms.md#assignment); automatic assignment does
 * not change it. A better type is an upgrade. A guest in house moves there at once, and the old room needs cleaning.
 */
export function decideAssignRoom(
  draft: Draft,
  command: CommandOf<'ASSIGN_ROOM'>,
  context: DecisionContext,
): Decision<'ASSIGN_ROOM'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'assignRoom');
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out.');
  const room = roomNumbered(draft, command.roomNumber);
  checkRoom(draft, before, room);
  const { roomNumber: previousRoomNumber } = before;
  const unmet = unmetIn(draft, before, room);
  const next = transition(
    draft,
    before,
    'assignRoom',
    { at: context.now, by: command.by ?? context.subject, notes: `Room ${room.roomNumber}, ${room.roomType}` },
    { ...roomGiven(draft, before, room), ...unmet, assignedAt: context.now, roomFixed: true },
  );
  const moved = before.status === 'CHECKED_IN' && room.roomNumber !== previousRoomNumber;
  const rooms = moved ? moveGuest(draft, before, room, context) : [];
  const result: CommandResults['ASSIGN_ROOM'] = {
    reservation: next,
    room: draft.rooms.get(room.roomNumber)!,
    upgraded: next.bookedRoomType !== undefined,
    ...(previousRoomNumber !== undefined && { previousRoomNumber }),
  };
  return {
    result,
    entity: next.id,
    facts: {
      bookings: [factOf('ROOM_ASSIGNED', next)],
      ...(rooms.length > 0 && { setup: rooms }),
    },
  };
}

/** @throws DomainError ROOM_NOT_FOUND */
export function roomNumbered(draft: Draft, roomNumber: string): Room {
  const room = draft.rooms.get(roomNumber);
  if (!room) throw new DomainError('ROOM_NOT_FOUND', 'The property has no such room.');
  return room;
}

/**
 * Checks that a stay may have a room for its remaining nights, whatever its type.
 * @throws DomainError ROOM_OUT_OF_ORDER, ROOM_TAKEN, ROOM_UNSUITABLE, NO_ROOM_READY
 */
export function checkUsable(draft: Draft, before: Reservation, room: Room): void {
  const { stay, status, roomNumber } = before;
  if (isClosedFor(draft, room.roomNumber, before))
    throw new DomainError('ROOM_OUT_OF_ORDER', 'The room is out of order on one of the nights.');
  const [other] = inTheWay(draft, room, before);
  if (other) {
    const date = formatDay(Math.max(draft.today, stay.checkIn, other.checkIn));
    const extra = { reservationId: other.reservationId };
    throw new DomainError('ROOM_TAKEN', `Another reservation has the room from ${date} on.`, { date, extra });
  }
  checkRequired(draft, room, before);
  if (status === 'CHECKED_IN' && room.roomNumber !== roomNumber && !isReady(draft, room))
    throw new DomainError('NO_ROOM_READY', 'The room is not ready for a guest who moves at once.');
}

/** @throws DomainError WRONG_ROOM_TYPE, ROOM_NOT_AVAILABLE, and those of `checkUsable` */
function checkRoom(draft: Draft, before: Reservation, room: Room): void {
  const { stay } = before;
  checkUsable(draft, before, room);
  if (room.roomType === stay.roomType) return;
  if (room.roomType !== before.bookedRoomType && !upgradesFor(draft, stay).includes(room.roomType))
    throw new DomainError(
      'WRONG_ROOM_TYPE',
      `The room is a ${room.roomType}, which is not better than ${stay.roomType}.`,
    );
  if (!restIsFree(draft, room.roomType, before))
    throw new DomainError('ROOM_NOT_AVAILABLE', `${room.roomType} is sold out on one of the nights.`);
}

/** Facts of both rooms, before and after a guest in house has moved. */
export function moveGuest(
  draft: Draft,
  { id, roomNumber }: Reservation,
  room: Room,
  { now: updatedAt }: DecisionContext,
): NonNullable<Facts['setup']> {
  const left = draft.rooms.get(roomNumber!);
  const rooms: Room[] = [{ ...room, status: 'OCCUPIED', reservationId: id, updatedAt }];
  if (left?.reservationId === id)
    rooms.push({ ...left, status: stateAfterGuest(draft, left.roomNumber), reservationId: undefined, updatedAt });
  return rooms.map((after) => {
    const before = draft.rooms.get(after.roomNumber);
    draft.putRoom(after);
    return { kind: 'room', id: after.roomNumber, before, after };
  });
}
