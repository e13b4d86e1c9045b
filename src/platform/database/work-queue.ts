import { DomainError } from '../../kernel/rules/domain-error.ts';

/** Runs few works at once; the others wait in order, up to a limit. */
export class WorkQueue {
  readonly #most: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number, maxWaiting: number) {
    this.#most = most;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws DomainError NOT_EXECUTED when too many wait */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) {
      if (this.#waiting.length >= this.#maxWaiting)
        throw new DomainError('NOT_EXECUTED', 'Too many look into the past already.', { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      // The next in line takes this place directly, so that no other caller gets in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
