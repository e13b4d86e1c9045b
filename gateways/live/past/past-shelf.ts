import { LRUCache } from 'lru-cache';

import type { LookedBack } from '../../../src/history/operations/look-back.ts';

/** Approximate memory of the parts of a past state, measured on a property of 120 rooms with a year of nights. */
const BYTES = { all: 2_000, run: 200, room: 120, book: 80, entry: 3_000 };

/**
 * Past states shown by subscriptions, bounded in bytes over all of them: beyond the bound the least recently used are
 * dropped. A subscription whose state was dropped continues; the state is rebuilt when needed, as for a resync, which
 * counts as another seek.
 */
export class PastShelf {
  readonly #stored: LRUCache<object, LookedBack>;

  /** @param maxBytes over all states; a single larger one is not cached */
  constructor(maxBytes: number) {
    this.#stored = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOfPast });
  }

  get bytes(): number {
    return this.#stored.calculatedSize;
  }

  get size(): number {
    return this.#stored.size;
  }

  of(subscription: object): LookedBack | undefined {
    return this.#stored.get(subscription);
  }

  put(subscription: object, past: LookedBack): void {
    this.#stored.set(subscription, past);
  }

  drop(subscription: object): void {
    this.#stored.delete(subscription);
  }
}

/** Approximate bytes of a past state: serializing it would take longer than sending it. */
function bytesOfPast({ grid: { roomTypes, rooms, books }, recent }: LookedBack): number {
  const runs = roomTypes.reduce((sum, one) => sum + one.runs.length, 0);
  return (
    BYTES.all + runs * BYTES.run + rooms.length * BYTES.room + books.length * BYTES.book + recent.length * BYTES.entry
  );
}
