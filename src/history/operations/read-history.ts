import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { CellHistoryQuery } from '../contracts/history.ts';
import type { CellChange } from '../rules/journal-fold.ts';
import { cellChangesOf } from './rebuild-grid.ts';

/** Ranges between two checkpoints that one page searches; then it returns where to continue. */
const MAX_STRETCHES = 8;

/**
 * Reads every change of a cell, newest first. A page searches the journal backwards, from one checkpoint to the one
 * before: it may have fewer items than requested, or none, and still a `nextCursor`.
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export async function readCellHistory(
  services: Services,
  caller: Caller,
  propertyId: PropertyId,
  { roomType, date, limit, cursor }: CellHistoryQuery,
): Promise<{ items: CellChange[]; nextCursor?: string; seq: number }> {
  const to = { tenantId: caller.tenantId, propertyId };
  const list = JSON.stringify([propertyId, roomType, date]);
  const from = cursor === undefined ? undefined : (openCursor(services.signed, cursor, list) as number);
  await services.properties.view(to);
  return services.archive.read(to, async (journal) => {
    const items: CellChange[] = [];
    let last = from ?? journal.seq;
    for (let n = 0; n < MAX_STRETCHES && last > 0 && items.length < limit; n++) {
      const start = await journal.checkpointBefore(last);
      const wanted = limit - items.length;
      const stretch = { start, to: last, watched: { roomType, day: date }, most: wanted + 1 };
      const changes = (await cellChangesOf(services, journal, stretch)).toReversed();
      items.push(...changes.slice(0, wanted));
      last = changes.length > wanted ? items.at(-1)!.seq - 1 : (start?.seq ?? 0);
    }
    return { items, nextCursor: last > 0 ? signCursor(services.signed, last, list) : undefined, seq: journal.seq };
  });
}
