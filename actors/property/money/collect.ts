import { sum } from '../../../src/kernel/rules/figures.ts';
import { type Minor, negated } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { collectorOf } from '../../../src/stay/rules/collecting.ts';
import type { Cancellation, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { transition } from '../stay/transition.ts';
import { putPayments } from './put-payments.ts';
import { derivedId } from './refunds.ts';

/** What a stay that ends retains of its penalty now, and what is set in motion for the rest. */
type Collected = { penalty: Minor; payments: Payment[]; owed?: Cancellation['owed'] };

/**
 * Collects a penalty that is more than what is paid: an account takes it over with this commit, a card on file is
 * charged after it.
 */
export function collectPenalty(draft: Draft, before: Reservation, due: Minor, at: Instant): Collected {
  const rest = due - before.paid;
  const collector = rest > 0 ? collectorOf(before, draft.property!.metadata.policies) : undefined;
  if (collector === undefined) return { penalty: Math.min(before.paid, due), payments: [] };
  const paymentId = derivedId(before.id, 'penalty', String(before.version));
  const charge = { paymentId, type: 'CHARGE' as const, amount: rest, createdAt: at };
  if (collector === 'ACCOUNT') return { penalty: due, payments: [onAccount(charge, at)] };
  const attempt: Payment = { ...charge, method: 'CARD_ON_FILE', status: 'PROCESSING' };
  return { penalty: before.paid, payments: [attempt], owed: { amount: rest, paymentId } };
}

/** What an account takes over is paid, as far as the stay is concerned: it stands in the ledger of the account. */
export function onAccount(
  charge: Pick<Payment, 'paymentId' | 'type' | 'amount' | 'createdAt'>,
  at: Instant,
): Payment {
  return { ...charge, method: 'INVOICE', status: 'COMPLETED', processedAt: at };
}

/** Writes what is collected into the books of payments. */
export function enterCharges(draft: Draft, { id }: Reservation, charges: readonly Payment[]): void {
  for (const payment of charges) {
    draft.payments.set(payment.paymentId, { reservationId: id, payment });
    draft.created.add(payment.paymentId);
  }
}

/** What of it is paid already. */
export function settledIn(charges: readonly Payment[]): Minor {
  return sum(charges, ({ status, amount }) => (status === 'COMPLETED' ? amount : 0));
}

/** Whether a payment is the one that a penalty waits for. */
export function isCollecting({ cancellation }: Reservation, { paymentId }: Payment): boolean {
  return cancellation?.owed?.paymentId === paymentId;
}

/** How the charge of a penalty has ended: retained, or still owed until the card is tried again. */
export function endCollecting(
  draft: Draft,
  before: Reservation,
  ended: Payment,
  { now: at, subject: by }: DecisionContext,
): Reservation {
  const next = putPayments(draft, before, ended);
  if (ended.status !== 'COMPLETED') return transition(draft, next, 'missPenalty', { at, by });
  const { owed, ...ending } = next.cancellation!;
  // What was waived meanwhile is not retained: it can be refunded.
  const amount = Math.min(ended.amount, owed!.amount);
  const isLater = draft.today > ending.day;
  return transition(
    draft,
    next,
    'collectPenalty',
    { at, by },
    {
      paid: next.paid + ended.amount,
      cancellation: {
        ...ending,
        penalty: ending.penalty + amount,
        // What a business day has earned never changes.
        ...(isLater && { waived: [...(ending.waived ?? []), { day: draft.today, amount: negated(amount) }] }),
      },
    },
  );
}
