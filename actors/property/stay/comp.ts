import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { compedDays, withComp, withoutComp } from '../../../src/stay/rules/comp.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { changeFacts } from '../facts.ts';
import { refundsOf } from '../money/refunds.ts';
import { addedPrice } from './added-price.ts';
import { changeable } from './cancel.ts';
import { storeSettled } from './confirm.ts';
import { checkTotal } from './terms.ts';

/**
 * Makes nights of a stay complimentary (docs/reference/agreed-prices.md#complimentary-nights). Everything else of the
 * booking stays. An overpayment is a credit, refunded only on request.
 * @throws DomainError INVALID_STATE, VALIDATION_FAILED for a day that is no night of the stay
 */
export function decideComp(draft: Draft, command: CommandOf<'COMP'>, context: DecisionContext): Decision<'COMP'> {
  const before = changeable(draft, command, 'comp');
  const days = wantedDays(before, command.nights);
  const { reason, by, refundId, refundRequested } = command;
  const { now: at } = context;
  const notes = `Complimentary: ${reason}`;
  const { taxOnComp } = draft.property!.metadata.policies;
  const comped = withComp(after(before, 'comp', { at, by, notes }), days, { reason, by, at }, taxOnComp);
  const over = Math.max(0, before.paid - folioTotals(comped).total);
  const refund = refundRequested ? over : 0;
  const refunds = refundsOf(before, { refundId, amount: refund, priced: comped }, at);
  const refunded = { ...comped, paid: before.paid - refund, payments: [...before.payments, ...refunds] };
  const { deferred } = addedPrice(draft, before, refunded, context);
  const next = storeSettled(draft, before, { ...refunded, ...deferred }, context);
  return {
    result: { reservation: next, refund, credit: over - refund },
    entity: next.id,
    facts: changeFacts(before, next),
  };
}

/**
 * Restores the price that nights had before they were complimentary. The added amount is due as after a change.
 * @throws DomainError INVALID_STATE, also where no night is
 */
export function decideUndoComp(
  draft: Draft,
  command: CommandOf<'UNDO_COMP'>,
  context: DecisionContext,
): Decision<'UNDO_COMP'> {
  const before = changeable(draft, command, 'comp');
  if (!before.comp) throw new DomainError('INVALID_STATE', 'No night of the stay is complimentary.');
  const { reason, by } = command;
  const notes = ['Not complimentary any more', reason].filter(Boolean).join(': ');
  const charged = withoutComp(after(before, 'comp', { at: context.now, by, notes }));
  checkTotal(charged.nights);
  const { additional, dueDate, deferred } = addedPrice(draft, before, charged, context);
  const next = storeSettled(draft, before, { ...charged, ...deferred }, context);
  return {
    result: { reservation: next, additional, dueDate },
    entity: next.id,
    facts: changeFacts(before, next),
  };
}

function wantedDays(before: Reservation, nights: readonly Day[] | undefined): Set<Day> {
  const { checkIn, checkOut } = before.stay;
  const errors = (nights ?? []).flatMap((day, index) => {
    if (day >= checkIn && day < checkOut) return [];
    const detail = `the stay has nights from ${formatDay(checkIn)} to ${formatDay(checkOut - 1)}`;
    return { pointer: `/nights/${index}`, code: 'NOT_IN_STAY', detail };
  });
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'The stay has no such night.', { errors });
  const done = new Set(compedDays(before));
  const days = new Set((nights ?? before.nights.map(({ day }) => day)).filter((day) => !done.has(day)));
  if (days.size > 0) return days;
  throw new DomainError('INVALID_STATE', 'These nights are complimentary already.');
}
