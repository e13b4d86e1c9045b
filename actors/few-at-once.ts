/** Work of one kind of which only so much is under way at a time; the rest waits in order. */
export class FewAtOnce {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param most pieces of work under way at a time */
  constructor(most: number) {
    this.#free = most;
  }

  /** Does the work once there is room for it. @throws what it throws */
  async do<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
