/** Upper bound of the first bucket, growth from each to the next, and the number of buckets: 0.1 ms to 3 minutes. */
const FIRST_MS = 0.1;
const GROWTH = 1.25;
const BUCKETS = 65;
const LOG_GROWTH = Math.log(GROWTH);

/** Durations of a stretch of time, of which quantiles are wanted within an eighth of their value. */
export class Latency {
  readonly #counts = new Uint32Array(BUCKETS);
  #count = 0;

  /** On the path of every request: a logarithm and two additions. */
  record(ms: number): void {
    const at = ms <= FIRST_MS ? 0 : Math.ceil(Math.log(ms / FIRST_MS) / LOG_GROWTH);
    const bucket = at < BUCKETS ? at : BUCKETS - 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
  }

  /**
   * Quantiles since the last call, in milliseconds, and forgets what they were made of.
   * @returns undefined when nothing was recorded
   */
  take(quantiles: readonly number[]): number[] | undefined {
    if (this.#count === 0) return undefined;
    const found = quantiles.map((quantile) => this.#quantile(quantile));
    this.#counts.fill(0);
    this.#count = 0;
    return found;
  }

  #quantile(quantile: number): number {
    const wanted = Math.max(1, Math.ceil(quantile * this.#count));
    let below = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      below += this.#counts[bucket] ?? 0;
      // The middle of the bucket, by its logarithm.
      if (below >= wanted) return bucket === 0 ? FIRST_MS : FIRST_MS * GROWTH ** (bucket - 0.5);
    }
    return FIRST_MS * GROWTH ** (BUCKETS - 1);
  }
}
