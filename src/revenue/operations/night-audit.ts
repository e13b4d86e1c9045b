import { gridAfter } from '../../history/operations/rebuild-grid.ts';
import { firstDate, rowsOfDate } from '../../history/operations/rows-of-date.ts';
import type { ArchivedJournal } from '../../history/ports.ts';
import { type GridSnapshot, PastGrid } from '../../history/rules/past-grid.ts';
import type { RowsOfDate } from '../../history/rules/rows-of-date.ts';
import { idFrom } from '../../kernel/operations/id-from.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { marksByClock } from '../../stay/rules/arrival.ts';
import { type Coverage, metricsOf, auditNight as auditOf, type OtbOfDay } from '../rules/night-audit.ts';

type Auditing = Pick<Services, 'properties' | 'archive' | 'computer' | 'dayBooks' | 'analytics' | 'clock'>;

/** Later than any night. */
const LAST_DAY: Day = 100_000;
/** Maximum of audits of one property in one call, while other properties of its tenant wait. */
const MAX_AT_ONCE = 31;
/** Age limit of missing audits that are still made. */
const MAX_DAYS_BACK = 366;

/** Grid after the row `seq`; `rolled` is the same at a later date, which only grows. */
type GridAt = { seq: number; grid: GridSnapshot; rolled?: PastGrid };
/** A date in the journal, or several consecutive ones without rows. */
type ReadDates = { rows: RowsOfDate; dates: Day[]; before?: GridAt; after?: GridAt };

/**
 * Closes the business date that ended at the roll to `rolled`: its report and figures
 * (docs/concepts/night-audit.md#night-audit). Earlier dates without an audit are closed first, in order. An audit is
 * made once and never changes: later postings belong to a later one.
 * @param settle marks no-shows and posts overstays; called before a date is closed without some of them
 * @returns whether it is made; false when many missing dates are left for the next call
 * @throws Error while commands of the day may be in progress, and for an hour while no-shows are not marked or
 * overstays not posted; then the date is closed without them, and the audit names them
 */
export async function nightAudit(
  services: Auditing,
  to: Address,
  rolled: Day,
  settle: () => Promise<unknown> = async () => undefined,
): Promise<boolean> {
  const { tenantId, propertyId } = to;
  const view = await services.properties.view(to);
  if (view.businessDate < rolled) throw new Error('the business date has not rolled yet');
  const date = rolled - 1;
  const { items } = await services.analytics.list(tenantId, { propertyId, to: date }, 1);
  const newest = items[0];
  if (newest?.content.date === date) return true;
  const first = newest ? newest.content.date + 1 : await services.archive.read(to, firstDate);
  const next = Math.max(first ?? date, date - MAX_DAYS_BACK);
  const last = Math.min(date, next + MAX_AT_ONCE - 1);
  const covers = next - 1 === newest?.content.date ? newest.covers : undefined;
  const read = await services.archive.read(to, (journal) =>
    readDates(services, journal, { view, next, last, covers }),
  );
  let settled: Promise<unknown> | undefined;
  const settleOnce = (): Promise<unknown> => (settled ??= settle());
  for (const dates of read) await closeDates(services, to, { view, settleOnce }, dates);
  return last === date;
}

type Missing = { view: PropertyView; next: Day; last: Day; covers: Coverage | undefined };

/** Dates before the property existed are left out. */
async function readDates(
  services: Auditing,
  journal: ArchivedJournal,
  { view, next, last, covers }: Missing,
): Promise<ReadDates[]> {
  const clock = clockOf(view.setup.property);
  const read: ReadDates[] = [];
  // After a restore the covered range is unknown.
  let behind = covers && covers.to <= journal.seq ? covers.to : undefined;
  for (let date = next; date <= last; date++) {
    const found = await rowsOfDate(journal, date, clock, behind);
    if (!found) continue;
    const { reached, ...rows } = found;
    const before = await gridOf(services, journal, rows.after, read.at(-1)?.after);
    const after = await gridOf(services, journal, rows.to, before);
    read.push({ rows, dates: [date], before, after });
    behind = rows.to;
    const passed = daysBetween(date + 1, Math.min(reached - 1, last));
    if (passed.length === 0) continue;
    const { to, until } = rows;
    read.push({ rows: { after: to, to, from: until, until }, dates: passed, before: after, after });
    date = passed.at(-1)!;
  }
  return read;
}

const daysBetween = (first: Day, last: Day): Day[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);

type Closing = { view: PropertyView; settleOnce: () => Promise<unknown> };

async function closeDates(
  services: Auditing,
  to: Address,
  { view, settleOnce }: Closing,
  { rows, dates, before, after }: ReadDates,
): Promise<void> {
  // The property may have changed its currency since.
  const currency = after?.grid.house?.currency ?? view.setup.property.metadata.currency;
  // Guests that are left to the desk may be marked days later, and count on that day; so does what a fault leaves out.
  const reading = { now: services.clock.now(), putForwardAt: services.clock.putForwardAt };
  const clock = clockOf(view.setup.property);
  const isLeftOut = ({ due }: OtbOfDay): boolean => due.overstayed > 0 || due.awaited > 0;
  const mayWait = (index: number): boolean => marksByClock(endOfBusinessDay(dates[index]!, clock), reading);
  let { seen, books } = await services.dayBooks(to, rows, dates, currency);
  if (books.some((ofDate, index) => isLeftOut(ofDate) && !mayWait(index))) {
    await settleOnce();
    ({ seen, books } = await services.dayBooks(to, rows, dates, currency));
  }
  const covers = { after: rows.after, to: rows.to, seen };
  const waiting = books.findIndex((ofDate, index) => isLeftOut(ofDate) && mayWait(index));
  const reports = books.slice(0, waiting === -1 ? books.length : waiting).map((ofDate, index) => {
    const date = dates[index]!;
    // On dates without rows nothing has changed: their own night is enough.
    const last = before === after ? date : LAST_DAY;
    const grids = { before: cellsOf(before, date, last), after: cellsOf(after, date, last) };
    const content = auditOf(date, currency, ofDate, grids);
    const id = idFrom([to.tenantId, to.propertyId, 'NIGHT_AUDIT', date]);
    return { id, content, covers, metrics: metricsOf(content) };
  });
  if (reports.length > 0) await services.analytics.store(to, ...reports);
  if (waiting !== -1)
    throw new Error('guests who did not come are not marked yet, or nights of those who did not leave not posted');
}

/** @param near a grid to start from */
async function gridOf(
  services: Auditing,
  journal: ArchivedJournal,
  seq: number,
  near: GridAt | undefined,
): Promise<GridAt | undefined> {
  if (seq === 0 || seq === near?.seq) return seq === 0 ? undefined : near;
  const checkpoint = await journal.checkpointBefore(seq + 1);
  const start = near && near.seq < seq && near.seq >= (checkpoint?.seq ?? 0) ? near : checkpoint;
  return { seq, grid: await gridAfter(services, journal, start, seq) };
}

/** A passive property has not rolled to the date: its window is moved as the next activation will do. */
function cellsOf(was: GridAt | undefined, date: Day, last: Day): GridCell[] {
  if (!was) return [];
  const grid = (was.rolled ??= new PastGrid(was.grid));
  if ((grid.property?.businessDate ?? date) < date) grid.apply(0, { businessDate: date });
  return grid.cells(date, last);
}
