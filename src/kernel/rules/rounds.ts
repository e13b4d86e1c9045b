/** How a regular round of this node is doing. */
export type RoundFigures = {
  readonly name: string;
  /** How often it is to run, in milliseconds. */
  readonly everyMs: number;
  /** Seconds since its last completed run, or since a run last got on; since it was registered where there was none. */
  readonly ageSeconds: number;
  /** Whether it has completed a run since it was registered. */
  readonly hasRun: boolean;
  /** Runs that failed, and single items (a property, a tenant, a row) that failed inside a run, since the start. */
  readonly failures: number;
  /** Runs that this node began since the start because the job queue had not brought the round in time. */
  readonly rescues: number;
  /** Of the newest failure, for the operator; undefined once a run went through without any. */
  readonly error?: string;
  /** Items that failed in the last run and the one under way, at most twenty of each. */
  readonly failedItems?: readonly string[];
};

/** A round whose last completed run is older than so many of its periods is late. */
export const LATE_AFTER_PERIODS = 3;

/** Whether a round has not completed a run, nor got on with one, for three periods. */
export function isLate({ ageSeconds, everyMs }: Pick<RoundFigures, 'ageSeconds' | 'everyMs'>): boolean {
  return ageSeconds * 1_000 > LATE_AFTER_PERIODS * everyMs;
}

/** What a round says of its runs. */
export interface Round {
  readonly name: string;
  readonly everyMs: number;
  /**
   * A run has gone through; single items may have failed in it.
   * @param ageMs how long ago it ended, where another node ran it
   */
  completed(ageMs?: number): void;
  /**
   * A run is under way and has got on: it is not late meanwhile, however long it takes.
   * @param ageMs how long ago, where another node runs it
   */
  progressed(ageMs?: number): void;
  /** Nothing brought the round in time, and this node begins a run by itself. */
  rescued(): void;
  /** A run failed as a whole. */
  failed(error: unknown): void;
  /**
   * One item of a run failed, and the others went on.
   * @param item which property, tenant or row it was, as the operator can find it
   */
  itemFailed(item: string, error: unknown): void;
  /** An item that failed before was not tried in this run: it is still named, and not counted again. */
  itemRests(item: string): void;
}

/** Of a round what its work needs to name single items that failed. */
export type RoundItems = Pick<Round, 'name' | 'everyMs' | 'itemFailed' | 'itemRests'>;

/** Registers the regular rounds of a node, so that each that is late is seen. */
export interface Rounds {
  /** @throws Error when there is a round of this name already */
  register(name: string, everyMs: number): Round;
  /** Of the round that is registered under this name, by whomever and whenever: until then nothing is counted. */
  items(name: string, everyMs: number): RoundItems;
}
