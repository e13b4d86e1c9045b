import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText } from '../../../src/kernel/rules/money.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { transition } from '../stay/transition.ts';

/**
 * Completes a refund that somebody at the property has paid out by hand (docs/reference/reservations.md#refunds). The
 * paid amount of the stay does not change: the refund counted when it was ordered.
 * @throws DomainError REFUND_NOT_FOUND; INVALID_STATE where it is completed already, or the provider sends it
 */
export function decidePayOutRefund(
  draft: Draft,
  command: CommandOf<'PAY_OUT_REFUND'>,
  context: DecisionContext,
): Decision<'PAY_OUT_REFUND'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  const { refundId, method, by, reference } = command;
  const known = before.payments.find(({ paymentId, type }) => paymentId === refundId && type === 'REFUND');
  if (!known) throw new DomainError('REFUND_NOT_FOUND', 'The reservation has no such refund.');
  if (known.status !== 'PENDING')
    throw new DomainError(
      'INVALID_STATE',
      known.status === 'PROCESSING' ? 'The payment provider is giving it back.' : 'It has been paid out already.',
    );
  const refund: Payment = {
    ...known,
    status: 'COMPLETED',
    method,
    processedAt: context.now,
    paidOut: { by, ...(reference !== undefined && { reference }) },
  };
  const payments = before.payments.map((one) => (one.paymentId === refundId ? refund : one));
  draft.payments.set(refundId, { reservationId: before.id, payment: refund });
  const how = [`${decimalText(refund.amount)} ${before.currency} paid out by hand`, method, reference];
  const notes = how.filter((part) => part !== undefined).join(', ');
  const next = transition(draft, before, 'payOutRefund', { at: context.now, by, notes }, { payments });
  return {
    result: { reservation: next, refund },
    entity: next.id,
    facts: { bookings: [factOf('REFUNDED', next)] },
  };
}
