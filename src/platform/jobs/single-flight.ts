/** A run without progress for this long is abandoned, and the next call starts another. */
const IDLE_LIMIT_MS = 300_000;

/** Single flight: calls during a run share that run, unless it hangs. */
export class SingleFlight<T> {
  readonly #begin: () => Promise<T>;
  readonly #idleLimitMs: number;
  #looking: Promise<T> | undefined;
  #advancedAt = 0;

  constructor(begin: () => Promise<T>, idleLimitMs = IDLE_LIMIT_MS) {
    this.#begin = begin;
    this.#idleLimitMs = idleLimitMs;
  }

  look(): Promise<T> {
    if (this.#looking && performance.now() - this.#advancedAt <= this.#idleLimitMs) return this.#looking;
    this.progressed();
    const look = this.#begin().finally(() => {
      if (this.#looking === look) this.#looking = undefined;
    });
    return (this.#looking = look);
  }

  /** The look under way gets on: one that has much to do is not taken for one that hangs. */
  progressed(): void {
    this.#advancedAt = performance.now();
  }

  /** Starts a fresh run: one under way may have read before a clock was moved. */
  async lookAgain(): Promise<T> {
    await this.done();
    return this.look();
  }

  /** Resolves at the end of the run under way. */
  async done(): Promise<void> {
    await this.#looking?.catch(() => undefined);
  }
}
