import { isErased, partOfGuest, withoutGuest } from '../../../src/guests/rules/erasure.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { isUnfinished } from '../../../src/stay/rules/reservation-states.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { eraseContact } from '../groups/groups.ts';
import { loaded } from '../stay/cancel.ts';

/**
 * Erases a guest, who has booked or shares the room, from a reservation that is over (docs/concepts/guests-and-erasure.md#erasure). Nights, amounts and
 * states stay. The journal records the erasure; names in older entries are ciphertext whose key is destroyed.
 * @throws DomainError GUEST_IN_USE
 */
export function decideEraseGuest(
  draft: Draft,
  command: CommandOf<'ERASE_GUEST'>,
  context: DecisionContext,
): Decision<'ERASE_GUEST'> {
  const before = loaded(draft, command.reservationId);
  if (isUnfinished(before.status)) throw new DomainError('GUEST_IN_USE', `The reservation is ${before.status}.`);
  const decision = { result: null, entity: before.id, facts: {} };
  const { guestId = before.guest.guestId, names } = command;
  const part = partOfGuest(before, guestId);
  if (isErased(part)) return { ...decision, dryRun: true };
  const next = { ...withoutGuest(before, guestId, names), version: before.version + 1, updatedAt: context.now };
  draft.reservations.set(next.id, next);
  eraseContact(draft, part);
  for (const payment of next.payments)
    if (payment.paidOut || payment.chargeback)
      draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
  return decision;
}
