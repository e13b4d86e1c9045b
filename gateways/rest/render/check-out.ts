import { billOf } from '../../../src/domain/folio.ts';
import type { CheckedOut } from '../../../src/operations/check-out.ts';
import { wireMoney } from '../../http/money.ts';
import { iso } from './reservation.ts';

/** What a check-out answers (specification 4.2): the balance is what was due before it was paid. */
export function checkedOut(
  { reservation, payment }: CheckedOut,
  { receiptUrl, surveyUrl }: { receiptUrl: string; surveyUrl: string },
): Record<string, unknown> {
  const { id: reservationId, status, checkOut } = reservation;
  const { roomCharges, additionalCharges, taxes, total, balance } = billOf(reservation);
  const { checkOutId, at, loyaltyPoints, forced } = checkOut!;
  return {
    ...{ checkOutId, reservationId, status },
    finalBill: {
      roomCharges: wireMoney(roomCharges),
      additionalCharges: wireMoney(additionalCharges),
      taxes: wireMoney(taxes),
      totalAmount: wireMoney(total),
      balanceDue: wireMoney(payment?.amount ?? balance),
    },
    payment: payment
      ? {
          method: payment.method,
          amount: wireMoney(payment.amount),
          paymentId: payment.paymentId,
          receiptUrl,
        }
      : null,
    feedback: { surveyUrl, loyaltyPoints },
    checkOutTime: iso(at),
    ...(forced && { forced }),
  };
}
