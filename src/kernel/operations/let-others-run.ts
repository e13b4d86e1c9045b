/**
 * Lets requests of others be answered during a long computation. A timer, since Deno runs immediates one after the other
 * without looking at its connections in between: with them a body of 64 MB stopped a node for a second.
 */
export const letOthersRun = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A long computation in slices of so many ms, with a rest after each. */
export class Slices {
  readonly #ms: number;
  #resumedAt = performance.now();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Whether a rest is due. */
  get isOver(): boolean {
    return performance.now() - this.#resumedAt >= this.#ms;
  }

  /** Begins a slice, such as after a wait for something else. */
  resume(): void {
    this.#resumedAt = performance.now();
  }

  /** @param ms at least; without it whatever waits is run once */
  async rest(ms = 0): Promise<void> {
    await letOthersRun(ms);
    this.resume();
  }
}
