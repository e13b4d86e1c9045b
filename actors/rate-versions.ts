import type { Address } from '../src/kernel/rules/caller.ts';
import type { PropertyStore, RateVersion } from '../src/property-store/ports.ts';
import { CHECKED_AT_ONCE, type RateFreshnessLimits } from './limits.ts';

/** Version of a property's stored rates, no older than the request. */
type CheckedVersion = RateVersion & { askedAt: number };

type Question = { to: Address; resolve(answer: CheckedVersion): void; reject(error: unknown): void };

/**
 * Reads the versions of stored rates for all actors of a node. Background requests are collected, and one statement
 * runs at a time: ten thousand followed properties cost one statement a second, not one each.
 */
export class RateVersions implements Disposable {
  readonly limits: RateFreshnessLimits;
  /** Monotonic milliseconds: ages must not depend on the wall clock. */
  readonly now: () => number;
  readonly #store: Pick<PropertyStore, 'rateVersions'>;
  #waiting: Question[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;

  constructor(
    store: Pick<PropertyStore, 'rateVersions'>,
    limits: RateFreshnessLimits,
    now = () => performance.now(),
  ) {
    this.#store = store;
    this.limits = limits;
    this.now = now;
  }

  /** @throws what the store throws, or an Error when it does not answer in time */
  ask(to: Address): Promise<CheckedVersion> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ to, resolve, reject });
      this.#timer ??= setTimeout(() => this.hurry(), this.limits.gatherMs);
    });
  }

  /** A caller waits: collected requests are read at once, or right after the running statement. */
  hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#asking) void this.#askAll();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  async #askAll(): Promise<void> {
    this.#asking = true;
    while (this.#waiting.length > 0) {
      const questions = this.#waiting.splice(0, CHECKED_AT_ONCE);
      const askedAt = this.now();
      try {
        const versions = await this.#inTime(this.#store.rateVersions(questions.map(({ to }) => to)));
        questions.forEach(({ resolve }, index) => resolve({ ...versions[index]!, askedAt }));
      } catch (error) {
        for (const { reject } of questions) reject(error);
      }
    }
    this.#asking = false;
  }

  /** Bounds the wait: a connection that hangs must not stop all checks. */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('the database does not answer')), this.limits.answerMs);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
