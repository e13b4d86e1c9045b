/** How long a lease holds without renewal (docs/concepts/cluster.md#lease). */
export const LEASE_MS = 5_000;
/** What is renewed every second and has not been for so long is overdue: reads say that they may be stale. */
const OVERDUE_MS = 1_500;

/** Renewed in time; not renewed in time, but it holds; gone. */
export type LeaseState = 'fresh' | 'overdue' | 'lost';

const VALID_UNTIL = 0;
const TERM = 1;

/**
 * What the main thread knows of the lease that another thread keeps, without waiting for a message: until when it
 * holds, on the main thread's clock, and how often it was lost. A main loop that was held up may still believe it.
 */
export class LeaseMemory {
  readonly shared: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(shared = new SharedArrayBuffer(16)) {
    this.shared = shared;
    this.#cells = new BigInt64Array(shared);
  }

  /** @param until milliseconds of the main thread's scheduler */
  hold(until: number): void {
    Atomics.store(this.#cells, VALID_UNTIL, BigInt(Math.floor(until * 1_000)));
  }

  /** Lost, until the other side has acknowledged this loss: its number is returned. */
  lose(): number {
    Atomics.store(this.#cells, VALID_UNTIL, 0n);
    return Number(Atomics.add(this.#cells, TERM, 1n)) + 1;
  }

  /** @param losses those that the main thread has acted on: after one that it has not, nothing holds */
  state(losses: number, now = performance.now()): LeaseState {
    // In this order: a lease of a later term is never taken for one of this.
    const left = Number(Atomics.load(this.#cells, VALID_UNTIL)) / 1_000 - now;
    if (Number(Atomics.load(this.#cells, TERM)) !== losses || left <= 0) return 'lost';
    return left < LEASE_MS - OVERDUE_MS ? 'overdue' : 'fresh';
  }
}
