import { LRUCache } from 'lru-cache';

import type { LookedBack } from '../../../src/history/operations/look-back.ts';

/** What a part of a look back takes in memory, about; measured on a property of 120 rooms with a year of nights. */
const BYTES = { all: 2_000, run: 200, room: 120, book: 80, entry: 3_000 };

/**
 * What subscriptions show of the past, bounded in bytes altogether: beyond the bound those are dropped that nobody has
 * needed for longest. A subscription whose past was dropped goes on showing it; it is only rebuilt when it is needed
 * again, as for a resync, which counts as another look back.
 */
export class PastShelf {
  readonly #stored: LRUCache<object, LookedBack>;

  /** @param maxBytes of all together; one that is larger by itself is not cached */
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

/** Bytes that a look back takes, about: to write it as text would take longer than to send it. */
function bytesOfPast({ grid: { roomTypes, rooms, books }, recent }: LookedBack): number {
  const runs = roomTypes.reduce((sum, one) => sum + one.runs.length, 0);
  return (
    BYTES.all + runs * BYTES.run + rooms.length * BYTES.room + books.length * BYTES.book + recent.length * BYTES.entry
  );
}
