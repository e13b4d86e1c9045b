import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Instant } from '../domain/property-time.ts';

/** Between `starts[index]` and the next of them the rooms sold for a night grew by so many. */
export type SoldChange = { index: number; night: Day; rooms: number };

/** What the journal knows of when nights were sold. */
export interface BookingHistory {
  /**
   * Net changes of rooms sold, over all room types. What was sold before the first start counts as sold right after it.
   * @param starts ascending, at most some hundred
   */
  read(to: Address, starts: readonly Instant[]): Promise<SoldChange[]>;
}
