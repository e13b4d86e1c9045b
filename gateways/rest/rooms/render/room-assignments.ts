import type { assignedAllAnswer } from '../../../../src/rooms/contracts/room-assignments.ts';
import type { ArrivalsAssigned } from '../../../../src/rooms/operations/assign-rooms.ts';
import { unmetText } from '../../../../src/rooms/rules/unmet-wishes.ts';
import type { AnswerOf } from '../../../http/answers.ts';

export function assignedAll({ until, given, without }: ArrivalsAssigned): AnswerOf<typeof assignedAllAnswer> {
  return {
    until,
    assigned: given.map(({ previousRoomNumber = null, unmetWishes = [], ...one }) => ({
      reservationId: one.reservationId,
      checkIn: one.checkIn,
      checkOut: one.checkOut,
      roomNumber: one.roomNumber,
      roomType: one.roomType,
      upgraded: one.upgraded,
      previousRoomNumber,
      unmetWishes: unmetWishes.map((wish) => ({ ...wish, text: unmetText(wish, false) })),
    })),
    unassigned: without,
  };
}
