/** Duration of a lease without renewal (docs/concepts/cluster.md#lease). */
export const LEASE_MS = 5_000;
/** Age from which a lease, renewed every second, is overdue: reads then say that they may be stale. */
const OVERDUE_MS = 1_500;

/** Renewed in time; overdue but valid; lost. */
export type LeaseState = 'fresh' | 'overdue' | 'lost';

const VALID_UNTIL = 0;
const TERM = 1;

/**
 * Shared memory in which the lease thread publishes until when the lease holds, by the main thread's
 * clock, and how often it was lost. No message is needed: a blocked main thread would read it too late and trust an
 * expired lease.
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

  /** Records a loss, which must be acknowledged. @returns its number */
  lose(): number {
    Atomics.store(this.#cells, VALID_UNTIL, 0n);
    return Number(Atomics.add(this.#cells, TERM, 1n)) + 1;
  }

  /** @param losses that the main thread has handled: after an unhandled one nothing holds */
  state(losses: number, now = performance.now()): LeaseState {
    // In this order: a lease of a later term must not be taken for one of this term.
    const left = Number(Atomics.load(this.#cells, VALID_UNTIL)) / 1_000 - now;
    if (Number(Atomics.load(this.#cells, TERM)) !== losses || left <= 0) return 'lost';
    return left < LEASE_MS - OVERDUE_MS ? 'overdue' : 'fresh';
  }
}
