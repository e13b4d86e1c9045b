import type { StayLinks } from '../../../../src/guests/operations/guest-link.ts';
import { billOf } from '../../../../src/money/rules/folio.ts';
import type { Payment } from '../../../../src/money/rules/payment.ts';
import type { CheckedOut } from '../../../../src/stay/operations/check-out.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso } from './reservation.ts';

type Json = Record<string, unknown>;

/**
 * What a check-out answers (docs/reference/reservations.md#check-in-and-check-out): the balance is what was due before
 * it was paid.
 */
export function checkedOut(
  { reservation, payment, refunds }: CheckedOut,
  { receiptUrl, invoiceUrl, surveyUrl }: StayLinks,
): Json {
  const { id: reservationId, status, checkOut } = reservation;
  const { roomCharges, additionalCharges, taxes, total, balance } = billOf(reservation);
  const { checkOutId, at, loyaltyPoints, forced } = checkOut!;
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  return {
    checkOutId,
    reservationId,
    status,
    finalBill: {
      roomCharges: wireMoney(roomCharges),
      additionalCharges: wireMoney(additionalCharges),
      taxes: wireMoney(taxes),
      totalAmount: wireMoney(total),
      balanceDue: wireMoney(payment?.amount ?? balance),
    },
    payment: { ...paymentOf(reservation, payment), receiptUrl, invoiceUrl },
    refund: { amount: wireMoney(refunded), method: refunded > 0 ? 'ORIGINAL_PAYMENT_METHOD' : 'NONE' },
    invoiceUrl,
    feedback: { surveyUrl, loyaltyPoints },
    checkOutTime: iso(at),
    ...(forced && { forced }),
  };
}

/** What was charged now, or would be; else what was paid last. */
function paymentOf({ payments, paid, checkOut, ...stay }: Reservation, now: Payment | undefined): Json {
  const last = now ?? payments.findLast(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED');
  const due = billOf({ ...stay, paid }).balance;
  if (!now && due > 0 && !checkOut?.forced)
    return { method: 'CARD_ON_FILE', amount: wireMoney(due), paymentId: null };
  return { method: last?.method ?? null, amount: wireMoney(last?.amount ?? 0), paymentId: last?.paymentId ?? null };
}
