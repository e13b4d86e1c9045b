import type { HealthCheck } from '../../kernel/ports.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import type { CommitResult } from '../ports.ts';

/** Calls in a row without an answer after which the component is out of service. One may be a lost connection. */
const UNANSWERED = 2;

/**
 * How long the last failure counts. A node that is out of service gets no booking that could show the end of it, so it
 * must try again by itself.
 */
const COUNTS_MS = 30_000;

/** SQLSTATE of statements that ran into the limit on statements or on locks. */
const CANCELED = new Set<unknown>(['57014', '55P03']);
const isCanceled = (error: unknown): boolean => CANCELED.has((error as { code?: unknown } | undefined)?.code);

/**
 * Health component `commits` (docs/operations/health.md#components): the database answers queries, but writes no
 * bookings, for example while somebody locks a table.
 */
export class CommitHealth implements HealthCheck {
  readonly essential = true;
  readonly #now: () => number;
  #unanswered = 0;
  #lastAt = 0;

  /** @param now monotonic clock, milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts the result of a call of the commit function. An error of the database is an answer. */
  async commit(call: Promise<CommitResult>): Promise<CommitResult> {
    const result = await call;
    // A database that takes no writes has answered; component `storage` says so.
    const isAway = result.outcome === 'unavailable' && !result.isReadOnly;
    this.#count(result.outcome !== 'unknown' && !isAway);
    return result;
  }

  /** Counts the activation of a property, without which there is no commit. */
  async activation<T>(opened: Promise<T>): Promise<T> {
    return opened.then(
      (value) => {
        this.#count(true);
        return value;
      },
      (error: unknown) => {
        this.#count(!isDatabaseUnavailable(error) && !isCanceled(error));
        throw error;
      },
    );
  }

  #count(isAnswered: boolean): void {
    this.#unanswered = isAnswered ? 0 : this.#unanswered + 1;
    if (!isAnswered) this.#lastAt = this.#now();
  }

  async check(): ReturnType<HealthCheck['check']> {
    const counts = this.#unanswered >= UNANSWERED && this.#now() - this.#lastAt < COUNTS_MS;
    return { status: counts ? 'OUT_OF_SERVICE' : 'UP', details: { unanswered: this.#unanswered } };
  }
}
