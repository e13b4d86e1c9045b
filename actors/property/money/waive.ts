import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText } from '../../../src/kernel/rules/money.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { checkAction, transition } from '../stay/transition.ts';
import { cancellationAfter, orderRefunds } from './refunds.ts';

/**
 * The property waives its penalty or a part of it (docs/reference/reservations.md#cancel): that goes back to the guest,
 * who gets no more than what is left of it.
 * @throws DomainError INVALID_STATE where nothing is left, REFUND_EXCEEDS_PAID
 */
export function decideWaivePenalty(
  draft: Draft,
  command: CommandOf<'WAIVE_PENALTY'>,
  context: DecisionContext,
): Decision<'WAIVE_PENALTY'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'waivePenalty');
  const ending = before.cancellation!;
  const left = Math.min(folioTotals(before).total, before.paid);
  if (left <= 0) throw new DomainError('INVALID_STATE', 'No penalty is left.');
  const { amount = left, reason, by, refundId } = command;
  if (amount > left)
    throw new DomainError('REFUND_EXCEEDS_PAID', `At most ${decimalText(left)} of the penalty is left.`);
  const refunds = orderRefunds(draft, before, refundId, amount, context.now);
  const next = transition(
    draft,
    before,
    'waivePenalty',
    { at: context.now, by, notes: reason },
    {
      paid: before.paid - amount,
      payments: [...before.payments, ...refunds],
      cancellation: {
        ...cancellationAfter(ending, { refund: amount, waived: amount, refundId }, draft.today),
        refundEligible: true,
      },
    },
  );
  const facts = { bookings: [factOf('REFUNDED', next)] };
  return {
    result: { reservation: next, waived: amount, refundId },
    entity: next.id,
    facts,
  };
}
