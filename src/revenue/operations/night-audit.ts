import { gridAfter } from '../../history/operations/rebuild-grid.ts';
import { firstDate, rowsOfDate } from '../../history/operations/rows-of-date.ts';
import type { ArchivedJournal } from '../../history/ports.ts';
import { type GridSnapshot, PastGrid } from '../../history/rules/past-grid.ts';
import { idFrom } from '../../kernel/operations/id-from.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { marksByClock } from '../../stay/rules/arrival.ts';
import { type AuditedDay, type Coverage, metricsOf, auditNight as auditOf } from '../rules/night-audit.ts';

type Auditing = Pick<Services, 'properties' | 'archive' | 'computer' | 'dayBooks' | 'analytics' | 'clock'>;

/** Later than any night. */
const LAST_DAY: Day = 100_000;
/** Audits of one property that one call makes at most; others of its tenant wait meanwhile. */
const MOST_AT_ONCE = 31;
/** How far back audits that nobody has made are made. */
const MOST_DAYS_BACK = 366;

/** The grid after the row `seq`. */
type GridAt = { seq: number; grid: GridSnapshot };
/** A date as the journal has it. Dates that were passed over share the grid of the one before. */
type ReadDay = { day: AuditedDay; before?: GridAt; after?: GridAt };

/**
 * Closes the business date that ended at the roll to `rolled`: its report and figures
 * (docs/concepts/night-audit.md#night-audit). Dates before it that have none are closed first, in order. An audit is
 * made once and never changes: what is posted later belongs to a later one.
 *
 * @returns whether it is made; where so many dates are missing that some are left, it is not yet
 * @throws Error while commands of the day may be under way, and while no-shows are not marked
 */
export async function nightAudit(services: Auditing, to: Address, rolled: Day): Promise<boolean> {
  const { tenantId, propertyId } = to;
  const view = await services.properties.view(to);
  if (view.businessDate < rolled) throw new Error('the business date has not rolled yet');
  const date = rolled - 1;
  const { items } = await services.analytics.list(tenantId, { propertyId, to: date }, 1);
  const newest = items[0];
  if (newest?.content.date === date) return true;
  const first = newest ? newest.content.date + 1 : await services.archive.read(to, firstDate);
  const next = Math.max(first ?? date, date - MOST_DAYS_BACK);
  const last = Math.min(date, next + MOST_AT_ONCE - 1);
  const covers = next - 1 === newest?.content.date ? newest.covers : undefined;
  const days = await services.archive.read(to, (journal) =>
    readDays(services, journal, { view, next, last, covers }),
  );
  for (const day of days) await closeDate(services, to, view, day);
  return last === date;
}

type Missing = { view: PropertyView; next: Day; last: Day; covers: Coverage | undefined };

/** Dates on which the property was not there are left out. */
async function readDays(
  services: Auditing,
  journal: ArchivedJournal,
  { view, next, last, covers }: Missing,
): Promise<ReadDay[]> {
  const clock = clockOf(view.setup.property);
  const days: ReadDay[] = [];
  // Of a history that was rewound nothing is known any more.
  let behind = covers && covers.to <= journal.seq ? covers.to : undefined;
  for (let date = next; date <= last; date++) {
    const rows = await rowsOfDate(journal, date, clock, behind);
    if (!rows) continue;
    const before = await gridOf(services, journal, rows.after, days.at(-1)?.after);
    const after = await gridOf(services, journal, rows.to, before);
    days.push({ day: { ...rows, date }, before, after });
    behind = rows.to;
  }
  return days;
}

async function closeDate(services: Auditing, to: Address, view: PropertyView, read: ReadDay): Promise<void> {
  const { day, before, after } = read;
  const { date } = day;
  const { seen, ...books } = await services.dayBooks.read(to, day);
  // Those who are left to the desk may be marked days later, and count on that day.
  const reading = { now: services.clock.now(), putForwardAt: services.clock.putForwardAt };
  const roll = endOfBusinessDay(date, clockOf(view.setup.property));
  if (books.due.awaited > 0 && marksByClock(roll, reading))
    throw new Error('guests who did not come are not marked yet');
  const cells = cellsOf(after, date);
  const grids = { after: cells, before: before === after ? cells : cellsOf(before, date) };
  const content = auditOf(date, view.setup.property.metadata.currency, books, grids);
  const id = idFrom([to.tenantId, to.propertyId, 'NIGHT_AUDIT', date]);
  const covers = { after: day.after, to: day.to, seen };
  await services.analytics.keep(to, { id, content, covers, metrics: metricsOf(content) });
}

/** @param near a grid that it may be made from */
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

/** A property that nobody used has not rolled to the date: its window moves as it does when it is used again. */
function cellsOf(was: GridAt | undefined, date: Day): GridCell[] {
  const grid = new PastGrid(was?.grid);
  if ((was?.grid.house?.today ?? date) < date) grid.apply(0, { businessDate: date });
  return grid.cells(date, LAST_DAY);
}
