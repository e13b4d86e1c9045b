import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import { NO_MONEY } from '../../../../src/kernel/rules/money.ts';
import type { Night } from '../../../../src/money/rules/night.ts';
import { partsOfNight } from '../../../../src/money/rules/surcharge.ts';
import type { compAnswer, undoCompAnswer } from '../../../../src/stay/contracts/comp.ts';
import type { upgradeAnswer } from '../../../../src/stay/contracts/upgrade.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { shortFinancial, NO_ROOM_YET } from './reservation.ts';

/** Answer to making nights complimentary. */
export function nightsComped({ reservation, refund, credit }: CommandResults['COMP']): AnswerOf<typeof compAnswer> {
  const refundMethod = refund > 0 ? 'ORIGINAL_PAYMENT_METHOD' : 'NONE';
  return { ...priceOf(reservation), refund: { refundAmount: refund, refundMethod }, credit };
}

/** Answer to charging complimentary nights again. */
export function nightsCharged({
  reservation,
  additional,
  dueDate,
}: CommandResults['UNDO_COMP']): AnswerOf<typeof undoCompAnswer> {
  const additionalPayment = { amount: additional, paymentRequired: additional > 0, dueDate };
  return { ...priceOf(reservation), additionalPayment };
}

function priceOf(reservation: Reservation): Omit<AnswerOf<typeof compAnswer>, 'refund' | 'credit'> {
  const { id, status, nights } = reservation;
  return {
    reservationId: id,
    status,
    nights: nights.map(shownNight),
    financial: shortFinancial(reservation),
  };
}

function shownNight({ day, rate, taxes, comped }: Night): AnswerOf<typeof compAnswer>['nights'][number] {
  return { date: day, roomRate: rate, taxes, ...(comped && { compedRate: comped.rate }) };
}

/** Answer to an upgrade. */
export function stayUpgraded({
  reservation,
  previousRoomType,
  from,
  additional,
  dueDate,
}: CommandResults['UPGRADE']): AnswerOf<typeof upgradeAnswer> {
  const { id, status, stay, nights, bookedRoomType, roomNumber } = reservation;
  return {
    reservationId: id,
    status,
    roomType: stay.roomType,
    previousRoomType,
    bookedRoomType: bookedRoomType ?? stay.roomType,
    roomNumber: roomNumber ?? NO_ROOM_YET,
    from,
    nights: nights.map((night) => {
      const { room, surcharge } = partsOfNight(night);
      return { date: night.day, roomRate: room.rate, surcharge: surcharge?.rate ?? NO_MONEY, taxes: night.taxes };
    }),
    additionalPayment: { amount: additional, paymentRequired: additional > 0, dueDate },
    financial: shortFinancial(reservation),
  };
}
