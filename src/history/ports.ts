import type { Address } from '../kernel/rules/caller.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { CellPlace, JournalRow } from './rules/journal-fold.ts';
import type { GridSnapshot } from './rules/past-grid.ts';

/** Stores the grids from which the past is rebuilt (docs/concepts/storage.md#history). */
export interface Checkpoints {
  /** `seq` of the newest checkpoint of a property; 0 without one. */
  newest(to: Address): Promise<number>;
  /** Stores the grid after the row `seq`; returns whether that row exists. Idempotent. */
  write(to: Address, seq: number, grid: GridSnapshot): Promise<boolean>;
}

/** A position in the journal of a property, and the time of its row. */
export type JournalPosition = { seq: number; at: Instant };

/** The grid after the row at a position. */
export type Checkpoint = JournalPosition & { grid: GridSnapshot };

/** The journal of one property in one snapshot, from which all queries are answered. */
export interface ArchivedJournal {
  /** Number of the newest row. */
  readonly seq: number;
  /** Incremented by a restore: data read under another generation is void. */
  readonly generation: number;
  /** Whether its first row, the creation of the property, is retained. */
  readonly whole: boolean;
  /** Newest checkpoint at or before `at`. */
  checkpointAt(at: Instant): Promise<Checkpoint | undefined>;
  /** Newest checkpoint before the row `seq`. */
  checkpointBefore(seq: number): Promise<Checkpoint | undefined>;
  /** Newest row decided by `at`, searched after `from`, which is the {@link checkpointAt} of it. */
  positionAt(at: Instant, from: JournalPosition | undefined): Promise<JournalPosition | undefined>;
  /**
   * Rows after `after` up to `to`, in order, in pages of a limited size. With `about` only those that may have changed
   * the cell: that name it, or change which cells exist.
   */
  rows(after: number, to: number, about?: CellPlace): AsyncIterable<JournalRow[]>;
  /** Rows after `after` that may have changed the business date, in order, read on demand. */
  dates(after: number): AsyncIterable<JournalRow>;
  /** Newest rows up to `to` with a booking, oldest first, with the names of guests where known. */
  bookings(to: number, most: number): Promise<JournalEntry[]>;
}

/** The past of properties: journal rows and checkpoints, read within the tenant. */
export interface JournalArchive {
  /** @throws DomainError NOT_EXECUTED when too many requests read already */
  read<T>(to: Address, work: (journal: ArchivedJournal) => Promise<T>): Promise<T>;
}

/** The newest row of a property in a month that is to be dropped. */
export type LastRow = { to: Address; seq: number };

/** Removes data after its retention (docs/concepts/storage.md#retention): months of the journal after 400 days. */
export interface Retention {
  /** Runs `work` unless another node does; returns whether it ran. */
  alone(work: (expiring: Expiring) => Promise<void>): Promise<boolean>;
}

export interface Expiring {
  /** Creates the partitions of this month and the coming ones. */
  makeMonths(): Promise<void>;
  /** Months of the journal that are entirely past the retention, oldest first, as `YYYY-MM-DD`. */
  expiredMonths(): Promise<string[]>;
  /** Some properties whose newest row in the month has no checkpoint, in order of their ids after `after`. */
  uncovered(month: string, after?: Address): Promise<LastRow[]>;
  /** Drops a month in which every property's newest row has a checkpoint; false when commits hold its lock. */
  dropMonth(month: string): Promise<boolean>;
  /** Removes some expired rows of the administration journal and of signed heads; returns their number. */
  forgetAudit(): Promise<number>;
}

/** Expired idempotency records: an hour after the promised 24 hours. */
export interface ExpiredKeys {
  /** Runs `work` unless another node does; returns whether it ran. */
  alone(work: (keys: KeysOfTenants) => Promise<void>): Promise<boolean>;
}

/** Seconds by which the oldest expired record is overdue, and records removed since the start. */
export type ExpiredKeyFigures = { overdueSeconds: number; forgotten: number };

export interface KeysOfTenants {
  tenants(): Promise<string[]>;
  /**
   * Removes the oldest expired records of a tenant, at most `most`.
   * @returns their number, and by how long the oldest remaining one is overdue; 0 without one
   */
  forget(tenantId: TenantId, most: number): Promise<{ forgotten: number; overdueSeconds: number }>;
}
