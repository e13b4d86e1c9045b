import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { JournalPosition } from '../ports.ts';
import { beforeTheJournal, gridAfter, mustHaveCome, type Rebuilt } from './rebuild-grid.ts';

/** Bookings in the feed of a past moment, as many as a feed has. */
const RECENT_BOOKINGS = 50;

/** A past state of a property: all cells, rooms and books after the row `seq`, and the latest bookings. */
export type LookedBack = Rebuilt & { generation: number; recent: readonly JournalEntry[] };

/**
 * Rebuilds the property at an instant, for a dashboard that looks at the past (`seek`,
 * docs/concepts/live-stream.md#time-travel). A caller that steps from one instant to the next passes the previous
 * result, so that only the rows between are folded.
 * @throws DomainError VALIDATION_FAILED for an instant in the future, INSUFFICIENT_DATA for one before the property or
 * the retained journal began, NOT_EXECUTED when too many requests look back at once
 */
export async function lookBack(
  services: Pick<Services, 'archive' | 'computer' | 'clock'>,
  to: Address,
  asOf: Instant,
  before?: LookedBack,
): Promise<LookedBack> {
  mustHaveCome(services, asOf);
  const was = await services.archive.read(to, async (journal) => {
    const { generation } = journal;
    const checkpoint = await journal.checkpointAt(asOf);
    const near = before?.generation === generation && before.at <= asOf && before.seq >= (checkpoint?.seq ?? 0);
    const start = near ? before : checkpoint;
    const position: JournalPosition | undefined = await journal.positionAt(asOf, start);
    if (!position) return undefined;
    const { seq, at } = position;
    if (near && seq === before.seq) return before;
    const grid = await gridAfter(services, journal, start, seq);
    return { seq, at, generation, grid, recent: await journal.bookings(seq, RECENT_BOOKINGS) };
  });
  if (!was?.grid.house) throw beforeTheJournal();
  return was;
}
