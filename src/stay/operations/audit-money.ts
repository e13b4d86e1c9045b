import { letOthersRun } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { billOf } from '../../money/rules/folio.ts';
import { moneyFault } from '../../money/rules/money-fault.ts';
import type { AuditedReservation, MoneyAuditPosition } from '../ports.ts';
import { isUnfinished } from '../rules/reservation-states.ts';
import type { Reservation } from '../rules/reservation.ts';

/** Reservations of one step: between two steps other requests are answered. */
const AT_ONCE = 250;

/** Violations that are listed; all are counted. */
const MAX_LISTED = 100;

/** What an audit of the money of a property has found (docs/reference/set-up.md#audit). */
export type MoneyAudit = {
  reservationsChecked: number;
  invoicesChecked: number;
  violationCount: number;
  violations: { reservationId?: string; what: string }[];
};

/**
 * Checks the money of every reservation of a property as it is stored: postings, windows and invoices sum to the total,
 * what is paid equals the payments, stored totals equal computed ones; and that no number of an invoice is missing.
 * Reads step by step, so that sales go on.
 */
export async function auditMoney({ moneyAudit }: Pick<Services, 'moneyAudit'>, to: Address): Promise<MoneyAudit> {
  const { documents, gaps } = await moneyAudit.numbers(to);
  const audit: MoneyAudit = {
    reservationsChecked: 0,
    invoicesChecked: documents,
    violationCount: 0,
    violations: [],
  };
  const violated = (what: string, reservationId?: string): void => {
    audit.violationCount += 1;
    if (audit.violations.length < MAX_LISTED)
      audit.violations.push({ ...(reservationId !== undefined && { reservationId }), what });
  };
  for (const { kind, year, missing } of gaps) violated(`${missing} numbers of ${kind} in ${year} are missing`);
  let after: MoneyAuditPosition | undefined;
  do {
    const page = await moneyAudit.page(to, AT_ONCE, after);
    for (const one of page.items) {
      audit.reservationsChecked += 1;
      const wrong = faultOf(one);
      if (wrong !== undefined) violated(wrong, one.id);
    }
    after = page.next;
    await letOthersRun();
  } while (after);
  return audit;
}

function faultOf({ read, stored }: AuditedReservation): string | undefined {
  if ('unreadable' in read) return `cannot be read: ${read.unreadable}`;
  const { reservation } = read;
  const wrong = faultOfLines(reservation);
  // Columns of stays that ended under an earlier release follow with their next change.
  if (wrong !== undefined || !isUnfinished(reservation.status)) return wrong;
  const { total, balance } = billOf(reservation);
  if (stored.total === total && stored.balance === balance) return undefined;
  return `its row says a total of ${stored.total} and a balance of ${stored.balance}, its lines ${total} and ${balance}`;
}

/** A row that misses members that every reservation has fails its checks. */
function faultOfLines(reservation: Reservation): string | undefined {
  try {
    return moneyFault(reservation);
  } catch (error) {
    return `cannot be added up: ${String(error)}`;
  }
}
