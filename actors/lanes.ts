import { addressKey } from '../src/kernel/rules/caller.ts';
import type { Changes, CommitResult, PropertyStore, FinalizedBatch } from '../src/property-store/ports.ts';
import { AHEAD_CALL_COMMANDS, BATCH_COMMANDS, CALL_BATCHES, CALL_CELLS, CALLS } from './limits.ts';

type Queued = { batch: FinalizedBatch; done(result: CommitResult): void };

/**
 * Commit lanes write the batches of many actors over a few connections. Each lane has one connection. While its calls
 * run, finalized batches of its actors are collected for the next call
 * (docs/concepts/commit-and-fence.md#commit-lanes). When a call fails because of one batch, it is split until that
 * batch is alone, so that the others are written.
 */
export class Lanes {
  readonly #store: PropertyStore;
  readonly #lanes: Lane[];

  constructor(store: PropertyStore, count: number) {
    this.#store = store;
    this.#lanes = Array.from({ length: count }, (_, index) => new Lane(index, this.#store));
  }

  commit(batch: FinalizedBatch): Promise<CommitResult> {
    return this.#lanes[hash(addressKey(batch.to)) % this.#lanes.length]!.commit(batch);
  }

  get queued(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.queued, 0);
  }
}

/**
 * Attempts when two properties claim one idempotency key at the same time: the second attempt finds the first one's
 * row.
 */
const CLAIM_TRIES = 3;

/** A merged call under way. */
type Call = { batches: Queued[]; result: Promise<CommitResult> };

class Lane {
  readonly #index: number;
  readonly #store: PropertyStore;
  readonly #queue: Queued[] = [];
  /** Calls under way, oldest first. The second is already at the database when it finishes the first. */
  readonly #sent: Call[] = [];
  #receiving = false;
  #mending = false;

  constructor(index: number, store: PropertyStore) {
    this.#index = index;
    this.#store = store;
  }

  get queued(): number {
    return this.#queue.length;
  }

  commit(batch: FinalizedBatch): Promise<CommitResult> {
    return new Promise((done) => {
      this.#queue.push({ batch, done });
      this.#send();
      if (!this.#receiving) void this.#receive();
    });
  }

  #send(): void {
    while (!this.#mending && this.#queue.length > 0 && this.#mayCall()) {
      const batches = this.#take();
      this.#sent.push({ batches, result: this.#call(batches) });
    }
  }

