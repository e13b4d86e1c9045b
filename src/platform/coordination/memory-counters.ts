import type { RequestCounter, RequestCounters, Standing } from './ports.ts';

/** Counts of this process alone. */
export const memoryCounters: RequestCounters = (_name, seconds) => new MemoryCounter(seconds);

type CountedWindow = { used: number; endsAt: number };

const SECOND_MS = 1_000;

/**
 * A counter in this process; `set` applies counts known elsewhere. A request is counted twice or more on its way in, so
 * it has neither a promise nor a timer for each key.
 */
export class MemoryCounter implements RequestCounter {
  readonly #ms: number;
  readonly #windows = new Map<string, CountedWindow>();
  #sweepAt = 0;

  constructor(seconds: number) {
    this.#ms = seconds * SECOND_MS;
  }

  /** Windows in memory, those that are over included until the next sweep. */
  get size(): number {
    return this.#windows.size;
  }

  count(key: string, times = 1): Standing {
    const now = performance.now();
    if (now >= this.#sweepAt) this.#sweep(now);
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) {
      known.used += times;
      return { used: known.used, resetMs: known.endsAt - now };
    }
    this.#windows.set(key, { used: times, endsAt: now + this.#ms });
    return { used: times, resetMs: this.#ms };
  }

  standing(key: string): Standing {
    const now = performance.now();
    const known = this.#windows.get(key);
    return known && known.endsAt > now ? { used: known.used, resetMs: known.endsAt - now } : { used: 0, resetMs: 0 };
  }

  set(key: string, { used, resetMs }: Standing): void {
    // A window without an end would never be removed.
    this.#windows.set(key, { used, endsAt: performance.now() + Math.max(1, resetMs) });
  }

  /** Once in a window: so many keys at most are in memory as two windows have. */
  #sweep(now: number): void {
    this.#sweepAt = now + this.#ms;
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key);
  }
}
