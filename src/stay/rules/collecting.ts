import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { businessDate, type Instant, instantAt, localTime } from '../../kernel/rules/property-time.ts';
import { claimOf } from '../../money/rules/chargeback.ts';
import { underWay } from '../../money/rules/charges.ts';
import { openIn } from '../../money/rules/due.ts';
import { accountWindow, windowOfKind } from '../../money/rules/folio-window.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { windowsOf } from '../../money/rules/postings.ts';
import { balanceOfOthers, paidByOthers, paidBySharer } from '../../money/rules/shared-money.ts';
import type { Policies, PropertyMetadata } from '../../properties/rules/property.ts';
import { dueBy, guaranteeOf } from './guarantee.ts';
import type { Reservation } from './reservation.ts';

/** Attempts to charge a card on file for what is due, one a day (docs/concepts/money.md#charged-later). */
export const MAX_TRIES = 3;

/**
 * Means of collecting an amount that a guest has not paid: the account of a company or channel, where penalties are in
 * its window, or a card that the provider has accepted; `undefined` when there is none.
 */
export function collectorOf(
  reservation: Pick<Reservation, 'guarantee' | 'companyId' | 'billing' | 'routing'>,
  policies: Policies,
): 'ACCOUNT' | 'CARD' | undefined {
  const { kind } = guaranteeOf(reservation, policies);
  const isAccount = kind === 'CHANNEL' || (kind === 'COMPANY' && reservation.companyId !== undefined);
  const window = windowOfKind(reservation, 'PENALTY');
  if (isAccount && (window === 'COMPANY' || window === 'CHANNEL')) return 'ACCOUNT';
  return reservation.billing?.isCardTaken && reservation.billing.card !== undefined ? 'CARD' : undefined;
}

/**
 * Part of a penalty that the property receives: all of it where it can be collected, else what is paid or was charged
 * back, without what a sharer has paid.
 */
export function retainable(reservation: Reservation, policies: Policies, penalty: Minor): Minor {
  return collectorOf(reservation, policies) ? penalty : Math.min(paidByOthers(reservation), penalty);
}

/**
 * Amount that an account takes over from a bill: what is open in its window (docs/reference/folio.md#windows), which has
 * what is routed to it and, where the account guarantees the booking, nights with their taxes and fees and retained
 * parts of them. Others who have paid for that get it back, so it may exceed the balance by what they have paid. 0
 * without an account.
 * @param balance of all windows but the sharer's
 */
export function owedByAccount(reservation: Reservation, balance: Minor): Minor {
  const account = accountWindow(reservation);
  if (account === undefined) return 0;
  const windows = windowsOf(reservation, reservation.stay.checkOut);
  const { expectedTotal = 0, paid = 0 } = windows.find(({ window }) => window === account) ?? {};
  const paidBesides = reservation.paid - paidBySharer(reservation) - paid;
  return Math.max(0, Math.min(balance + paidBesides, expectedTotal - paid));
}

