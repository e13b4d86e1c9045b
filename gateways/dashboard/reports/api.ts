import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { revenueReportAnswer, stayReportAnswer } from '../../../src/revenue/contracts/day-reports.ts';
import type { housekeepingReportAnswer } from '../../../src/rooms/contracts/housekeeping-report.ts';
import { ask, readCsv, type SignedAccess } from '../api.ts';

/** Reports in the order of a morning. */
export const REPORT_NAMES = [
  'arrivals',
  'departures',
  'in-house',
  'no-shows',
  'cancellations',
  'balances',
  'deposits',
  'revenue',
  'housekeeping',
] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

type DayReport = WireOf<typeof stayReportAnswer> | WireOf<typeof revenueReportAnswer>;
type MinutesReport = WireOf<typeof housekeepingReportAnswer>;

/** A tax of a line of revenue. */
export type TaxRow = WireOf<typeof revenueReportAnswer>['totals']['taxLines'][number];

/** A line of a report by its columns: a stay, or revenue. */
export type ReportLine = Partial<Record<string, string | number | string[] | TaxRow[] | null>>;
/** A report with any columns: the page draws those that it has. */
export type ReportView = Omit<DayReport, 'report' | 'totals' | 'items' | 'otherCurrencies'> & {
  report: ReportName;
  totals: ReportLine;
  items: ReportLine[];
  otherCurrencies: CurrencyPart[];
  nextCursor?: string | null;
};

/** Totals in another currency; lines of revenue are with them, stays are in the list itself. */
type CurrencyPart = { currency: string; totals: ReportLine; items?: ReportLine[] };

/** Each answer is such a report: the compiler checks it here. Minutes have no money, and are shown for one date. */
function viewOf(report: ReportName, body: unknown): ReportView {
  if (report !== 'housekeeping') return body as DayReport;
  const minutes = body as MinutesReport;
  return { ...minutes, date: minutes.from, currency: '', otherCurrencies: [] };
}

/** Selection of a report; the business date by default. */
type ReportChoice = { propertyId: string; report: ReportName; date: string };

/** Pages shown; the file has more. */
const MAX_PAGES = 5;

function pathOf({ propertyId, report, date }: ReportChoice, more: Record<string, string> = {}): string {
  const day = report === 'housekeeping' ? 'from' : 'date';
  const query = new URLSearchParams({ propertyId, ...(date !== '' && { [day]: date }), ...more });
  return `/api/v1/reports/${report}?${query.toString()}`;
}

/** Whether a report has no pages, and no stays that go on changing. */
export const isWhole = (report: ReportName): boolean => report === 'revenue' || report === 'housekeeping';

/** A report with its first thousand lines. @throws ApiError */
export async function fetchReport(access: SignedAccess, choice: ReportChoice): Promise<ReportView> {
  const { report } = choice;
  const limit: Record<string, string> = isWhole(report) ? {} : { limit: '200' };
  const first = viewOf(report, (await ask(access, 'reservation', pathOf(choice, limit))).body);
  let { nextCursor } = first;
  for (let page = 1; page < MAX_PAGES && nextCursor; page++) {
    // The date of the first page, in case the business day ends in the meantime.
    const path = pathOf({ ...choice, date: first.date }, { ...limit, cursor: nextCursor });
    const next = viewOf(report, (await ask(access, 'reservation', path)).body);
    first.items.push(...next.items);
    nextCursor = next.nextCursor;
  }
  return { ...first, nextCursor };
}

/** The whole report as CSV. @throws ApiError */
export async function fetchFile(access: SignedAccess, choice: ReportChoice): Promise<Blob> {
  const [path = '', query] = pathOf(choice, { format: 'csv' }).split('?');
  const parts = await readCsv(access, path, Object.fromEntries(new URLSearchParams(query)));
  return new Blob(parts, { type: 'text/csv' });
}
