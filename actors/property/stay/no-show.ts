import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { type Instant, localTime } from '../../../src/kernel/rules/property-time.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import type { PropertyMetadata } from '../../../src/properties/rules/property.ts';
import { noShowFrom } from '../../../src/stay/rules/arrival.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { freeUntil, noShowPenalty } from '../../../src/stay/rules/cancellation.ts';
import type { Cancellation, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { collectPenalty, enterCharges, settledIn } from '../money/collect.ts';
import { orderRefunds } from '../money/refunds.ts';
import { moveNights } from '../nights.ts';
import { giveBackClaims } from './allotments.ts';
import { checkVersion, loaded } from './cancel.ts';
import { checkAction, transition } from './transition.ts';

/**
 * Records a no-show (docs/reference/reservations.md#cancel): the guest owes what a cancellation after the deadline
 * costs. Future nights are sold again, the arrival night only while it is not over.
 */
export function decideNoShow(
  draft: Draft,
  command: CommandOf<'NO_SHOW'>,
  context: DecisionContext,
): Decision<'NO_SHOW'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'missArrival');
  const { stay, cancellationPolicy: policyName } = before;
  if (draft.today < stay.checkIn)
    throw new DomainError('TOO_EARLY', `The arrival day is ${formatDay(stay.checkIn)}.`, {
      date: formatDay(stay.checkIn),
    });
  const { metadata } = draft.property!;
  const { now: at } = context;
  if (command.afterGrace) checkGrace(before, metadata, at);
  const collected = collectPenalty(draft, before, noShowPenalty(before, metadata), at);
  const { penalty, payments, owed, over: refund } = collected;
  const from = Math.max(stay.checkIn, draft.today);
  if (from < stay.checkOut) moveNights(draft, { ...stay, checkIn: from }, 'booked', -1);
  giveBackClaims(draft, before);
  enterCharges(draft, before, payments);
  const { cancellationId, refundId, by, reason, invoiceTo } = command;
  const cancellation: Cancellation = {
    cancellationId,
    reason: 'OTHER',
    description: 'No show',
    cancelledBy: by,
    policyName,
    penalty,
    ...(owed && { owed }),
    deadline: freeUntil(bookingTermsOf(before, metadata.policies), stay.checkIn, metadata),
    refundEligible: refund > 0,
    refund,
    refundId: refund > 0 ? refundId : null,
    cancelledAt: at,
    // The penalty belongs to the missed night. If that night's audit is done, it belongs to the next one.
    day: stay.checkIn,
    originalTotal: folioTotals(before).total,
    ...(before.charges && { charges: before.charges }),
  };
  const priced = { ...before, charges: undefined, cancellation };
  const refunds = orderRefunds(draft, before, { refundId, amount: refund, priced }, at);
  const next = transition(
    draft,
    before,
    'missArrival',
    { at, by, notes: reason, reason, invoiceTo },
    {
      paid: before.paid - refund + settledIn(payments),
      payments: [...before.payments, ...refunds, ...payments],
      charges: undefined,
      cancellation,
    },
  );
  return {
    result: { reservation: next },
    entity: next.id,
    facts: { bookings: [factOf('NO_SHOW', next)] },
  };
}

/** @throws DomainError TOO_EARLY while the guest may still be on the way */
function checkGrace({ stay }: Reservation, metadata: PropertyMetadata, now: Instant): void {
  const from = noShowFrom(stay, metadata);
  if (now >= from) return;
  const { day, time } = localTime(from, metadata.timezone);
  const date = formatDay(day);
  throw new DomainError('TOO_EARLY', `Before ${time} on ${date} only a manager marks a no-show.`, { date });
}