/** What an account took over with the check-out. */
export function takenOverAtCheckOut({ payments, timeline }: Pick<Reservation, 'payments' | 'timeline'>): Minor {
  const left = timeline.findLast(({ event }) => event === 'CHECKED_OUT')?.timestamp;
  return payments
    .filter(({ type, method, createdAt }) => type === 'CHARGE' && method === 'INVOICE' && createdAt === left)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Charges that a provider has declined, or that nobody had a card for, since something was paid. */
function failures({ payments }: Pick<Reservation, 'payments'>): Payment[] {
  const charges = payments.filter(({ type }) => type === 'CHARGE');
  const since = charges.findLastIndex(({ status }) => status === 'COMPLETED') + 1;
  // An attempt that never reached the provider is CANCELLED: it is our fault, and no try of the guest.
  return charges
    .slice(since)
    .filter(({ status, method }) => status === 'FAILED' && (method === 'CARD_ON_FILE' || method === null));
}

/** Calendar days on which a card on file has failed to pay, or none was there, since something was paid. */
function failedDays(reservation: Pick<Reservation, 'payments'>, timezone: string): ReadonlySet<Day> {
  return new Set(failures(reservation).map(({ createdAt }) => localTime(createdAt, timezone).day));
}

/** When a card on file has last failed to pay, or none was there. */
export function lastFailedAt(reservation: Pick<Reservation, 'payments'>): Instant | undefined {
  return failures(reservation).at(-1)?.createdAt;
}

/** What is to be collected of a reservation without the guest. */
export type AmountDue = {
  of: 'PENALTY' | 'INSTALMENT';
  amount: Minor;
  /** Days that are left on which it is tried; with the last one that fails the stay is cancelled. */
  triesLeft: number;
  /** It has failed today already: it is tried again tomorrow. */
  hasFailedToday: boolean;
};

/** What a card on file is to pay at a moment, if anything (docs/concepts/money.md#charged-later). */
export function amountDue(
  reservation: Reservation,
  { policies, timezone }: Pick<PropertyMetadata, 'policies' | 'timezone'>,
  { today, now }: { today: Day; now: Instant },
): AmountDue | undefined {
  const { owed } = reservation.cancellation ?? {};
  const days = failedDays(reservation, timezone);
  const tries = {
    triesLeft: Math.max(0, MAX_TRIES - days.size),
    hasFailedToday: days.has(localTime(now, timezone).day),
  };
  if (owed) return { of: 'PENALTY', amount: owed.amount, ...tries };
  if (reservation.status !== 'CONFIRMED') return undefined;
  const amount = overdue(reservation, folioTotals(reservation).total, policies, { today, now });
  return amount > 0 ? { of: 'INSTALMENT', amount, ...tries } : undefined;
}

/** Part of the price that changes have added and that is not due yet. */
export function deferredAt({ deferred }: Pick<Reservation, 'deferred'>, now: Instant): Minor {
  return deferred && now < deferred.until ? deferred.amount : 0;
}

/**
 * Unpaid part of the instalments that are due by a day; amounts added by a change have a due date of their own, and
 * until then the instalments are those of the price without them. A charged-back amount is not charged again
 * automatically, and no card pays what is expected in the window SHARER (docs/reference/sharers.md#payment).
 */
export function overdue(
  reservation: Reservation,
  total: Minor,
  policies: Policies,
  { today, now }: { today: Day; now: Instant },
): Minor {
  const guarantee = guaranteeOf(reservation, policies);
  if (guarantee.kind !== 'PREPAY') return 0;
  const deferred = deferredAt(reservation, now);
  const due = dueBy(guarantee.schedule, total - deferred, reservation, today);
  const unpaid = due - reservation.paid - claimOf(reservation);
  return Math.max(0, reservation.sharer ? Math.min(unpaid, balanceOfOthers(reservation) - deferred) : unpaid);
}

/** What is still to be paid of a confirmed stay: what is collected before its arrival, and the rest. */
type PaymentsAhead = { collected: { day: Day; amount: Minor }[]; rest: Minor };

/**
 * What the daily job will collect of a guest until the arrival, as the stay is now, and what is left for the property to
 * ask for. Each run is decided as it will be then, so that a date added by a change and the hour of the job count.
 */
export function paymentsAhead(
  reservation: Reservation,
  { timezone, checkInTime, policies }: Pick<PropertyMetadata, 'timezone' | 'checkInTime' | 'policies'>,
  now: Instant,
): PaymentsAhead {
  const { nightAuditHour, autoAssignHour } = policies;
  const dateAt = (at: Instant): Day => businessDate(at, { timezone, nightAuditHour });
  const { checkIn } = reservation.stay;
  const arrival = instantAt(checkIn, checkInTime, timezone);
  const { total } = folioTotals(reservation);
  let rest = Math.max(0, openIn(reservation, 'GUEST', dateAt(now)));
  let paid = reservation.paid + underWay(reservation.payments);
  const collected: PaymentsAhead['collected'] = [];
  for (let { day } = localTime(now, timezone); reservation.status === 'CONFIRMED' && day <= checkIn; day++) {
    const at = instantAt(day, `${String(autoAssignHour).padStart(2, '0')}:00`, timezone);
    if (at < now || at >= arrival) continue;
    const due = overdue({ ...reservation, paid }, total, policies, { today: dateAt(at), now: at });
    const amount = Math.min(due, rest);
    if (amount <= 0) continue;
    collected.push({ day, amount });
    paid += amount;
    rest -= amount;
  }
  return { collected, rest };
}
