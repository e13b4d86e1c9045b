import { retryPause } from '../rules/retries.ts';

/** Failures in a row, of whatever cursors and one after the other, after which one cursor alone tries a receiver. */
const FAILURES = 3;
/** Receivers that are remembered; the oldest goes first, and is tried again. */
const MAX_REMEMBERED = 10_000;

type Failing = { failures: number; until: number; asking: string | undefined };

/**
 * Receivers that have just failed several times in a row, on this node: one that is away is tried by one cursor at a
 * time, however many properties wait for it.
 */
export class ReceiverPauses {
  readonly #failing = new Map<string, Failing>();
  readonly #now: () => number;
  readonly #draw: () => number;

  /** @param now monotonic milliseconds */
  constructor(now: () => number, draw: () => number = Math.random) {
    this.#now = now;
    this.#draw = draw;
  }

  /** Whether a cursor of the subscription may ask its receiver now; if so, no other one may until it is over. */
  mayAsk(subscriptionId: string, cursor: string): boolean {
    const one = this.#failing.get(subscriptionId);
    if (!one || one.failures < FAILURES) return true;
    if (this.#now() < one.until || (one.asking !== undefined && one.asking !== cursor)) return false;
    one.asking = cursor;
    return true;
  }

  took(subscriptionId: string): void {
    this.#failing.delete(subscriptionId);
  }

  /** A cursor that was to try had nothing to send after all. */
  asked(subscriptionId: string, cursor: string): void {
    const one = this.#failing.get(subscriptionId);
    if (one?.asking === cursor) one.asking = undefined;
  }

  failed(subscriptionId: string): void {
    const before = this.#failing.get(subscriptionId);
    // Requests that were under way together fail together: that is one failure.
    if (before && this.#now() < before.until) return;
    const failures = (before?.failures ?? 0) + 1;
    this.#failing.delete(subscriptionId);
    const until = this.#now() + retryPause(failures, this.#draw());
    this.#failing.set(subscriptionId, { failures, until, asking: undefined });
    const [oldest] = this.#failing.keys();
    if (this.#failing.size > MAX_REMEMBERED && oldest !== undefined) this.#failing.delete(oldest);
  }

  forget(subscriptionId: string): void {
    this.#failing.delete(subscriptionId);
  }
}
