import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { endOfBusinessDay, type Instant, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { type TaxedRevenue, taxedTogether } from '../../money/rules/revenue-by-tax.ts';
import type { CancelReason, ReservationStatus } from '../../stay/rules/reservation.ts';
import type { OtbMoney, OtbOfDay } from './night-audit.ts';

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
  /** The hotel to which the guest was sent. */
  walkedTo: string | null;
  /** What the property owes a guest who was sent away. */
  compensation: Minor | null;
  /** Currency of its amounts: that in which the stay was sold. */
  currency: string;
};

/** Totals of the whole list, regardless of pages. */
export type StayTotals = { stays: number; total: Minor; paid: Minor; balance: Minor; penalty: Minor };
/** Totals of the stays of a list that were sold in one currency. */
export type TotalsIn = StayTotals & { currency: string };

/**
 * Totals of a list: all stays, with the amounts of those in the currency of the property. Amounts of different
 * currencies are never added.
 */
export function totalsOfList(
  totals: readonly TotalsIn[],
  currency: string,
): { totals: StayTotals; otherCurrencies: TotalsIn[] } {
  const { total = 0, paid = 0, balance = 0, penalty = 0 } = totals.find((one) => one.currency === currency) ?? {};
  return {
    totals: { stays: sum(totals, ({ stays }) => stays), total, paid, balance, penalty },
    otherCurrencies: totals.filter((one) => one.currency !== currency),
  };
}

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

/** Lines of revenue in one currency, and their sum. */
export type RevenueIn = { currency: string; lines: RevenueLine[]; sum: Omit<RevenueLine, 'group' | 'roomType'> };

/**
 * Revenue of a business date by group, and its sum, from the same figures as the night audit: in the currency of the
 * report, then in each other one that was earned in.
 */
export function revenueByCurrency(
  { others = [], ...books }: OtbOfDay,
  currency: string,
): [RevenueIn, ...RevenueIn[]] {
  const isEarned = ({ sum: total, lines }: RevenueIn): boolean =>
    total.gross !== 0 || lines.some(({ gross }) => gross !== 0);
  return [
    { currency, ...revenueLines(books) },
    ...others.map((other) => ({ currency: other.currency, ...revenueLines(other) })).filter(isEarned),
  ];
}

function revenueLines(books: OtbMoney): Omit<RevenueIn, 'currency'> {
  const { sold, charges, chargeTaxes = 0, penalties, byTax = [], late = [] } = books;
  const line = (
    group: RevenueGroup,
    [net, taxes]: [Minor, Minor],
    taxed: readonly TaxedRevenue[] = byTax.filter((one) => one.group === group),
    roomType: string | null = null,
  ): RevenueLine => ({ group, roomType, net, taxes, gross: net + taxes, taxLines: taxesOf(taxed) });
  const fees = sum(sold, (one) => one.fees);
  const lines = [
    ...sold
      .filter(({ rooms, otherCurrency = 0, revenue }) => rooms !== otherCurrency || revenue !== 0)
      .map(({ roomType, revenue, taxes, byTax: ofType }) => line('ROOM', [revenue, taxes], ofType, roomType)),
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
