import type { Clock } from '../../src/kernel/ports.ts';
import { type Address, addressKey } from '../../src/kernel/rules/caller.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { CommitResult, FinalizedBatch } from '../../src/property-store/ports.ts';
import { FakeStore } from '../../src/testing/fake-store.ts';
import { Prices } from './prices.ts';
import { OversoldNights } from './scenario/oversold.ts';
import type { SimulationEvent, StoredStep } from './scenario/steps.ts';
import type { SimulatedWorld } from './world.ts';

/** The database of a simulation: rules of the commit function, leases, and commit times. */
export class SimulatedDatabase {
  readonly store: FakeStore;
  /** Commit time of each number of a property, by `<property> <seq>`. */
  readonly committedAt = new Map<string, number>();
  /** Prices of every night over time. */
  readonly prices = new Prices();
  readonly leases = new Map<string, number>();
  readonly oversold: OversoldNights;
  readonly #world: SimulatedWorld;
  #awayUntil = 0;

  constructor(world: SimulatedWorld, clock: Clock) {
    this.#world = world;
    this.store = new FakeStore(clock);
    this.oversold = new OversoldNights(this.store);
  }

  /** Whether the database is failing over: nothing is answered. */
  get away(): boolean {
    return this.#world.time.now < this.#awayUntil;
  }

  failOver(milliseconds: number): void {
    this.#awayUntil = this.#world.time.now + milliseconds;
  }

  /** A property as it is stored. */
  storedStep(to: Address): StoredStep {
    const { ownership } = this.store.properties.get(addressKey(to))!;
    const { epoch, seq } = ownership;
    return { property: to.propertyId, epoch, seq, nights: this.oversold.nights(to) };
  }

  /** Runs a statement of a node. */
  async execute(lane: number, batches: readonly FinalizedBatch[], by: string): Promise<CommitResult> {
    const behind = new Map(batches.map((batch) => [batch, this.#behindFence(batch)]));
    const result = await this.store.commit(lane, batches);
    for (const batch of batches) this.#seeCommit(batch, by, { result, behind: behind.get(batch) });
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

  /** What the fence has against a batch. */
  #behindFence({ to, epoch, oldSeq, oldHead }: FinalizedBatch): string | undefined {
    const stored = this.store.properties.get(addressKey(to))?.ownership;
    if (!stored || (stored.epoch === epoch && stored.seq === oldSeq && stored.head === oldHead)) return undefined;
    return `decided on epoch ${epoch}, seq ${oldSeq}; the database has epoch ${stored.epoch}, seq ${stored.seq}`;
  }

  #seeCommit(
    batch: FinalizedBatch,
    node: string,
    { result, behind }: { result: CommitResult; behind: string | undefined },
  ): void {
    const { to, epoch, entries } = batch;
    const property = to.propertyId;
    const see = (event: Omit<SimulationEvent, 'node' | 'property'>): void =>
      this.#world.see({ ...event, node, property });
    const numbers = entries.map(({ seq, type }) => `${seq} ${type}`).join(', ') || 'idempotency records only';
    if (result.outcome === 'committed') {
      const rows = entries.map(({ seq, type, requestId }) => ({ seq, epoch, type, by: node, requestId }));
      if (behind) see({ kind: 'unfenced', rows, text: `written without a fence for ${node}: ${numbers}; ${behind}` });
      else see({ kind: 'commit', rows, text: `commit of ${node} under epoch ${epoch}: ${numbers}` });
      for (const oversold of this.oversold.committed(batch)) {
        const { roomType, night, rooms, booked, held } = oversold;
        const counts = `${booked} booked and ${held} held, of ${rooms}`;
        see({
          kind: 'sold-twice',
          oversold,
          text: `${roomType} of ${property} on ${night} is sold twice: ${counts}`,
        });
      }
    } else if (behind && result.outcome === 'fenced')
      see({ kind: 'fenced', text: `the fence refuses ${node}: ${numbers}; ${behind}` });
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
