import type { Address } from '../domain/caller.ts';
import type { JournalEntry } from '../domain/journal.ts';
import type { CellPlace, JournalRow } from '../domain/journal-fold.ts';
import type { GridSnapshot } from '../domain/past-grid.ts';
import type { Instant } from '../domain/property-time.ts';

/** A place in the journal of a property, and when it was reached. */
export type Position = { seq: number; at: Instant };

/** The grid after the row at a position. */
export type Checkpoint = Position & { grid: GridSnapshot };

/** The journal of one property as it stood at one moment: all questions are answered from the same snapshot. */
export interface ArchivedJournal {
  /** Number of the newest row. */
  readonly seq: number;
  /** Grows when history is rewound: what was read under another one is void. */
  readonly generation: number;
  /** Whether its first row, the creation of the property, is still there. */
  readonly whole: boolean;
  /** The newest checkpoint that was reached by `at`. */
  checkpointAt(at: Instant): Promise<Checkpoint | undefined>;
  /** The newest checkpoint before the row `seq`. */
  checkpointBefore(seq: number): Promise<Checkpoint | undefined>;
  /** The newest row decided by `at`, looked for behind `from`, which is what {@link checkpointAt} found for it. */
  positionAt(at: Instant, from: Position | undefined): Promise<Position | undefined>;
  /**
   * Rows after `after` up to `to`, in order, in pages of a bounded size. With `about` only those that may have changed
   * the cell: that name it, or that change which cells there are.
   */
  rows(after: number, to: number, about?: CellPlace): AsyncIterable<JournalRow[]>;
  /** The newest rows up to `to` with a booking in them, oldest first, with the names of the guests as far as they are known. */
  bookings(to: number, most: number): Promise<JournalEntry[]>;
}

/** What properties were: journal rows and checkpoints, read within the tenant. */
export interface JournalArchive {
  /** @throws Refusal NOT_EXECUTED when too many read already */
  read<T>(to: Address, work: (journal: ArchivedJournal) => Promise<T>): Promise<T>;
}
