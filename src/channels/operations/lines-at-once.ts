import { LRUCache } from 'lru-cache';

/** Lines of 500 nights in memory, some 100 KB each: one channel at least, and typical ones by the hundred. */
const MAX_LINES = 2_000;
/** Those of slow channels among them: others get theirs whatever these do. */
const MAX_SLOW_LINES = 500;
/** Time of an answer from which on a channel is slow, and for how long it is. */
const SLOW_MS = 2_000;
const SLOW_FOR_MS = 600_000;
const MAX_KNOWN = 10_000;

/** Lines of the channels that are sent something at this moment (docs/concepts/subscriptions.md#channels). */
export class LinesAtOnce {
  readonly #slow = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: SLOW_FOR_MS });
  #all = 0;
  #ofSlow = 0;

  /**
   * Takes room for the lines of a channel.
   * @returns what gives it back; `undefined` while there is none
   */
  take(channelId: string, lines: number): (() => void) | undefined {
    const isSlow = this.#slow.has(channelId);
    if (!fits(this.#all, lines, MAX_LINES) || (isSlow && !fits(this.#ofSlow, lines, MAX_SLOW_LINES)))
      return undefined;
    const counted = isSlow ? lines : 0;
    this.#all += lines;
    this.#ofSlow += counted;
    return () => {
      this.#all -= lines;
      this.#ofSlow -= counted;
    };
  }

  /** Notes how long a channel took for an answer. */
  answered(channelId: string, ms: number): void {
    if (ms >= SLOW_MS) this.#slow.set(channelId, true);
  }
}

/** One channel always fits. */
const fits = (taken: number, lines: number, most: number): boolean => taken === 0 || taken + lines <= most;
