import type { roomingListAnswer } from '../../../../src/groups/contracts/rooming-list.ts';
import type { RoomingListResult } from '../../../../src/groups/operations/book-rooming-list.ts';
import { sum } from '../../../../src/kernel/rules/figures.ts';
import type { Minor } from '../../../../src/kernel/rules/money.ts';
import { departureOf } from '../../../../src/kernel/rules/stay-days.ts';
import { totals } from '../../../../src/money/rules/night.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** What was booked by a rooming list, or would be (docs/reference/groups.md#rooming-list). */
export function renderRoomingList(result: RoomingListResult): AnswerOf<typeof roomingListAnswer> {
  const { groupId, dryRun, rows, faults, booked } = result;
  const bookable = faults.length === 0;
  const total: Minor = sum(booked, ({ reservation }) => totals(reservation.nights).total);
  return {
    groupId,
    dryRun,
    bookable,
    rows,
    totalAmount: bookable ? total : null,
    currency: booked[0]?.reservation.currency ?? null,
    lines: faults,
    reservations: dryRun ? [] : booked.map(bookedLine),
  };
}

function bookedLine({ line, reservation }: RoomingListResult['booked'][number]) {
  const { id, confirmationNumber, status, guest, stay, nights, holdExpiresAt } = reservation;
  return {
    line,
    reservationId: id,
    confirmationNumber,
    status,
    firstName: guest.firstName,
    lastName: guest.lastName,
    roomType: stay.roomType,
    checkIn: stay.checkIn,
    checkOut: departureOf(stay),
    totalAmount: totals(nights).total,
    holdExpiresAt: holdExpiresAt ?? null,
  };
}
