import type { Clock } from '../../src/ports/clock.ts';
import type { CommitResult, SealedBatch } from '../../src/ports/property-store.ts';
import { addressKey } from '../../src/domain/caller.ts';
import { FakeStore } from '../../src/testing/fake-store.ts';
import type { World } from './world.ts';

/** The database of a simulation: the rules of the commit function, leases, and the moment of each commit. */
export class Database {
  readonly store: FakeStore;
  /** When each number of a property was committed, by `<property> <seq>`. */
  readonly committedAt = new Map<string, number>();
  readonly leases = new Map<string, number>();
  readonly #world: World;
  #awayUntil = 0;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.store = new FakeStore(clock);
  }

  /** Failing over: nothing is answered. */
  get away(): boolean {
    return this.#world.time.now < this.#awayUntil;
  }

  failOver(milliseconds: number): void {
    this.#awayUntil = this.#world.time.now + milliseconds;
  }

  async execute(lane: number, batches: readonly SealedBatch[]): Promise<CommitResult> {
    const result = await this.store.commit(lane, batches);
    if (result.outcome !== 'committed') return result;
    for (const { to, entries } of batches)
      for (const { seq } of entries) {
        const number = `${addressKey(to)} ${seq}`;
        if (!this.committedAt.has(number)) this.committedAt.set(number, this.#world.time.now);
      }
    return result;
  }
}
