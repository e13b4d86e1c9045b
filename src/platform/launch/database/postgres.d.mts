/** A running PostgreSQL 18 with an empty or earlier database `innkeeper`. */
export interface EmbeddedPostgres {
  /** Connection string of the superuser, database `innkeeper`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** True when an earlier start had left it running. */
  readonly adopted: boolean;
  /** Where its data lies. */
  readonly cluster: string;
  /** What PostgreSQL says goes here. */
  readonly logFile: string;
  /** Resolves when the server has ended, whoever ended it, with how: `signal 9`; or when the signal is aborted. */
  ended(signal: AbortSignal): Promise<string>;
  /**
   * Starts a server that has ended again: on the same port, or where another program has taken that and does not let
   * it go, on a free one; `url` and `port` are then others.
   * @throws LaunchError when it does not start, or the signal is aborted
   */
  startAgain(signal: AbortSignal): Promise<void>;
  /** Fast shutdown, resolves once the process is gone. Safe to call again. */
  stop(withinMs?: number): Promise<void>;
}

export interface StartPostgres {
  /** Folder for data and log; created when absent. Tests pass one that does not exist yet, in a folder others may pass. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** Where a database goes that the unprivileged account cannot reach in `dataDir` (only as root). */
  readonly homes?: string;
  /** For a log to be replayed that is longer than a crash leaves. */
  readonly readyWithinMs?: number;
}

export declare function startPostgres(options: StartPostgres): Promise<EmbeddedPostgres>;
