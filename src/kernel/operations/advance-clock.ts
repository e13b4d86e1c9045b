import { LRUCache } from 'lru-cache';

import type { DevelopmentClock, Log } from '../ports.ts';
import type { Done, RequestKey } from '../rules/administration.ts';
import { DomainError } from '../rules/domain-error.ts';
import { type Instant, formatInstant } from '../rules/property-time.ts';

/** An interval in milliseconds, or a target instant. */
type Advance = { by: number } | { to: Instant };

/**
 * How far the clock may be ahead of real time: dates centuries ahead overflow computations, and would make every timer
 * of every property due.
 */
const FURTHEST_AHEAD_MS = 5 * 366 * 86_400_000;
/** Remembered keys, for as long as other idempotency records. */
const MAX_KEYS = 1_000;
const KEY_LIVES_MS = 86_400_000;

type Remembered = { fingerprint: string; now?: Instant };
type Parts = { clock: DevelopmentClock; log: Log };

/**
 * Control of the development clock by operators. Keys are remembered in memory, since time belongs to no tenant, which
 * would store other requests' keys.
 */
export class ClockControl {
  readonly #parts: Parts;
  readonly #keys = new LRUCache<string, Remembered>({ max: MAX_KEYS, ttl: KEY_LIVES_MS });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Advances the clock, once per key.
   * @throws DomainError VALIDATION_FAILED for an instant that is past or too far ahead, IDEMPOTENCY_MISMATCH,
   * IDEMPOTENCY_IN_PROGRESS
   */
  async advance(wish: Advance, requestId: string, key?: RequestKey): Promise<Done<{ now: Instant }>> {
    if (key === undefined) return { result: await this.#advance(wish, requestId), replayed: false };
    const known = this.#keys.get(key.key);
    if (known) return { result: resultOf(known, key), replayed: true };
    this.#keys.set(key.key, { fingerprint: key.fingerprint });
    try {
      const result = await this.#advance(wish, requestId);
      this.#keys.set(key.key, { fingerprint: key.fingerprint, ...result });
      return { result, replayed: false };
    } catch (error) {
      this.#keys.delete(key.key);
      throw error;
    }
  }

  async #advance(wish: Advance, requestId: string): Promise<{ now: Instant }> {
    const { clock, log } = this.#parts;
    const before = clock.now();
    const milliseconds = 'by' in wish ? wish.by : wish.to - before;
    const pointer = 'by' in wish ? '/advanceSeconds' : '/now';
    if (milliseconds < 0) throw wrong(pointer, 'IN_THE_PAST', 'the clock goes forward only');
    if (before + milliseconds > Date.now() + FURTHEST_AHEAD_MS)
      throw wrong(pointer, 'OUT_OF_RANGE', 'the clock goes to at most five years from now');
    const now = await clock.advance(milliseconds);
    log.info({ requestId, before: formatInstant(before), now: formatInstant(now) }, 'development clock put forward');
    return { now };
  }
}

function resultOf({ fingerprint, now }: Remembered, key: RequestKey): { now: Instant } {
  if (fingerprint !== key.fingerprint)
    throw new DomainError('IDEMPOTENCY_MISMATCH', 'The key was used for another request.');
  if (now === undefined)
    throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The first request is still running.', { retryAfterSeconds: 1 });
  return { now };
}

function wrong(pointer: string, code: string, detail: string): DomainError {
  const message = `${detail[0]!.toUpperCase()}${detail.slice(1)}.`;
  return new DomainError('VALIDATION_FAILED', message, { errors: [{ pointer, code, detail }] });
}
