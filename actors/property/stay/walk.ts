import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { NO_MONEY } from '../../../src/kernel/rules/money.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { freeUntil } from '../../../src/stay/rules/cancellation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, end, loaded } from './cancel.ts';
import { checkAction } from './transition.ts';

/**
 * Sends a guest who arrives today to another hotel (docs/reference/waitlist.md#walk). The failure is the property's:
 * nothing is retained, also not of earlier changes, and everything paid is refunded. The compensation is a record.
 * @throws DomainError INVALID_STATE when the reservation is not CONFIRMED or does not arrive today
 */
export function decideWalk(draft: Draft, command: CommandOf<'WALK'>, context: DecisionContext): Decision<'WALK'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'walk');
  const { checkIn } = before.stay;
  if (draft.today !== checkIn)
    throw new DomainError('INVALID_STATE', `A guest is walked on the arrival day, ${formatDay(checkIn)}.`);
  const { metadata } = draft.property!;
  const { cancellationId, refundId, to, compensation, reason: description, by: cancelledBy, invoiceTo } = command;
  const asked = { cancellationId, reason: 'WALKED' as const, description, cancelledBy, invoiceTo };
  const { paid: refund, cancellationPolicy: policyName } = before;
  const ending = {
    policyName,
    deadline: freeUntil(bookingTermsOf(before, metadata.policies), checkIn, metadata),
    penalty: NO_MONEY,
    refundEligible: refund > 0,
    refund,
    refundId: refund > 0 ? refundId : null,
    walk: { to, compensation },
  };
  const notes = `${to}: ${description}`;
  const next = end(draft, before, { ...asked, notes }, { action: 'walk', ...ending }, context);
  return { result: { reservation: next }, entity: next.id, facts: { bookings: [factOf('CANCELLED', next)] } };
}
