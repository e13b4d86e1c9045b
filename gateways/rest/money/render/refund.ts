import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import type { RefundByHand } from '../../../../src/money/ports.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso, isoOrNull } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/** A refund that waits for somebody to pay it out. */
export function openRefund({ amount, orderedAt, ...refund }: RefundByHand): Json {
  return { ...refund, amount: wireMoney(amount), status: 'PENDING', orderedAt: iso(orderedAt) };
}

/** A refund that was paid out by hand: who, when, how. */
export function refundPaidOut({ reservation, refund }: CommandResults['PAY_OUT_REFUND']): Json {
  const { paymentId: refundId, amount, method, status, paidOut, processedAt } = refund;
  const { id: reservationId, currency, status: reservationStatus } = reservation;
  return {
    refundId,
    reservationId,
    amount: wireMoney(amount),
    currency,
    method,
    status,
    reference: paidOut?.reference ?? null,
    paidBy: paidOut?.by ?? null,
    paidAt: isoOrNull(processedAt),
    reservationStatus,
  };
}
