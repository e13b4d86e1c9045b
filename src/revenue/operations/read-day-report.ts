import { rowsSoFar } from '../../history/operations/rows-of-date.ts';
import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { StayReportQuery } from '../contracts/day-reports.ts';
import type { ListedDay } from '../ports.ts';
import {
  businessDay,
  type ReportedStay,
  revenueByCurrency,
  type RevenueIn,
  type RevenueLine,
  STAY_REPORTS,
  type StayReport,
  type StayTotals,
  type TotalsIn,
  totalsOfList,
} from '../rules/day-reports.ts';

type Reading = Pick<Services, 'properties' | 'dayReports' | 'signed' | 'clock'>;

/** Property, date and creation time of a report. */
export type ReportHead = {
  propertyId: PropertyId;
  date: Day;
  businessDate: Day;
  currency: string;
  createdAt: Instant;
  seq: number;
};
export type StayList = ReportHead & {
  report: StayReport;
  totals: StayTotals;
  /** Totals of stays in other currencies than that of the property. */
  otherCurrencies: TotalsIn[];
  items: ReportedStay[];
};
export type RevenueOfDay = ReportHead & {
  totals: RevenueIn['sum'];
  items: RevenueLine[];
  otherCurrencies: RevenueIn[];
};

/** Reads a page of a list of stays. @throws DomainError REPORT_NOT_FOUND, PROPERTY_NOT_FOUND, VALIDATION_FAILED */
export async function readStayReport(
  services: Reading,
  { tenantId }: Pick<Caller, 'tenantId'>,
  report: string,
  { propertyId, date, cursor, limit }: Pick<StayReportQuery, 'propertyId' | 'date' | 'cursor'> & { limit: number },
): Promise<StayList & { nextCursor?: string }> {
  const known = STAY_REPORTS.find((name) => name === report);
  if (known === undefined) throw new DomainError('REPORT_NOT_FOUND', 'There is no such report.');
  const to = { tenantId, propertyId };
  const { head, day } = await headOf(services, to, date);
  const bound = `${report} ${propertyId} ${day.date}`;
  const after = cursor === undefined ? undefined : (openCursor(services.signed, cursor, bound) as string);
  const { items, totals, next } = await services.dayReports(to, known, day, limit, after);
  const nextCursor = next === undefined ? undefined : signCursor(services.signed, next, bound);
  return { ...head, report: known, ...totalsOfList(totals, head.currency), items, nextCursor };
}

/**
 * Reads revenue of a business date by group and tax; for the current date so far. @throws DomainError
 * PROPERTY_NOT_FOUND
 */
export async function readRevenueReport(
  services: Reading & Pick<Services, 'dayBooks' | 'archive' | 'analytics'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { propertyId, date }: Pick<StayReportQuery, 'propertyId' | 'date'>,
): Promise<RevenueOfDay> {
  const to = { tenantId, propertyId };
  const { head, day } = await headOf(services, to, date);
  const { setup } = await services.properties.view(to);
  const clock = clockOf(setup.property);
  const rows = await services.archive.read(to, (journal) => rowsSoFar(journal, day.date, clock));
  const { items } = await services.analytics.list(tenantId, { propertyId, from: day.date, to: day.date }, 1);
  // The property may have changed its currency since the date was closed.
  const currency = items[0]?.content.currency ?? head.currency;
  const { books } = await services.dayBooks(to, rows, [day.date], currency);
  const [own, ...otherCurrencies] = revenueByCurrency(books[0]!, currency);
  return { ...head, currency, totals: own.sum, items: own.lines, otherCurrencies };
}

async function headOf(
  { properties, clock }: Reading,
  to: Address,
  wished?: Day,
): Promise<{ head: ReportHead; day: ListedDay }> {
  const { businessDate, currency, seq, setup } = await properties.view(to);
  const { timezone, policies } = setup.property.metadata;
  const { nightAuditHour } = policies;
  const date = wished ?? businessDate;
  const head = { propertyId: to.propertyId, date, businessDate, currency, createdAt: clock.now(), seq };
  return { head, day: { ...businessDay(date, { timezone, nightAuditHour }), businessDate } };
}
