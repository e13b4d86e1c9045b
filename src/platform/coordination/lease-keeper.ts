import type { Client } from 'pg';

import { type ScheduledRun, type Scheduler, THREAD_SCHEDULER, type TimeReading } from '../../kernel/ports.ts';
import { LeaseMemory } from './lease-memory.ts';
import { Lease, type NodeRow, type Renewal } from './lease.ts';

const RETRY_MS = 500;
/** Clocks are read in steps, so the lease ends a step early. */
const CLOCK_STEP_MS = 1;
/** A main thread silent for this long serves nobody, so others may take over. It sends its clock once a second. */
const SILENCE_MS = 20_000;

/**
 * The connection of a lease. A renewal that takes longer is retried: the table may be locked, or the database hang.
 * The server ends a session without renewals for longer than a lease, with the node's lock: if the network was lost
 * silently, nothing else would end it, and its own node could not take the lease again.
 */
export const LEASE_CONNECTION = {
  settings: { statement_timeout: '2s', idle_session_timeout: '6s', application_name: 'innkeeper_lease' },
  answerWithinMs: 3_000,
  connectWithinMs: 3_000,
};

/** Messages of the main thread to the lease thread; `now` is the time of its scheduler. */
export type ToKeeper =
  | {
      type: 'take';
      node: NodeRow;
      databaseUrl: string;
      shared: SharedArrayBuffer;
      now: number;
      /** Set when it replaces a thread that ended: a lease that cannot be taken now is retried. */
      isAgain: boolean;
    }
  | { type: 'clock'; now: number }
  /** The main thread cannot use what it owns: the lease is given up and taken anew. */
  | { type: 'give-up'; why: string }
  | { type: 'end' };

/** Messages of the lease thread to the main thread. */
export type FromKeeper =
  /** The thread is ready: requests the main thread's clock again, without the loading time. */
  | { type: 'begun' }
  | { type: 'taken' }
  /** A clock has arrived: the thread works, with or without a lease. */
  | { type: 'heard' }
  | { type: 'refused'; why: string }
  | { type: 'renewed'; time: TimeReading }
  /** The lease is lost; `losses` counts them. */
  | { type: 'lost'; why: string; losses: number }
  /** The lease could not be taken again yet; sent once per reason. */
  | { type: 'waits'; why: string }
  /** The lease was taken again after a loss. */
  | { type: 'retaken' }
  | { type: 'ended' };

export type KeeperOptions = {
  /** Opens a connection for a lease. */
  connect(databaseUrl: string): Promise<Client>;
  notify(message: FromKeeper): void;
  /** {@link SILENCE_MS}, in tests. */
  silenceMs?: number;
  scheduler?: Scheduler;
};

/**
 * Keeps a node's lease in its own thread, so that a busy main thread does not lose it, a paused one does not trust it,
 * and a hanging one does not keep it. A lost lease is taken again, so that the node works when the database comes
 * back.
 */
export class LeaseKeeper {
  readonly #options: KeeperOptions;
  readonly #scheduler: Scheduler;
  #memory = new LeaseMemory();
  #takeMessage: { node: NodeRow; databaseUrl: string } | undefined;
  #lease: Lease | undefined;
  /** Lower bound of the main thread's clock lead over this thread's. */
  #ahead = -Infinity;
  #validUntil = 0;
  /** When the main thread last sent a message. */
  #heardAt = 0;
  #again: ScheduledRun | undefined;
  #said = '';
  #ended = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? THREAD_SCHEDULER;
  }

  notified(message: ToKeeper): void {
    if (message.type === 'end') return void this.#end();
    this.#heardAt = this.#scheduler.now();
    if (message.type !== 'give-up') this.#compareClocks(message.now);
    if (message.type === 'clock') return this.#options.notify({ type: 'heard' });
    if (message.type === 'give-up') return this.#lease?.giveUp(message.why);
    this.#memory = new LeaseMemory(message.shared);
    this.#takeMessage = message;
    const { notify } = this.#options;
    notify({ type: 'begun' });
    if (message.isAgain) return this.#takeAgain();
    this.#take().then(
      () => notify({ type: 'taken' }),
      (error: unknown) => notify({ type: 'refused', why: textOf(error) }),
    );
  }

  /** A reading was delayed on its way, so the true difference is larger: the largest one is the most accurate. */
  #compareClocks(now: number): void {
    const ahead = now - this.#scheduler.now() - CLOCK_STEP_MS;
    if (ahead <= this.#ahead) return;
    this.#ahead = ahead;
    if (this.#lease?.held) this.#memory.hold(this.#validUntil + ahead);
  }

  async #take(): Promise<void> {
    const { node, databaseUrl } = this.#takeMessage!;
    const client = await this.#options.connect(databaseUrl);
    try {
      const lease = await Lease.take({
        node,
        client,
        scheduler: this.#scheduler,
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
    this.#options.notify({ type: 'renewed', time });
  }

  get #isSilent(): boolean {
    return this.#scheduler.now() - this.#heardAt > (this.#options.silenceMs ?? SILENCE_MS);
  }

  #lost(why: string, client: Client): void {
    const losses = this.#memory.lose();
    this.#lease = undefined;
    this.#options.notify({ type: 'lost', why, losses });
    client.end().catch(() => undefined);
    this.#takeAgain();
  }

  #takeAgain(): void {
    if (this.#ended) return;
    this.#again = this.#scheduler.after(RETRY_MS, () => {
      if (this.#isSilent) return this.#takeAgain();
      this.#take().then(
        () => this.#retaken(),
        (error: unknown) => {
          const why = textOf(error);
          if (why !== this.#said) this.#options.notify({ type: 'waits', why });
          this.#said = why;
          this.#takeAgain();
        },
      );
    });
  }

  #retaken(): void {
    this.#said = '';
    this.#options.notify({ type: 'retaken' });
  }

  async #end(): Promise<void> {
    this.#ended = true;
    this.#again?.cancel();
    this.#memory.lose();
    await this.#lease?.[Symbol.asyncDispose]();
    this.#options.notify({ type: 'ended' });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
