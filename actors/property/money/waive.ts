import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText } from '../../../src/kernel/rules/money.ts';
import { billOf, folioTotals } from '../../../src/money/rules/folio.ts';
import { retainedAfterWaiver } from '../../../src/stay/rules/reinstatement.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { checkAction, transition } from '../stay/transition.ts';
import { isCollecting } from './collect.ts';
import { endedAfter, orderRefunds } from './refunds.ts';

/**
 * Waives the penalty or a part of it (docs/reference/reservations.md#cancel): the amount is refunded, up to what is
 * left of the penalty. Its unpaid part, and what was charged back, are waived first.
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
  const isCharged = before.payments.some((one) => isCollecting(before, one) && one.status === 'PROCESSING');
  const owed = isCharged ? 0 : (ending.owed?.amount ?? 0);
  const claim = Math.max(0, billOf(before).balance);
  const left = Math.min(folioTotals(before).total, before.paid) + owed + claim;
  if (left <= 0)
    throw new DomainError('INVALID_STATE', isCharged ? 'The penalty is being charged.' : 'No penalty is left.');
  const { amount = left, reason, by, refundId } = command;
  if (amount > left)
    throw new DomainError('REFUND_EXCEEDS_PAID', `At most ${decimalText(left)} of the penalty is left.`);
  // The unpaid part needs no refund.
  const unpaid = Math.min(owed, amount);
  const ofClaim = Math.min(claim, amount - unpaid);
  const back = amount - unpaid - ofClaim;
  const given = { refund: back, waived: back + ofClaim, refundId: back > 0 ? refundId : null };
  const cancellation = {
    ...(given.waived > 0 ? endedAfter(before, given, draft.today).cancellation : ending),
    ...(unpaid > 0 && { owed: owed > unpaid ? { ...ending.owed!, amount: owed - unpaid } : undefined }),
    refundEligible: back > 0 || ending.refundEligible,
  };
  const order = { refundId, amount: back, priced: { ...before, cancellation } };
  const refunds = orderRefunds(draft, before, order, context.now);
  const next = transition(
    draft,
    before,
    'waivePenalty',
    { at: context.now, by, notes: reason },
    {
      paid: before.paid - back,
      payments: [...before.payments, ...refunds],
      cancellation,
      ...retainedAfterWaiver(before, cancellation),
    },
  );
  const facts = { bookings: [factOf('REFUNDED', next)] };
  return {
    result: { reservation: next, waived: amount, ...(back > 0 && { refundId }) },
    entity: next.id,
    facts,
  };
}
