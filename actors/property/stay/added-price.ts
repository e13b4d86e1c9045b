import type { Minor } from '../../../src/kernel/rules/money.ts';
import { type Instant, instantAt } from '../../../src/kernel/rules/property-time.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { deferredAt } from '../../../src/stay/rules/collecting.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';

const PAYMENT_DUE_MS = 7 * 86_400_000;

/** What a change adds to the price of a stay, when that is due, and the member of the reservation that says so. */
type AddedPrice = { additional: Minor; dueDate: Instant | null; deferred: Pick<Reservation, 'deferred'> };

/**
 * What a change adds to the total of a stay (docs/reference/reservations.md#change): due in seven days, or at check-in
 * when that is earlier. Nothing is charged for it before. @param after the reservation with its new price and payments
 */
export function addedPrice(
  draft: Draft,
  before: Reservation,
  after: Reservation,
  context: DecisionContext,
): AddedPrice {
  const { total } = folioTotals(after);
  const additional = Math.max(0, total - folioTotals(before).total);
  const dueDate = additional > 0 ? dueAt(draft, after, context) : null;
  const until = dueDate ?? before.deferred?.until;
  const deferred = deferredUntil(before, until, total - after.paid, deferredAt(before, context.now) + additional);
  return { additional, dueDate, deferred };
}

/** Amounts that this and earlier changes have added, due by the latest of their dates, up to what is unpaid. */
function deferredUntil(
  { status }: Reservation,
  until: Instant | undefined,
  missing: Minor,
  added: Minor,
): Pick<Reservation, 'deferred'> {
  if (until === undefined || status !== 'CONFIRMED') return {};
  const amount = Math.min(missing, added);
  return { deferred: amount > 0 ? { amount, until } : undefined };
}

function dueAt(draft: Draft, { stay }: Reservation, { now }: DecisionContext): Instant {
  const { checkInTime, timezone } = draft.property!.metadata;
  return Math.min(now + PAYMENT_DUE_MS, instantAt(stay.checkIn, checkInTime, timezone));
}
