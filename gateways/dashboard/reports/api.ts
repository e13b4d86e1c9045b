import type { Minor } from '../../../src/kernel/rules/money.ts';
import { ApiError, ask, type SignedAccess } from '../api.ts';
import { answeredWith, UNREACHABLE } from '../messages.ts';

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
] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

/** A tax of a line of revenue. */
export type ReportTaxLine = { code: string; net: Minor; tax: Minor };

/** A line of a report as the service answers it. */
export type ReportLine = Record<string, string | number | string[] | ReportTaxLine[] | null>;
export type ReportView = {
  report: ReportName;
  date: string;
  businessDate: string;
  currency: string;
  createdAt: string;
  totals: Record<string, Minor>;
  items: ReportLine[];
  nextCursor?: string | null;
};

/** Selection of a report; the business date by default. */
export type ReportChoice = { propertyId: string; report: ReportName; date: string };

/** Pages shown; the file has more. */
const MOST_PAGES = 5;
const MOST_FILES = 20;

function pathOf({ propertyId, report, date }: ReportChoice, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ propertyId, ...(date !== '' && { date }), ...more });
  return `/api/v1/reports/${report}?${query.toString()}`;
}

/** A report with its first thousand lines. @throws ApiError */
export async function fetchReport(access: SignedAccess, choice: ReportChoice): Promise<ReportView> {
  const limit: Record<string, string> = choice.report === 'revenue' ? {} : { limit: '200' };
  const first = (await ask(access, 'reservation', pathOf(choice, limit))).body as ReportView;
  let { nextCursor } = first;
  for (let page = 1; page < MOST_PAGES && nextCursor; page++) {
    // The date of the first page, in case the business day ends in the meantime.
    const path = pathOf({ ...choice, date: first.date }, { ...limit, cursor: nextCursor });
    const next = (await ask(access, 'reservation', path)).body as ReportView;
    first.items.push(...next.items);
    nextCursor = next.nextCursor;
  }
  return { ...first, nextCursor };
}

/** The whole report as CSV. @throws ApiError */
export async function fetchFile({ config, user }: SignedAccess, choice: ReportChoice): Promise<Blob> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const path = pathOf(choice, { format: 'csv', ...(cursor !== null && { cursor }) });
    const headers = { authorization: `Bearer ${user.token}`, 'x-tenant-id': user.tenantId };
    const response = await fetch(config.reservationUrl + path, { credentials: 'omit', headers }).catch(() => null);
    if (!response) throw new ApiError('', UNREACHABLE);
    if (!response.ok) throw new ApiError('', answeredWith(response.status));
    const text = await response.text();
    // Each page of the file names its columns; one header is enough.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\r\n') + 2));
    cursor = response.headers.get('x-next-cursor');
  } while (cursor !== null && parts.length < MOST_FILES);
  return new Blob(parts, { type: 'text/csv' });
}
