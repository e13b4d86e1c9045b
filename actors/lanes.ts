import { addressKey } from '../src/domain/caller.ts';
import type { CommitResult, PropertyStore, SealedBatch } from '../src/ports/property-store.ts';
import { BATCH_COMMANDS, CALL_BATCHES, CALL_CELLS } from './limits.ts';

type Queued = { batch: SealedBatch; done(result: CommitResult): void };

/**
 * Commit lanes: actors own no connections. Each lane has one, and while its call runs, the sealed batches of its
 * actors gather for the next (architecture.md 3). A batch that cannot be written does not harm the others: the call
 * is taken apart until the bad one stands alone.
 */
export class Lanes {
  readonly #store: PropertyStore;
  readonly #lanes: Lane[];

  constructor(store: PropertyStore, count: number) {
    this.#store = store;
    this.#lanes = Array.from({ length: count }, (_, index) => new Lane(index, this.#store));
  }

  commit(batch: SealedBatch): Promise<CommitResult> {
    return this.#lanes[hash(addressKey(batch.to)) % this.#lanes.length]!.commit(batch);
  }

  get queued(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.queued, 0);
  }
}

class Lane {
  readonly #index: number;
  readonly #store: PropertyStore;
  readonly #queue: Queued[] = [];
  #running = false;

  constructor(index: number, store: PropertyStore) {
    this.#index = index;
    this.#store = store;
  }

  get queued(): number {
    return this.#queue.length;
  }

  commit(batch: SealedBatch): Promise<CommitResult> {
    return new Promise((done) => {
      this.#queue.push({ batch, done });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) await this.#write(this.#take());
    this.#running = false;
  }

  /** At most so many commands, cells and batches as one call may have; always at least one batch. */
  #take(): Queued[] {
    let [commands, cells, count] = [0, 0, 0];
    for (const { batch } of this.#queue) {
      commands += batch.entries.length;
      cells += batch.changes.cells.length + batch.changes.rates.length;
      if (count > 0 && (commands > BATCH_COMMANDS || cells > CALL_CELLS || count >= CALL_BATCHES)) break;
      count += 1;
    }
    return this.#queue.splice(0, count).sort((a, b) => (addressKey(a.batch.to) < addressKey(b.batch.to) ? -1 : 1));
  }

  async #write(call: Queued[]): Promise<void> {
    const batches = call.map(({ batch }) => batch);
    // A store that throws has said nothing; a lane that stopped here would keep its actors waiting for ever.
    const result = await this.#store.commit(this.#index, batches).catch(() => ({ outcome: 'unknown' }) as const);
    switch (result.outcome) {
      case 'committed':
      case 'unavailable':
      case 'unknown':
        for (const { done } of call) done(result);
        return;
      case 'known-keys':
      case 'fenced':
        return this.#leaveOut(call, result);
      case 'rejected':
        return this.#bisect(call, result);
    }
  }

  /** Nothing was written. Those that the result names are told; the rest is sent again. */
  async #leaveOut(call: Queued[], result: CommitResult & { outcome: 'known-keys' | 'fenced' }): Promise<void> {
    const named = result.outcome === 'fenced' ? result.properties : result.keys.map(({ to }) => to);
    const names = new Set(named.map(addressKey));
    const rest = call.filter(({ batch, done }) => {
      const name = addressKey(batch.to);
      if (!names.has(name)) return true;
      // Only its own keys: another tenant may use the same text (I8).
      if (result.outcome === 'fenced') done(result);
      else done({ ...result, keys: result.keys.filter(({ to }) => addressKey(to) === name) });
      return false;
    });
    if (rest.length === call.length) for (const { done } of rest) done({ outcome: 'unknown' });
    else if (rest.length > 0) await this.#write(rest);
  }

  async #bisect(call: Queued[], result: CommitResult): Promise<void> {
    if (call.length === 1) {
      call[0]!.done(result);
      return;
    }
    const half = call.length >> 1;
    await this.#write(call.slice(0, half));
    await this.#write(call.slice(half));
  }
}

/** FNV-1a: spreads properties over lanes, the same in every process. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
