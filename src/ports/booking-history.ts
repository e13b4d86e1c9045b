import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Instant } from '../domain/property-time.ts';

/** Between `starts[index]` and the next of them so many rooms were sold for a night; below 0, called off. */
export type SoldChange = { index: number; night: Day; rooms: number };

/** What the journal knows of when nights were sold. */
export interface BookingHistory {
  /**
   * What was sold and what was called off, each in one sum, over all room types. What was sold before the first start
   * counts as sold right after it.
   * @param starts ascending, at most some hundred
   */
  read(to: Address, starts: readonly Instant[]): Promise<SoldChange[]>;
}
