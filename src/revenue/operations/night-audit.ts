import { gridAt, type Rebuilt } from '../../history/operations/rebuild-grid.ts';
import { PastGrid } from '../../history/rules/past-grid.ts';
import { idFrom } from '../../kernel/operations/id-from.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { businessDay, type DayGrids, metricsOf, auditNight as auditOf } from '../rules/night-audit.ts';

type Auditing = Pick<Services, 'properties' | 'archive' | 'computer' | 'dayBooks' | 'analytics'>;

/** Later than any night. */
const LAST_DAY: Day = 100_000;

/**
 * Closes the business date that ended at the roll to `rolled`: its report and figures
 * (docs/concepts/night-audit.md#night-audit). All it reads is over, so however often and late it runs, it makes the
 * same report, which takes the place of the earlier one. Only a payment that the provider reports after that would be
 * added.
 *
 * @throws Error while commands of the day may be under way, and while no-shows are not marked
 */
export async function nightAudit(services: Auditing, to: Address, rolled: Day): Promise<void> {
  const { businessDate, setup } = await services.properties.view(to);
  if (businessDate < rolled) throw new Error('the business date has not rolled yet');
  const { timezone, currency, policies } = setup.property.metadata;
  const { nightAuditHour } = policies;
  const day = businessDay(rolled - 1, { timezone, nightAuditHour });
  const [after, before] = await services.archive.read(to, async (journal) => [
    await gridAt(services, journal, day.to - 1),
    await gridAt(services, journal, day.from - 1),
  ]);
  if (!after) return;
  const books = await services.dayBooks.read(to, day);
  if (books.due.awaited > 0)
    throw new Error('guests who did not come are not marked yet, or nights of those who did not leave not posted');
  const grids: DayGrids = { after: cellsOf(after, day.date), before: cellsOf(before, day.date) };
  const content = auditOf(day.date, currency, books, grids);
  const id = idFrom([to.tenantId, to.propertyId, 'NIGHT_AUDIT', day.date]);
  await services.analytics.keep(to, { id, content, metrics: metricsOf(content) });
}

/** A passive property has not rolled to the date: its window moves as it does at activation. */
function cellsOf(was: Rebuilt | undefined, date: Day): GridCell[] {
  const grid = new PastGrid(was?.grid);
  if ((was?.grid.house?.today ?? date) < date) grid.apply(was!.at, { businessDate: date });
  return grid.cells(date, LAST_DAY);
}
