import type { RestartLimits } from '../process/restart-budget.d.mts';
import type { EmbeddedPostgres } from './postgres.d.mts';

export interface SuperviseDatabase {
  readonly log: (line: string) => void;
  /** From then on it is not started again. */
  readonly stop?: AbortSignal;
  /** Called when it came back on another port, because a program has taken the old one. */
  readonly onMoved?: () => void;
  readonly limits?: RestartLimits;
}

/** Starts an embedded PostgreSQL again that ended by itself, on the same port, until it is stopped. */
export declare class DatabaseSupervisor {
  constructor(database: EmbeddedPostgres, options: SuperviseDatabase);
  get url(): string;
  /** Aborts when it cannot be started any more; its reason is the signal for the service. */
  get failed(): AbortSignal;
  /** Resolves once a restart that is under way has come to its end; at once when there is none. */
  up(): Promise<unknown>;
  stop(withinMs?: number): Promise<void>;
}
