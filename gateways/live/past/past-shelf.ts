import { LRUCache } from 'lru-cache';

import type { LookedBack } from '../../../src/history/operations/look-back.ts';

/** What a part of a look back takes in memory, about; measured on a house of 120 rooms with a year of nights. */
const BYTES = { all: 2_000, run: 200, room: 120, book: 80, entry: 3_000 };

/**
 * What subscriptions show of the past, bounded in bytes altogether: beyond the bound those are dropped that nobody has
 * needed for longest. A subscription whose past was dropped goes on showing it; it is only rebuilt when it is needed
 * again, as for a resync, which counts as another look back.
 */
export class PastShelf {
  readonly #kept: LRUCache<object, LookedBack>;

  /** @param maxBytes of all together; one that is larger by itself is not kept */
  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get size(): number {
    return this.#kept.size;
  }

  of(subscription: object): LookedBack | undefined {
    return this.#kept.get(subscription);
  }

  put(subscription: object, past: LookedBack): void {
    this.#kept.set(subscription, past);
  }

  drop(subscription: object): void {
    this.#kept.delete(subscription);
  }
}

/** Bytes that a look back takes, about: to write it as text would take longer than to send it. */
export function bytesOf({ grid: { roomTypes, rooms, books }, recent }: LookedBack): number {
  const runs = roomTypes.reduce((sum, one) => sum + one.runs.length, 0);
  return (
    BYTES.all + runs * BYTES.run + rooms.length * BYTES.room + books.length * BYTES.book + recent.length * BYTES.entry
  );
}
