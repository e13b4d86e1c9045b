import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { JournalPosition } from '../ports.ts';
import { beforeTheJournal, gridAfter, mustHaveCome, type Rebuilt } from './rebuild-grid.ts';

/** Bookings in the feed of a moment in the past, as many as a feed has. */
const RECENT_BOOKINGS = 50;

/** A property as it was: all cells, rooms and books after the row `seq`, and what had last become of bookings. */
export type LookedBack = Rebuilt & { generation: number; recent: readonly JournalEntry[] };

/**
 * The property as it was at an instant, for a dashboard that looks back (`seek`,
 * docs/concepts/live-stream.md#time-travel). A caller that goes on from one instant to the next passes the previous
 * one, so that only the rows between are folded.
 *
 * @throws DomainError VALIDATION_FAILED for an instant in the future, INSUFFICIENT_DATA for one at which there was no
 * such property or before the retained journal, NOT_EXECUTED when too many look back at once
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
