import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import { payerOf } from '../../money/rules/folio-window.ts';
import { windowsOf } from '../../money/rules/postings.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { dueBy, guaranteeOf } from './guarantee.ts';
import type { Reservation } from './reservation.ts';

/** Attempts to charge a card on file for what is due, one a day (docs/concepts/money.md#charged-later). */
export const MOST_TRIES = 3;

/**
 * Means of collecting an amount that a guest has not paid: the account of a company or channel, or a card that the
 * provider has accepted; `undefined` when there is none.
 */
export function collectorOf(
  reservation: Pick<Reservation, 'guarantee' | 'companyId' | 'billing'>,
  policies: Policies,
): 'ACCOUNT' | 'CARD' | undefined {
  const { kind } = guaranteeOf(reservation, policies);
  if (kind === 'CHANNEL' || (kind === 'COMPANY' && reservation.companyId !== undefined)) return 'ACCOUNT';
  return reservation.billing?.isCardTaken && reservation.billing.card !== undefined ? 'CARD' : undefined;
}

/** Part of a penalty that the property receives: all of it where it can be collected, else what is paid. */
export function retainable(reservation: Reservation, policies: Policies, penalty: Minor): Minor {
  return collectorOf(reservation, policies) ? penalty : Math.min(reservation.paid, penalty);
}

/**
 * Amount that an account takes over from a bill: the balance of its window (docs/reference/folio.md#windows), which has
 * nights with their taxes and fees, retained parts of them, and what is routed to it. 0 without an account.
 */
export function owedByAccount(reservation: Reservation, policies: Policies, balance: Minor): Minor {
  if (balance <= 0 || collectorOf(reservation, policies) !== 'ACCOUNT') return 0;
  const payer = payerOf(reservation);
  const { expectedTotal = 0, paid = 0 } =
    windowsOf(reservation, reservation.stay.checkOut).find(({ window }) => window === payer) ?? {};
  return Math.min(balance, Math.max(0, expectedTotal - paid));
}

/** Calendar days since the last payment on which charging the card on file failed, or there was no card. */
export function failedDays({ payments }: Pick<Reservation, 'payments'>, timezone: string): ReadonlySet<Day> {
  const charges = payments.filter(({ type }) => type === 'CHARGE');
  const since = charges.findLastIndex(({ status }) => status === 'COMPLETED') + 1;
  const failed = charges
    .slice(since)
    .filter(({ status, method }) => status === 'FAILED' && (method === 'CARD_ON_FILE' || method === null));
  return new Set(failed.map(({ createdAt }) => localTime(createdAt, timezone).day));
}

/** Whether charging has already failed on the calendar day of `now`. */
export function hasFailedToday(days: ReadonlySet<Day>, now: Instant, timezone: string): boolean {
  return days.has(localTime(now, timezone).day);
}

/** Part of the price that changes have added and that is not due yet. */
export function deferredAt({ deferred }: Pick<Reservation, 'deferred'>, now: Instant): Minor {
  return deferred && now < deferred.until ? deferred.amount : 0;
}

/** Unpaid part of the instalments that are due by a day; amounts added by a change have a due date of their own. */
export function overdue(
  reservation: Reservation,
  total: Minor,
  policies: Policies,
  { today, now }: { today: Day; now: Instant },
): Minor {
  const guarantee = guaranteeOf(reservation, policies);
  if (guarantee.kind !== 'PREPAY') return 0;
  const due = dueBy(guarantee.schedule, total, reservation, today) - deferredAt(reservation, now);
  return Math.max(0, due - reservation.paid);
}
