import type { Address } from '../domain/caller.ts';

/** The newest row of a property in a month that is to go. */
export type LastRow = { to: Address; seq: number };

/** What has had its time (architecture.md 8): months of the journal after 400 days, kept answers after 25 hours. */
export interface Retention {
  /** Runs `work` unless another node is at it; says whether it ran. */
  alone(work: (expiring: Expiring) => Promise<void>): Promise<boolean>;
}

export interface Expiring {
  /** Makes the partitions of this month and the coming ones. */
  makeMonths(): Promise<void>;
  /** Months of the journal that lie wholly behind the retention, oldest first, as `YYYY-MM-DD`. */
  expiredMonths(): Promise<string[]>;
  /** Properties whose newest row in the month has no checkpoint, some of them. */
  uncovered(month: string): Promise<LastRow[]>;
  /** Drops a month in which every property's newest row has a checkpoint; false when commits did not let it. */
  dropMonth(month: string): Promise<boolean>;
  /** Forgets some of the administration journal and of signed heads that are as old; says how many rows. */
  forgetAudit(): Promise<number>;
  /** Forgets some of the keys that are past their time, of every tenant; says how many. */
  forgetKeys(): Promise<number>;
}
