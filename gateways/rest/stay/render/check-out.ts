import type { StayLinks } from '../../../../src/guests/operations/guest-link.ts';
import { type Minor, NO_MONEY } from '../../../../src/kernel/rules/money.ts';
import { accountWindow } from '../../../../src/money/rules/folio-window.ts';
import { billOf, folioTaxLines } from '../../../../src/money/rules/folio.ts';
import type { Payment } from '../../../../src/money/rules/payment.ts';
import { namedLines } from '../../../../src/money/rules/taxes.ts';
import type { checkOutAnswer } from '../../../../src/stay/contracts/stay-answers.ts';
import type { CheckedOut } from '../../../../src/stay/operations/check-out.ts';
import { takenOverAtCheckOut } from '../../../../src/stay/rules/collecting.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/**
 * What a check-out answers (docs/reference/reservations.md#check-in-and-check-out): the balance is what was due before
 * it was paid.
 */
export function checkedOut(
  { reservation, payment, refunds, taxes, company }: CheckedOut,
  { receiptUrl, invoiceUrl, surveyUrl }: StayLinks,
): AnswerOf<typeof checkOutAnswer> {
  const { id: reservationId, status, checkOut } = reservation;
  const { total, balance, ...bill } = billOf(reservation);
  const { checkOutId, at, loyaltyPoints, forced } = checkOut!;
  const account = takenOverAtCheckOut(reservation);
  const refunded: Minor = refunds.reduce((sum, { amount }) => sum + amount, 0);
  return {
    checkOutId,
    reservationId,
    status,
    finalBill: {
      ...bill,
      taxLines: namedLines(folioTaxLines(reservation), taxes),
      totalAmount: total,
      balanceDue: payment?.amount ?? balance,
    },
    payment: { ...paymentOf(reservation, payment), receiptUrl, invoiceUrl },
    ...(account > 0 && { account: { amount: account, name: accountName(reservation, company) } }),
    refund: { amount: refunded, method: refunded > 0 ? 'ORIGINAL_PAYMENT_METHOD' : 'NONE' },
    invoiceUrl,
    feedback: { surveyUrl, loyaltyPoints },
    checkOutTime: at,
    ...(forced && { forced }),
  };
}

/** Who pays what the account has taken over. */
function accountName(reservation: Reservation, company: string | undefined): string | null {
  return (accountWindow(reservation) === 'CHANNEL' ? reservation.source.channel : company) ?? null;
}

/** What was charged now, or would be; else what was paid last. */
function paymentOf(
  { payments, paid, checkOut, ...stay }: Reservation,
  now: Payment | undefined,
): Pick<AnswerOf<typeof checkOutAnswer>['payment'], 'method' | 'amount' | 'paymentId'> {
  const last = now ?? payments.findLast(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED');
  const due = billOf({ ...stay, paid }).balance;
  if (!now && due > 0 && !checkOut?.forced) return { method: 'CARD_ON_FILE', amount: due, paymentId: null };
  return { method: last?.method ?? null, amount: last?.amount ?? NO_MONEY, paymentId: last?.paymentId ?? null };
}