  /**
   * Sends a second call only when many commands wait: it could not start earlier anyway, and merges more of them
   * later.
   */
  #mayCall(): boolean {
    return this.#sent.length === 0 || (this.#sent.length < CALLS && this.#waitsMuch());
  }

  /** Also true when a property follows its own batch: its actor has already collected enough commands for that. */
  #waitsMuch(): boolean {
    const sent = new Set(this.#sent.flatMap(({ batches }) => batches.map(({ batch }) => addressKey(batch.to))));
    let commands = 0;
    return this.#queue.some(
      ({ batch }) => (commands += batch.entries.length) >= AHEAD_CALL_COMMANDS || sent.has(addressKey(batch.to)),
    );
  }

  /**
   * A store that throws leaves the outcome unknown. Without the catch, this lane would stop and its actors wait for
   * ever.
   */
  #call(batches: Queued[]): Promise<CommitResult> {
    const sealed = batches.map(({ batch }) => batch);
    return this.#store.commit(this.#index, sealed).catch(() => ({ outcome: 'unknown' }) as const);
  }

  async #receive(): Promise<void> {
    this.#receiving = true;
    for (let first = this.#sent[0]; first; first = this.#sent[0]) {
      const result = await first.result;
      if (result.outcome === 'committed') {
        this.#sent.shift();
        report(first.batches, result);
      } else await this.#mend();
      this.#send();
    }
    this.#receiving = false;
  }

  /** Handles a call that was not written. Later batches of the same properties were not written either. */
  async #mend(): Promise<void> {
    this.#mending = true;
    const calls = this.#sent.splice(0);
    const results = await Promise.all(calls.map((call) => call.result));
    const failed = new Set<string>();
    for (const [index, { batches }] of calls.entries()) {
      const came = results[index]!;
      if (came.outcome === 'committed' || came.outcome === 'unknown') {
        report(batches, came);
        continue;
      }
      const [overtaken, rest] = split(batches, ({ batch }) => failed.has(addressKey(batch.to)));
      for (const { batch } of batches) failed.add(addressKey(batch.to));
      report(overtaken, { outcome: 'overtaken' });
      if (overtaken.length === 0) await this.#explain(rest, came);
      else if (rest.length > 0) await this.#write(rest);
    }
    this.#mending = false;
  }

  /**
   * Takes the batches of the next call: at most one per property, within the limits of a call, and always at least
   * one.
   */
  #take(): Queued[] {
    let commands = 0;
    let cells = 0;
    let count = 0;
    const properties = new Set<string>();
    for (const { batch } of this.#queue) {
      commands += batch.entries.length;
      cells += rowsOfNights(batch.changes);
      if (count > 0 && (commands > BATCH_COMMANDS || cells > CALL_CELLS || count >= CALL_BATCHES)) break;
      if (properties.size === properties.add(addressKey(batch.to)).size) break;
      count += 1;
    }
    return this.#queue.splice(0, count).sort((a, b) => (addressKey(a.batch.to) < addressKey(b.batch.to) ? -1 : 1));
  }

  /** Writes batches while nothing else is under way. */
  async #write(batches: Queued[], tries = 1): Promise<void> {
    await this.#explain(batches, await this.#call(batches), tries);
  }

  async #explain(batches: Queued[], result: CommitResult, tries = 1): Promise<void> {
    switch (result.outcome) {
      case 'raced':
        if (tries < CLAIM_TRIES) return this.#write(batches, tries + 1);
        return this.#bisect(batches, {
          outcome: 'rejected',
          reason: 'poison',
          detail: 'another transaction was in the way again and again',
        });
      case 'committed':
      case 'unavailable':
      case 'overtaken':
      case 'unknown':
        return report(batches, result);
      case 'known-keys':
      case 'fenced':
        return this.#leaveOut(batches, result);
      case 'rejected':
        return this.#bisect(batches, result);
    }
  }

  /** Nothing was written. Batches named in the result get their error; the others are sent again. */
  async #leaveOut(batches: Queued[], result: CommitResult & { outcome: 'known-keys' | 'fenced' }): Promise<void> {
    const named = result.outcome === 'fenced' ? result.properties : result.keys.map(({ to }) => to);
    const names = new Set(named.map(addressKey));
    const [out, rest] = split(batches, ({ batch }) => names.has(addressKey(batch.to)));
    for (const { batch, done } of out) {
      const name = addressKey(batch.to);
      // Only this property's own keys: another tenant may use the same text (I8).
      if (result.outcome === 'fenced') done(result);
      else done({ ...result, keys: result.keys.filter(({ to }) => addressKey(to) === name) });
    }
    if (out.length === 0) report(rest, { outcome: 'unknown' });
    else if (rest.length > 0) await this.#write(rest);
  }

  async #bisect(batches: Queued[], result: CommitResult): Promise<void> {
    if (batches.length === 1) return report(batches, result);
    const half = batches.length >> 1;
    await this.#write(batches.slice(0, half));
    await this.#write(batches.slice(half));
  }
}

/** Size of a call: the rows of commands that cover many nights. */
function rowsOfNights({ cells, books, rates, signals, restrictions, promotions, groups }: Changes): number {
  const claimed = [
    ...promotions.map(({ nights }) => nights.length),
    ...groups.map(({ blocks, blocksRemoved }) => blocks.length + blocksRemoved.length),
  ];
  return (
    cells.length +
    books.length +
    rates.length +
    signals.length +
    restrictions.length +
    claimed.reduce((sum, rows) => sum + rows, 0)
  );
}

function report(batches: readonly Queued[], result: CommitResult): void {
  for (const { done } of batches) done(result);
}

function split<T>(list: readonly T[], first: (item: T) => boolean): [T[], T[]] {
  return [list.filter(first), list.filter((item) => !first(item))];
}

/** FNV-1a hash: assigns a property to a lane, the same one in every process. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
