import type { Address } from '../domain/caller.ts';
import type { EventRow } from '../domain/event-records.ts';
import type { Instant } from '../domain/property-time.ts';

/** A row that is to be told, with the generation in which it was written. */
export type RelayRow = EventRow & { generation: number };

/** What of a property is to be told next, in order. */
export type Untold = {
  to: Address;
  /** The row up to which everything is told. */
  cursor: number;
  /** Newest row of the property when it was asked; the rows may end before it. */
  newest: number;
  rows: RelayRow[];
  /** Why the rows cannot be had, though the database is there. */
  unreadable?: string;
};

/** How far a property has been told: from the cursor that was found to the row that was told last. */
export type Advance = { to: Address; from: number; told: number };

/** A property whose journal is ahead of what was told, and the time of the first row that waits. */
export type Behind = { to: Address; rows: number; since: Instant };

/** What has been told of the journals of all tenants, and what has not (docs/concepts/events.md#relay). */
export interface RelayQueue {
  /** Properties that are behind, those first that were told longest ago; at most `limit`. */
  behind(limit: number): Promise<Behind[]>;
  /**
   * The next rows of these properties, some hundred in all; of those that come too late for that none, but they are
   * named. One whose rows cannot be read is `unreadable`, and the others are read.
   */
  untold(of: readonly Address[]): Promise<Untold[]>;
  /** Moves cursors, each only if it still stands where it was found. @returns those that moved */
  advance(all: readonly Advance[]): Promise<readonly Advance[]>;
}

/** A property that cannot go on, at which row, and why: in words that hold nothing of the event itself. */
export type StoppedProperty = { to: Address; seq: number; why: string };

/** What a round has done; `left` are properties that have more rows. */
export type RelayRound = { rows: number; records: number; stopped: StoppedProperty[]; left: Address[] };

/** How far the relay is behind: rows and seconds of the journal, and what it has done since the start. */
export type RelayFigures = { lag: number; oldestAgeSeconds: number; sent: number; stopped: number };
