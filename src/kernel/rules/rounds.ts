/** States of work that outlives its request. */
export const JOB_STATES = ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** State of a regular round on this node. */
export type RoundFigures = {
  readonly name: string;
  /** Period in milliseconds. */
  readonly everyMs: number;
  /** Seconds since the last completed run, progress of a run, or registration. */
  readonly ageSeconds: number;
  /** Whether it has completed a run since it was registered. */
  readonly hasRun: boolean;
  /** Failed runs, and failed items (a property, a tenant, a row) within runs, since the start. */
  readonly failures: number;
  /** Runs that this node started since its start because the job queue had not delivered them in time. */
  readonly rescues: number;
  /** How long the last completed run of this node took, in milliseconds; undefined where another node ran it. */
  readonly tookMs?: number;
  /** The newest failure, for operators; undefined after a run without failures. */
  readonly error?: string;
  /** Failed items of the last run and the one under way, at most twenty of each. */
  readonly failedItems?: readonly string[];
};

/** Periods without a completed run after which a round is late. */
export const LATE_AFTER_PERIODS = 3;

/** Whether a round has neither completed a run nor made progress for three periods. */
export function isLate({ ageSeconds, everyMs }: Pick<RoundFigures, 'ageSeconds' | 'everyMs'>): boolean {
  return ageSeconds * 1_000 > LATE_AFTER_PERIODS * everyMs;
}

/** Reports the runs of a round. */
export interface Round {
  readonly name: string;
  readonly everyMs: number;
  /**
   * A run has completed; single items may have failed.
   * @param ageMs how long ago it ended, if another node ran it
   * @param tookMs how long it took, if this node ran it
   */
  completed(ageMs?: number, tookMs?: number): void;
  /**
   * A run has made progress: the round is not late, however long it takes.
   * @param ageMs how long ago, if another node runs it
   */
  progressed(ageMs?: number): void;
  /** The round was overdue, and this node starts a run itself. */
  rescued(): void;
  /** A run failed as a whole. */
  failed(error: unknown): void;
  /**
   * One item of a run failed, and the others continued.
   * @param item property, tenant or row, as an operator can find it
   */
  itemFailed(item: string, error: unknown): void;
  /** A failed item was paused in this run: still named, not counted again. */
  itemRests(item: string): void;
}

/** The part of a round for reporting failed items. */
export type RoundItems = Pick<Round, 'name' | 'everyMs' | 'itemFailed' | 'itemRests'>;

/** Registers the regular rounds of a node, so that late ones are reported. */
export interface Rounds {
  /** @throws Error when the name is taken */
  register(name: string, everyMs: number): Round;
  /** Items of the round with this name, registered anywhere at any time: until then nothing is counted. */
  items(name: string, everyMs: number): RoundItems;
}
