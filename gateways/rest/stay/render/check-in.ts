import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import { leavesBy } from '../../../../src/rates/rules/day-use.ts';
import type { checkInAnswer } from '../../../../src/stay/contracts/stay-answers.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/**
 * What a check-in answers (docs/reference/reservations.md#check-in-and-check-out); both ends are the moment by which
 * the guest leaves, in UTC.
 */
export function checkedIn(
  { reservation, checkIn, room, upgraded }: CommandResults['CHECK_IN'],
  { metadata }: Property,
): AnswerOf<typeof checkInAnswer> {
  const until = leavesBy(reservation.stay, metadata);
  return {
    checkInId: checkIn.checkInId,
    reservationId: reservation.id,
    status: reservation.status,
    roomDetails: {
      roomNumber: room.roomNumber,
      roomType: room.roomType,
      floor: room.floor,
      upgraded,
      keyCards: Array.from({ length: checkIn.keyCards }, (_, card) => `${room.roomNumber}-${card + 1}`),
      keyCardExpiry: until,
    },
    amenities: metadata.amenities,
    checkInTime: checkIn.at,
    expectedCheckOut: until,
  };
}
