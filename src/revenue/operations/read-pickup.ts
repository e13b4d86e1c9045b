import type { PickupQuery } from '../../history/contracts/history.ts';
import { beforeTheJournal, gridAt, mustHaveCome, type Rebuilt } from '../../history/operations/rebuild-grid.ts';
import { PastGrid } from '../../history/rules/past-grid.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { comparedOtb, type ComparedOtb } from '../rules/pickup.ts';

const DAY_MS = 86_400_000;

export type PickupReport = ComparedOtb & {
  asOf: Instant;
  comparedTo: Instant;
  /** At the later instant. */
  seq: number;
};

/**
 * Pickup of the last days by stay date and room type. On the books are booked rooms; held ones may still be released.
 * Nights are those that can be booked at the later instant; a property that did not exist at the earlier one had
 * nothing on its books.
 * @throws DomainError VALIDATION_FAILED for an instant in the future, INSUFFICIENT_DATA when the journal begins later
 */
export async function readPickup(
  services: Services,
  caller: Caller,
  propertyId: PropertyId,
  query: PickupQuery,
): Promise<PickupReport> {
  const to: Address = { tenantId: caller.tenantId, propertyId };
  const view = await services.properties.view(to);
  const asOf = query.asOf ?? services.clock.now();
  mustHaveCome(services, asOf);
  const comparedTo = asOf - query.days * DAY_MS;
  const [now, before] = await services.archive.read(to, async (journal) => [
    query.asOf === undefined ? undefined : await gridAt(services, journal, asOf),
    await gridAt(services, journal, comparedTo),
  ]);
  if (query.asOf !== undefined && !now) throw beforeTheJournal();
  const cellsOf = (was: Rebuilt | undefined): GridCell[] =>
    new PastGrid(was?.grid).cells(query.start_date, query.end_date);
  const later = now ? cellsOf(now) : view.grid(query.start_date, query.end_date);
  return { asOf, comparedTo, ...comparedOtb(later, cellsOf(before)), seq: now?.seq ?? view.seq };
}
