import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { PlanStay } from './room-plan.ts';

type Bucket = readonly PlanStay[];

/** Stays in a bucket when the table is built; at four times as many it is rebuilt. */
const STAYS_A_BUCKET = 32;
const MAX_A_BUCKET = 4 * STAYS_A_BUCKET;

/**
 * Immutable table of stays by reservation id: a change makes a new table, which shares all unchanged buckets. A booking
 * of a property with 20,000 stays copies a list of some 40 stays and one of some 600 buckets.
 */
export class StaysById implements Iterable<PlanStay> {
  readonly size: number;
  readonly #buckets: readonly Bucket[];

  private constructor(buckets: readonly Bucket[], size: number) {
    this.#buckets = buckets;
    this.size = size;
  }

  static readonly EMPTY = new StaysById([[]], 0);

  get(reservationId: ReservationId): PlanStay | undefined {
    return this.#buckets[bucketOf(reservationId, this.#buckets.length)]!.find(
      (stay) => stay.reservationId === reservationId,
    );
  }

  *[Symbol.iterator](): Iterator<PlanStay> {
    for (const bucket of this.#buckets) yield* bucket;
  }

  /** The table without `gone` and with `put`, which replace those of the same id. */
  with(put: readonly PlanStay[], removed: readonly string[]): StaysById {
    const buckets = this.#roomFor(put.length);
    const copied = new Set<number>();
    let { size } = this;
    const change = (id: ReservationId, stay?: PlanStay): void => {
      const index = bucketOf(id, buckets.length);
      if (!copied.has(index)) buckets[index] = [...buckets[index]!];
      copied.add(index);
      const bucket = buckets[index] as PlanStay[];
      const at = bucket.findIndex((one) => one.reservationId === id);
      if (at >= 0) bucket.splice(at, 1);
      if (stay) bucket.push(stay);
      size += (stay ? 1 : 0) - (at >= 0 ? 1 : 0);
    };
    for (const id of removed) change(id);
    for (const stay of put) change(stay.reservationId, stay);
    return new StaysById(buckets, size);
  }

  /** A copy of the list of buckets; more and emptier ones when so many more stays would overfill them. */
  #roomFor(more: number): Bucket[] {
    const size = this.size + more;
    if (size <= this.#buckets.length * MAX_A_BUCKET) return [...this.#buckets];
    const buckets = Array.from({ length: Math.ceil(size / STAYS_A_BUCKET) }, (): PlanStay[] => []);
    for (const stay of this) buckets[bucketOf(stay.reservationId, buckets.length)]!.push(stay);
    return buckets;
  }
}

/** By FNV-1a. */
function bucketOf(id: ReservationId, buckets: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % buckets;
}
