import type { Lock } from './lock.d.mts';
import type { RestartLimits } from './restart-budget.d.mts';

export interface SuperviseService {
  readonly dataDir: string;
  /** Asked before each start: the address of the database may be another one. */
  readonly command: () => {
    readonly words: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly stop: AbortSignal;
  /** A signal for the run that begins now: the service is to be stopped and started with a new command. */
  readonly moved?: () => AbortSignal;
  readonly lock: Lock;
  readonly log: (line: string) => void;
  /** Waited for before the service is started again. */
  readonly database?: { up(): Promise<unknown> };
  readonly drainMs?: number;
  readonly limits?: RestartLimits;
}

/**
 * Runs the service and starts it again when it dies by itself after it was ready.
 * @returns its last exit code; 128 + n when signal n ended it
 */
export declare function superviseService(options: SuperviseService): Promise<number>;
