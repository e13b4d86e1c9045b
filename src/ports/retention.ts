import type { Address } from '../domain/caller.ts';

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
  forget(tenantId: string, most: number): Promise<{ forgotten: number; overdueSeconds: number }>;
}
