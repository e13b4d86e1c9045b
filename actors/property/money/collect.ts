import { sum } from '../../../src/kernel/rules/figures.ts';
import { type Minor, negated } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { paidBySharer, paidByOthers } from '../../../src/money/rules/shared-money.ts';
import { collectorOf } from '../../../src/stay/rules/collecting.ts';
import type { Cancellation, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { transition } from '../stay/transition.ts';
import { putPayments } from './put-payments.ts';

/** The part of a penalty that is retained now, the payments for the rest, and what was paid beyond it. */
type Collected = {
  penalty: Minor;
  payments: Payment[];
  owed?: Cancellation['owed'];
  /** What is to go back: all that the sharer has paid, and what the others have paid beyond the penalty. */
  over: Minor;
  /** The sharer's part of `over`. */
  ofSharer: Minor;
};

/**
 * Collects the part of a penalty that exceeds what is paid: an account takes it over in this commit, a card on file is
 * charged after it. An amount that was charged back counts as paid here: it remains the claim of the property and is not
 * charged again. A sharer pays no penalty (docs/reference/sharers.md#penalties).
 */
export function collectPenalty(draft: Draft, before: Reservation, due: Minor, at: Instant): Collected {
  const ofSharer = paidBySharer(before);
  const over = ofSharer + Math.max(0, before.paid - ofSharer - due);
  const back = { over, ofSharer };
  const had = paidByOthers(before);
  const rest = due - had;
  const collector = rest > 0 ? collectorOf(before, draft.property!.metadata.policies) : undefined;
  if (collector === undefined) return { penalty: Math.min(had, due), payments: [], ...back };
  const paymentId = derivedId(before.id, 'penalty', String(before.version));
  const charge = { paymentId, type: 'CHARGE' as const, amount: rest, createdAt: at };
  if (collector === 'ACCOUNT') return { penalty: due, payments: [onAccount(charge, at)], ...back };
  const attempt: Payment = { ...charge, method: 'CARD_ON_FILE', status: 'PROCESSING' };
  return { penalty: had, payments: [attempt], owed: { amount: rest, paymentId }, ...back };
}

/** A payment by invoice. It counts as paid for the stay, since the account's ledger carries the debt. */
export function onAccount(
  charge: Pick<Payment, 'paymentId' | 'type' | 'amount' | 'createdAt'>,
  at: Instant,
): Payment {
  return { ...charge, method: 'INVOICE', status: 'COMPLETED', processedAt: at };
}

/** Adds the new payments to the draft. */
export function enterCharges(draft: Draft, { id }: Reservation, charges: readonly Payment[]): void {
  for (const payment of charges) {
    draft.payments.set(payment.paymentId, { reservationId: id, payment });
    draft.created.add(payment.paymentId);
  }
}

/** The part of the penalty that is paid already. */
export function settledIn(charges: readonly Payment[]): Minor {
  return sum(charges, ({ status, amount }) => (status === 'COMPLETED' ? amount : 0));
}

/** Whether a payment is the one that collects the penalty. */
export function isCollecting({ cancellation }: Reservation, { paymentId }: Payment): boolean {
  return cancellation?.owed?.paymentId === paymentId;
}

/** Applies the result of a penalty charge: retained, or still owed until the card is tried again. */
export function endCollecting(
  draft: Draft,
  before: Reservation,
  ended: Payment,
  { now: at, subject: by }: DecisionContext,
): Reservation {
  const next = putPayments(draft, before, ended);
  // An attempt that never reached the provider is no try.
  if (ended.status === 'CANCELLED') return next;
  if (ended.status !== 'COMPLETED') return transition(draft, next, 'missPenalty', { at, by });
  const { owed, ...ending } = next.cancellation!;
  // What was waived in the meantime is not retained, so it can be refunded.
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
        // Revenue of a business day never changes afterwards.
        ...(isLater && { waived: [...(ending.waived ?? []), { day: draft.today, amount: negated(amount) }] }),
      },
    },
  );
}
