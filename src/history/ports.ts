import type { Address } from '../kernel/rules/caller.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { CellPlace, JournalRow } from './rules/journal-fold.ts';
import type { GridSnapshot } from './rules/past-grid.ts';

/** Keeps the grids from which the past is rebuilt (docs/concepts/storage.md#history). */
export interface Checkpoints {
  /** `seq` of the newest checkpoint of a property; 0 when it has none. */
  newest(to: Address): Promise<number>;
  /** Keeps the grid as it was after the row `seq`; says whether there is such a row. Twice changes nothing. */
  write(to: Address, seq: number, grid: GridSnapshot): Promise<boolean>;
}

/** A place in the journal of a property, and when it was reached. */
export type JournalPosition = { seq: number; at: Instant };

/** The grid after the row at a position. */
export type Checkpoint = JournalPosition & { grid: GridSnapshot };

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
  positionAt(at: Instant, from: JournalPosition | undefined): Promise<JournalPosition | undefined>;
  /**
   * Rows after `after` up to `to`, in order, in pages of a bounded size. With `about` only those that may have changed
   * the cell: that name it, or that change which cells there are.
   */
  rows(after: number, to: number, about?: CellPlace): AsyncIterable<JournalRow[]>;
  /** Rows after `after` that may have moved the business date, in order, as long as somebody wants more. */
  dates(after: number): AsyncIterable<JournalRow>;
  /** The newest rows up to `to` with a booking in them, oldest first, with the names of the guests as far as they are known. */
  bookings(to: number, most: number): Promise<JournalEntry[]>;
}

/** What properties were: journal rows and checkpoints, read within the tenant. */
export interface JournalArchive {
  /** @throws DomainError NOT_EXECUTED when too many read already */
  read<T>(to: Address, work: (journal: ArchivedJournal) => Promise<T>): Promise<T>;
}

/** The newest row of a property in a month that is to go. */
export type LastRow = { to: Address; seq: number };

/** What has had its time (docs/concepts/storage.md#retention): months of the journal after 400 days. */
export interface Retention {
  /** Runs `work` unless another node is at it; says whether it ran. */
  alone(work: (expiring: Expiring) => Promise<void>): Promise<boolean>;
}

export interface Expiring {
  /** Makes the partitions of this month and the coming ones. */
  makeMonths(): Promise<void>;
  /** Months of the journal that lie wholly behind the retention, oldest first, as `YYYY-MM-DD`. */
  expiredMonths(): Promise<string[]>;
  /** Properties whose newest row in the month has no checkpoint, in order of their ids behind `after`, some of them. */
  uncovered(month: string, after?: Address): Promise<LastRow[]>;
  /** Drops a month in which every property's newest row has a checkpoint; false when commits did not let it. */
  dropMonth(month: string): Promise<boolean>;
  /** Forgets some of the administration journal and of signed heads that are as old; says how many rows. */
  forgetAudit(): Promise<number>;
}

/** Idempotency records that are past their time: an hour behind the 24 hours for which they are promised. */
export interface ExpiredKeys {
  /** Runs `work` unless another node is at it; says whether it ran. */
  alone(work: (keys: KeysOfTenants) => Promise<void>): Promise<boolean>;
}

/** For how many seconds the oldest record that should be gone has been past its time, and how many are since the start. */
export type ExpiredKeyFigures = { overdueSeconds: number; forgotten: number };

export interface KeysOfTenants {
  tenants(): Promise<string[]>;
  /**
   * Forgets the oldest ones of a tenant, at most `most`.
   * @returns how many, and for how long the oldest that is left has been past its time; 0 where none is
   */
  forget(tenantId: TenantId, most: number): Promise<{ forgotten: number; overdueSeconds: number }>;
}
