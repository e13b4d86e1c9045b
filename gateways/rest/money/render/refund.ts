import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import type { openRefundAnswer, payOutAnswer } from '../../../../src/money/contracts/refunds.ts';
import type { RefundByHand } from '../../../../src/money/ports.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A refund that is still to be paid out. */
export function openRefund({ amount, orderedAt, ...refund }: RefundByHand): AnswerOf<typeof openRefundAnswer> {
  return { ...refund, amount, status: 'PENDING', orderedAt };
}

/** A refund that was paid out by hand: by whom, when, how. */
export function refundPaidOut({
  reservation,
  refund,
}: CommandResults['PAY_OUT_REFUND']): AnswerOf<typeof payOutAnswer> {
  const { paymentId: refundId, amount, method, status, paidOut, processedAt } = refund;
  const { id: reservationId, currency, status: reservationStatus } = reservation;
  return {
    refundId,
    reservationId,
    amount,
    currency,
    method,
    status,
    reference: paidOut?.reference ?? null,
    paidBy: paidOut!.by,
    paidAt: processedAt!,
    reservationStatus,
  };
}
