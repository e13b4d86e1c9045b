import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { RequestCounter, RequestCounters, Standing } from './ports.ts';

/** Counts of this process alone. */
export const memoryCounters: RequestCounters = (_name, seconds) => new MemoryCounter(seconds);

/** A counter in this process; `set` applies counts known elsewhere. */
export class MemoryCounter implements RequestCounter {
  readonly #limiter: RateLimiterMemory;

  constructor(seconds: number) {
    // It only counts: limits are applied by its users.
    this.#limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: seconds });
  }

  async count(key: string, times = 1): Promise<Standing> {
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(key, times);
    return { used: consumedPoints, resetMs: msBeforeNext };
  }

  async standing(key: string): Promise<Standing> {
    const found = await this.#limiter.get(key);
    return { used: found?.consumedPoints ?? 0, resetMs: found?.msBeforeNext ?? 0 };
  }

  async set(key: string, { used, resetMs }: Standing): Promise<void> {
    // A window without an end would never be removed.
    await this.#limiter.set(key, used, Math.max(1, resetMs) / 1000);
  }
}
