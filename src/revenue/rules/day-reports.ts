import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { endOfBusinessDay, type Instant, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { type TaxedRevenue, taxedTogether } from '../../money/rules/revenue-by-tax.ts';
import type { CancelReason, ReservationStatus } from '../../stay/rules/reservation.ts';
import type { OtbOfDay } from './night-audit.ts';

/** A business date with its first instant and the first one after it (docs/reference/api.md#dates-and-times). */
export type BusinessDay = { date: Day; from: Instant; to: Instant };

export function businessDay(date: Day, clock: PropertyClock): BusinessDay {
  return { date, from: endOfBusinessDay(date - 1, clock), to: endOfBusinessDay(date, clock) };
}

/** Lists of stays that a hotel prints each morning (docs/concepts/night-audit.md#reports-of-a-day). */
export const STAY_REPORTS = [
  'arrivals',
  'departures',
  'in-house',
  'no-shows',
  'cancellations',
  'balances',
  'deposits',
] as const;
export type StayReport = (typeof STAY_REPORTS)[number];

/** A line of such a list. */
export type ReportedStay = {
  reservationId: ReservationId;
  confirmationNumber: string;
  guestName: string;
  status: ReservationStatus;
  roomType: string | null;
  roomNumber: string | null;
  checkIn: Day;
  checkOut: Day;
  adults: number;
  children: number;
  specialRequests: string[];
  total: Minor;
  paid: Minor;
  balance: Minor;
  /** Retained from a cancelled stay or a no-show; 0 for any other. */
  penalty: Minor;
  reason: CancelReason | null;
  cancelledAt: Instant | null;
};

/** Totals of the whole list, regardless of pages. */
export type StayTotals = { stays: number; total: Minor; paid: Minor; balance: Minor; penalty: Minor };

/** Groups of revenue; CORRECTION was posted on this date for earlier ones. */
export const REVENUE_GROUPS = ['ROOM', 'FEE', 'EXTRA', 'PENALTY', 'CORRECTION'] as const;
type RevenueGroup = (typeof REVENUE_GROUPS)[number];

/** A tax of a revenue line; `net` is the amount that it is charged on. */
type RevenueTax = { code: string; net: Minor; tax: Minor };

/**
 * Revenue of a group, for rooms by type, with its tax. Extras are gross, as on the bill: only `taxLines` has the taxes
 * in them.
 */
export type RevenueLine = {
  group: RevenueGroup;
  roomType: string | null;
  net: Minor;
  taxes: Minor;
  gross: Minor;
  taxLines: RevenueTax[];
};

/** Revenue of a business date by group, and its sum, from the same figures as the night audit. */
export function revenueLines(books: OtbOfDay): {
  lines: RevenueLine[];
  sum: Omit<RevenueLine, 'group' | 'roomType'>;
} {
  const { sold, charges, chargeTaxes = 0, penalties, byTax = [], late = [] } = books;
  const line = (
    group: RevenueGroup,
    [net, taxes]: [Minor, Minor],
    taxed: readonly TaxedRevenue[] = byTax.filter((one) => one.group === group),
    roomType: string | null = null,
  ): RevenueLine => ({ group, roomType, net, taxes, gross: net + taxes, taxLines: taxesOf(taxed) });
  const fees = sum(sold, (one) => one.fees);
  const lines = [
    ...sold.map(({ roomType, revenue, taxes, byTax: ofType }) => line('ROOM', [revenue, taxes], ofType, roomType)),
    line('FEE', [fees, 0]),
    line('EXTRA', [charges, chargeTaxes]),
    line('PENALTY', [penalties.revenue, penalties.taxes]),
    ...late.map((one) => line('CORRECTION', [one.rooms + one.extras + one.penalties, one.taxes], one.byTax ?? [])),
  ];
  return {
    lines,
    sum: {
      net: sum(lines, ({ net }) => net),
      taxes: sum(lines, ({ taxes }) => taxes),
      gross: sum(lines, ({ gross }) => gross),
      taxLines: taxesOf(lines.flatMap(({ taxLines }) => taxLines)),
    },
  };
}

/** One line for each tax, whatever it is on. */
function taxesOf(taxed: readonly RevenueTax[]): RevenueTax[] {
  const all = taxed.map(({ code, net, tax }): TaxedRevenue => ({ group: 'ROOM', code, net, tax }));
  return taxedTogether(all).map(({ code, net, tax }) => ({ code, net, tax }));
}
