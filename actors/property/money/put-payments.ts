import type { Payment } from '../../../src/money/rules/payment.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';

/** Stores a payment in its reservation: replaces the one with its id, or appends it. */
export function putPayments(draft: Draft, before: Reservation, ...payments: Payment[]): Reservation {
  const ids = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const renamed = before.payments.map((one) => ids.get(one.paymentId) ?? one);
  const known = new Set(before.payments.map(({ paymentId }) => paymentId));
  const fresh = payments.filter(({ paymentId }) => !known.has(paymentId));
  const next = { ...before, payments: [...renamed, ...fresh], version: before.version + 1 };
  draft.reservations.set(next.id, next);
  for (const payment of payments) draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
  return next;
}
