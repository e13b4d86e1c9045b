/** From the signal to SIGKILL where nothing else is said. */
export declare const drainWithinMs: number;

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its reason is the signal that is passed on, once. */
  readonly stop?: AbortSignal;
  /** The program is a watcher. */
  readonly watch?: boolean;
  readonly onStart?: (pid: number) => void;
  readonly drainMs?: number;
}

/** @returns exit code; 128 + n when signal n ended the program */
export declare function runService(command: readonly string[], options: RunOptions): Promise<number>;
