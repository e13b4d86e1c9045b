import type { LiveView } from '../../../src/kernel/property-actors.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { JournalEntry } from '../../../src/kernel/rules/journal.ts';
import type { LiveChange } from '../change.ts';
import { feedOf } from '../feed.ts';
import type { LiveProjection } from '../live-projection.ts';
import { cellFrame, cellText, marketOf, marketText, reshapes, roomsOf } from '../texts.ts';

/**
 * Changes from before the property was followed, for reconnecting clients: the longest unbroken run of entries that
 * ends at the view. Figures of a night are known for the present only, so just its newest change carries them;
 * applying the run gives exactly the present.
 *
 * @param maxCells bound of the run
 */
export function historyOf(
  entries: readonly JournalEntry[],
  view: LiveView,
  projection: LiveProjection,
  maxCells: number,
): LiveChange[] {
  let cellsLeft = maxCells;
  const seen = new Set<Day>();
  const changes: LiveChange[] = [];
  let expected = view.seq;
  for (const entry of entries.toReversed()) {
    if (entry.seq > view.seq) continue;
    const { facts } = entry;
    // A roll of the business date moves the window, which patches cannot express.
    if (entry.seq !== expected || facts.businessDate !== undefined || reshapes(entry)) break;
    cellsLeft -= (facts.cells?.length ?? 0) + (facts.market?.length ?? 0);
    if (cellsLeft < 0) break;
    const cells = (facts.cells ?? []).map(cellFrame);
    const booked = (facts.books ?? []).map(([day]) => day);
    const days = new Set([...cells.map(({ day }) => day), ...booked]).difference(seen);
    for (const day of days) seen.add(day);
    changes.push({
      from: entry.seq,
      to: entry.seq,
      at: entry.at,
      cause: { type: entry.type, id: entry.entity },
      grid: cells.map((cell) => ({ roomType: cell.roomType, day: cell.day, text: cellText(cell, view.currency) })),
      kpi: projection.kpi(days),
      rooms: roomsOf(facts),
      competitors: marketOf(facts).map(marketText),
      feed: feedOf(entry),
    });
    expected -= 1;
  }
  return changes.toReversed();
}
