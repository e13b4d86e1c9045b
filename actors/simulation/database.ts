import type { Clock } from '../../src/kernel/ports.ts';
import { type Address, addressKey } from '../../src/kernel/rules/caller.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { CommitResult, FinalizedBatch } from '../../src/property-store/ports.ts';
import { FakeStore } from '../../src/testing/fake-store.ts';
import { Prices } from './prices.ts';
import type { SimulatedWorld } from './world.ts';

/** The database of a simulation: rules of the commit function, leases, and commit times. */
export class SimulatedDatabase {
  readonly store: FakeStore;
  /** Commit time of each number of a property, by `<property> <seq>`. */
  readonly committedAt = new Map<string, number>();
  /** Prices of every night over time. */
  readonly prices = new Prices();
  readonly leases = new Map<string, number>();
  readonly #world: SimulatedWorld;
  #awayUntil = 0;

  constructor(world: SimulatedWorld, clock: Clock) {
    this.#world = world;
    this.store = new FakeStore(clock);
  }

  /** Whether the database is failing over: nothing is answered. */
  get away(): boolean {
    return this.#world.time.now < this.#awayUntil;
  }

  failOver(milliseconds: number): void {
    this.#awayUntil = this.#world.time.now + milliseconds;
  }

  async execute(lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult> {
    const result = await this.store.commit(lane, batches);
    if (result.outcome !== 'committed') return result;
    for (const { to, entries } of batches)
      for (const { seq, type, facts } of entries) {
        // Not from the rows: two changes in one batch leave only the last, and something may be sold between them.
        if (type === 'SET_BASE_RATES')
          for (const [roomType, day, , , , , , rate] of facts.cells ?? [])
            this.#price(to, roomType, day, rate!, 'owner');
        const number = `${addressKey(to)} ${seq}`;
        if (!this.committedAt.has(number)) this.committedAt.set(number, this.#world.time.now);
      }
    return result;
  }

  /** Changes the price of a night externally, without the owner. */
  changeRate(to: Address, roomType: string, day: Day, rate: Minor): void {
    this.store.changeRates(to, ({ rates }) =>
      rates.set(`${roomType} ${day}`, { roomType, day, rate, multiplier: 100, amount: 0 }),
    );
    this.#price(to, roomType, day, rate, 'stranger');
  }

  #price({ propertyId: property }: Address, roomType: string, day: Day, rate: Minor, by: 'owner' | 'stranger'): void {
    this.prices.set({ property, roomType, day, rate }, this.#world.time.now, by);
  }
}
