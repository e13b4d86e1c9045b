import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import type { ChargebackBody } from '../../../../src/money/contracts/payments.ts';
import { claimOf } from '../../../../src/money/rules/chargeback.ts';
import type * as answers from '../../../../src/stay/contracts/stay-answers.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { shortFinancial } from '../../stay/render/reservation.ts';

function afterwards(reservation: Reservation) {
  const { id: reservationId, currency, status: reservationStatus } = reservation;
  const claim = claimOf(reservation);
  return { reservationId, currency, claim, reservationStatus, financial: shortFinancial(reservation) };
}

/** Answer to a chargeback (`POST /reservations/{id}/payments/{paymentId}/chargeback`). */
export function chargedBack(
  { reservation, payment }: CommandResults['CHARGE_BACK'],
  paymentId: string,
  { reason, reference }: ChargebackBody,
): AnswerOf<typeof answers.chargebackAnswer> {
  const { paymentId: chargebackId, amount } = payment!;
  return { ...afterwards(reservation), chargebackId, paymentId, amount, reason, reference: reference ?? null };
}

/** Answer to a dispute that was won (`POST /reservations/{id}/payments/{paymentId}/chargeback/win`). */
export function chargebackWon(
  { reservation, payment }: CommandResults['WIN_CHARGEBACK'],
  paymentId: string,
): AnswerOf<typeof answers.chargebackWonAnswer> {
  const { paymentId: returnedPaymentId, amount } = payment!;
  return { ...afterwards(reservation), returnedPaymentId, paymentId, amount };
}

/** Answer to the closing of a chargeback. */
export function chargebackClosed(
  { reservation, writtenOff }: CommandResults['CLOSE_CHARGEBACK'],
  paymentId: string,
): AnswerOf<typeof answers.chargebackClosedAnswer> {
  return { ...afterwards(reservation), paymentId, writtenOff };
}
