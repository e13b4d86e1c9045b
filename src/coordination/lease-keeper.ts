import type { Client } from 'pg';

import type { TimeReading } from '../ports/clock.ts';
import { Lease, type NodeRow, type Renewal } from './lease.ts';
import { LeaseMemory } from './lease-memory.ts';

const RETRY_MS = 500;
/** Clocks are read in steps; a lease is rather given up too early. */
const CLOCK_STEP_MS = 1;
/** A main thread that has said nothing for so long serves nobody: others may. It speaks once a second. */
const SILENCE_MS = 20_000;

/** What the main thread tells the one that keeps its lease; `now` is its `performance.now()`. */
export type ToKeeper =
  | { type: 'take'; node: NodeRow; databaseUrl: string; shared: SharedArrayBuffer; now: number }
  | { type: 'clock'; now: number }
  | { type: 'end' };

/** And what it is told. */
export type FromKeeper =
  /** It was told what to take: the clock of the main thread is asked for once more, without what loading took. */
  | { type: 'begun' }
  | { type: 'taken' }
  | { type: 'refused'; why: string }
  | { type: 'renewed'; time: TimeReading }
  /** The lease is gone; `losses` counts them. */
  | { type: 'lost'; why: string; losses: number }
  /** It could not be taken again yet. */
  | { type: 'waits'; why: string }
  | { type: 'ended' };

export type KeeperOptions = {
  /** A connection for a lease. */
  connect(databaseUrl: string): Promise<Client>;
  tell(message: FromKeeper): void;
  /** {@link SILENCE_MS}, in tests. */
  silenceMs?: number;
};

/**
 * Keeps the lease of a node in a thread of its own, so that neither a busy main loop loses it nor a sleeping one is
 * believed, nor one that hangs keeps it; a lease that was lost is taken again, so that a database that comes back finds
 * its node at work.
 */
export class LeaseKeeper {
  readonly #options: KeeperOptions;
  #memory = new LeaseMemory();
  #taking: { node: NodeRow; databaseUrl: string } | undefined;
  #lease: Lease | undefined;
  /** By how much the main thread's clock is ahead of ours, at least. */
  #ahead = -Infinity;
  #validUntil = 0;
  /** When the main thread last said something. */
  #heardAt = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #said = '';
  #ended = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  told(message: ToKeeper): void {
    if (message.type === 'end') return void this.#end();
    this.#heardAt = performance.now();
    // It was on its way for a while, so the difference is rather more: the greatest is the nearest.
    const ahead = message.now - performance.now() - CLOCK_STEP_MS;
    if (ahead > this.#ahead) {
      this.#ahead = ahead;
      if (this.#lease?.held) this.#memory.hold(this.#validUntil + ahead);
    }
    if (message.type === 'clock') return;
    this.#memory = new LeaseMemory(message.shared);
    this.#taking = message;
    const { tell } = this.#options;
    tell({ type: 'begun' });
    this.#take().then(
      () => tell({ type: 'taken' }),
      (error: unknown) => tell({ type: 'refused', why: textOf(error) }),
    );
  }

  async #take(): Promise<void> {
    const { node, databaseUrl } = this.#taking!;
    const client = await this.#options.connect(databaseUrl);
    try {
      const lease = await Lease.take({
        ...{ node, client },
        renewed: (renewal) => this.#renewed(renewal),
        lost: (why) => this.#lost(why, client),
      });
      this.#lease = lease;
      if (this.#ended) await lease[Symbol.asyncDispose]();
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  #renewed({ validUntil, time }: Renewal): void {
    this.#validUntil = validUntil;
    if (this.#isSilent) return this.#lease?.giveUp('the main thread stands still');
    this.#memory.hold(validUntil + this.#ahead);
    this.#options.tell({ type: 'renewed', time });
  }

  get #isSilent(): boolean {
    return performance.now() - this.#heardAt > (this.#options.silenceMs ?? SILENCE_MS);
  }

  #lost(why: string, client: Client): void {
    const losses = this.#memory.lose();
    this.#lease = undefined;
    this.#options.tell({ type: 'lost', why, losses });
    client.end().catch(() => undefined);
    this.#takeAgain();
  }

  #takeAgain(): void {
    if (this.#ended) return;
    this.#again = setTimeout(() => {
      if (this.#isSilent) return this.#takeAgain();
      this.#take().then(
        () => (this.#said = ''),
        (error: unknown) => {
          const why = textOf(error);
          if (why !== this.#said) this.#options.tell({ type: 'waits', why });
          this.#said = why;
          this.#takeAgain();
        },
      );
    }, RETRY_MS);
  }

  async #end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#again);
    this.#memory.lose();
    await this.#lease?.[Symbol.asyncDispose]();
    this.#options.tell({ type: 'ended' });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
