import type { Address } from '../src/kernel/rules/caller.ts';
import type { PropertyStore, RateVersion } from '../src/property-store/ports.ts';
import { CHECKED_AT_ONCE, type RateFreshnessLimits } from './limits.ts';

/** The version of a property's stored rates at the request, or later. */
type CheckedVersion = RateVersion & { askedAt: number };

type Question = { to: Address; resolve(answer: CheckedVersion): void; reject(error: unknown): void };

/**
 * Reads the versions of stored rates, for all actors of a node: background requests gather, and one statement
 * is under way at a time. Ten thousand properties that are read cost one statement a second, not one each.
 */
export class RateVersions implements Disposable {
  readonly limits: RateFreshnessLimits;
  /** Monotonic milliseconds: how old something is must not depend on anybody's clock. */
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

  /** A caller waits: gathered requests are read at once, or right after the statement under way. */
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

  /** A connection that hangs must not end all checking. */
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
