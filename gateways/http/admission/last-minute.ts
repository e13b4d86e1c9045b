const MINUTE_MS = 60_000;
/** Parts of the minute: counts are accurate to one part. */
const PARTS = 12;
const PART_MS = MINUTE_MS / PARTS;

/** Counts events of the last minute in bounded memory. */
export class LastMinute {
  readonly #now: () => number;
  readonly #counts = new Array<number>(PARTS).fill(0);
  #part: number;

  /** @param now monotonic milliseconds; the process's own, except in tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#part = Math.floor(now() / PART_MS);
  }

  note(): void {
    this.#forget();
    this.#counts[this.#part % PARTS]! += 1;
  }

  get count(): number {
    this.#forget();
    return this.#counts.reduce((sum, one) => sum + one, 0);
  }

  #forget(): void {
    const part = Math.floor(this.#now() / PART_MS);
    const passed = Math.min(PARTS, part - this.#part);
    for (let n = 0; n < passed; n += 1) this.#counts[(part - n) % PARTS] = 0;
    this.#part = part;
  }
}
