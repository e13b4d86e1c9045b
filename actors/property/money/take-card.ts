import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { isCardWaitedFor, underWay } from '../../../src/money/rules/charges.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { completePayment, settled } from '../stay/confirm.ts';
import { checkAction } from '../stay/transition.ts';
import { cameTooLate } from './payments.ts';

/**
 * Takes a card as the guarantee of a PENDING reservation, which is confirmed by it (docs/reference/rates.md#guarantee-and-terms).
 * Nothing is charged before it is owed.
 * @throws DomainError INVALID_STATE
 */
export function decideTakeCard(
  draft: Draft,
  { reservationId, payment, card, ifVersion }: CommandOf<'TAKE_CARD'>,
  context: DecisionContext,
): Decision<'TAKE_CARD'> {
  const before = loaded(draft, reservationId);
  checkVersion(before, ifVersion);
  checkAction(before, 'confirm');
  if (!isCardWaitedFor(before)) throw new DomainError('INVALID_STATE', 'The reservation waits for no card.');
  if (underWay(before.payments) > 0) throw new DomainError('INVALID_STATE', 'What is due is being paid already.');
  if (cameTooLate(draft, before, context))
    throw new DomainError('INVALID_STATE', 'The time to guarantee it is over.');
  const billing: Reservation['billing'] = {
    ...before.billing,
    ...(payment.method && { method: payment.method }),
    card,
    isCardTaken: true,
  };
  const guaranteed = { ...before, billing, version: before.version + 1 };
  const next = settled(draft, guaranteed, context);
  completePayment(draft, before, next, context);
  const event = next.status === before.status ? 'MODIFIED' : 'CONFIRMED';
  return {
    result: { reservation: next, payment },
    entity: next.id,
    facts: { bookings: [factOf(event, next)] },
  };
}
