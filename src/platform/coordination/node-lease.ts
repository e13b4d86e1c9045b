import type { Client } from 'pg';

import {
  type Log,
  type ScheduledRun,
  type Scheduler,
  THREAD_SCHEDULER,
  type TimeReading,
} from '../../kernel/ports.ts';
import { DRAIN_MS } from '../../kernel/rules/drain.ts';
import { type KeeperThread, LeaseThread } from './keeper-thread.ts';
import type { FromKeeper } from './lease-keeper.ts';
import type { LeaseState } from './lease-memory.ts';
import type { NodeRow } from './lease.ts';

/** Pause before the thread that replaces another one begins. */
const RESTART_MS = 500;
/** Interval in which the lease thread gets the main thread's clock. Without it the main thread is considered dead. */
const CLOCK_EVERY_MS = 1_000;
/** Consecutive clocks without an answer after which the thread is considered dead and replaced. */
const MAX_UNANSWERED = 20;

export type NodeLeaseOptions = {
  node: NodeRow;
  databaseUrl: string;
  /** The connection for the few queries across tenants; the lease does not depend on it. */
  client(): Promise<Client>;
  log: Log;
  /** Called regularly with the database's time. */
  renewed(time: TimeReading): void;
  /** A thread started before the database was ready, to save time. */
  thread?: KeeperThread;
  /** Starts a replacement of a thread that ended or hangs: a {@link LeaseThread}, except in simulations. */
  startThread?(): KeeperThread;
  scheduler?: Scheduler;
  /** {@link CLOCK_EVERY_MS}, in tests. */
  clockEveryMs?: number;
};

/**
 * This node's lease as seen by the main thread. Its state is read from memory shared with the lease thread, so that it
 * is right even while no message gets through. After a loss it holds again only when all listeners were notified.
 */
export class NodeLease implements AsyncDisposable {
  readonly #options: NodeLeaseOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #scheduler: Scheduler;
  #thread: KeeperThread;
  #losses = 0;
  #taken: PromiseWithResolvers<void> | undefined;
  #ended = false;
  /** Given up by this thread, and not yet confirmed by the other. */
  #givenUp = false;
  #renewedAt = 0;
  #unanswered = 0;
  readonly #clock: ScheduledRun;

  private constructor(options: NodeLeaseOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? THREAD_SCHEDULER;
    this.#thread = options.thread ?? this.#startThread();
    // By a separate timer, not as a reply: without renewals neither side would start.
    this.#clock = this.#scheduler.every(options.clockEveryMs ?? CLOCK_EVERY_MS, () => this.#sendClock());
    this.#clock.unref();
  }

  /** @throws Error with one clear line when another process has the node's lock */
  static async take(options: NodeLeaseOptions): Promise<NodeLease> {
    const lease = new NodeLease(options);
    lease.#taken = Promise.withResolvers();
    lease.#begin(false);
    try {
      await lease.#taken.promise;
      return lease;
    } catch (error) {
      lease.#ended = true;
      lease.#clock.cancel();
      await lease.#thread.terminate();
      throw error;
    }
  }

  /** Whether this node may own properties now, including reads. */
  get held(): boolean {
    return this.state !== 'lost';
  }

  /** Seconds since PostgreSQL last confirmed the lease, or since the start of the process. */
  get ageSeconds(): number {
    return (this.#scheduler.now() - this.#renewedAt) / 1_000;
  }

  get state(): LeaseState {
    return this.#ended || this.#givenUp ? 'lost' : this.#thread.memory.state(this.#losses, this.#scheduler.now());
  }

  /**
   * Gives the lease up and takes it anew, because this node cannot serve what it owns, such as when its commits get no
   * answer. The lease does not hold from now on; in a cluster other nodes take over.
   * @param why for operators
   */
  giveUp(why: string): void {
    if (!this.held) return;
    this.#givenUp = true;
    this.#thread.send({ type: 'give-up', why });
  }

  /** Called at each loss before the lease can be held again: everything owned must be given up then. */
  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The connection for the few queries across tenants. */
  client(): Promise<Client> {
    return this.#options.client();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#clock.cancel();
    const thread = this.#thread;
    thread.send({ type: 'end' });
    await this.#within(DRAIN_MS.lease, thread.ended);
    await thread.terminate();
  }

  #begin(isAgain: boolean): void {
    const thread = this.#thread;
    const { shared } = thread.memory;
    const { node, databaseUrl } = this.#options;
    thread.listen(
      // Messages of a replaced thread may still be under way; its losses are not those of its successor.
      (message) => void (thread === this.#thread && this.#notified(message)),
      (why) => this.#died(thread, why),
    );
    thread.send({ type: 'take', node, databaseUrl, shared, now: this.#scheduler.now(), isAgain });
  }

  #notified(message: FromKeeper): void {
    const { log, node, renewed } = this.#options;
    switch (message.type) {
      case 'begun':
        return this.#sendClock();
      case 'heard':
        this.#unanswered = 0;
        return;
      case 'taken':
        this.#taken?.resolve();
        this.#taken = undefined;
        return;
      case 'refused':
        return this.#taken?.reject(new Error(message.why));
      case 'renewed':
        this.#renewedAt = this.#scheduler.now();
        return renewed(message.time);
      case 'lost':
        return this.#lost(message.why, message.losses);
      case 'waits':
        return log.warn({ node: node.nodeId, why: message.why }, 'the lease is not taken again yet; it is tried on');
      case 'retaken':
        return log.info({ node: node.nodeId }, 'lease taken again');
      case 'ended':
        return void this.#thread.terminate();
    }
  }

  #lost(why: string, losses: number): void {
    if (this.#ended) return;
    this.#options.log.error({ node: this.#options.node.nodeId, why }, 'lease lost');
    for (const listener of this.#listeners) listener();
    this.#losses = losses;
    this.#givenUp = false;
  }

  #sendClock(): void {
    this.#unanswered += 1;
    this.#thread.send({ type: 'clock', now: this.#scheduler.now() });
    if (this.#unanswered > MAX_UNANSWERED) this.#replaceThread();
  }

  /**
   * A hanging thread renews nothing: without it the lease ends, and a new thread takes it again. Before the first lease
   * there is nothing to lose, but the start waits for it: a thread that hangs then would hold the start up for ever.
   */
  #replaceThread(): void {
    const thread = this.#thread;
    if (this.#taken) {
      const { log, node } = this.#options;
      log.warn({ node: node.nodeId }, 'the thread of the lease does not answer; another one takes the lease');
      this.#startSuccessor(false);
    } else this.#died(thread, 'it does not answer');
    void thread.terminate();
  }

  /** Without the thread nobody renews: treated as a lost connection. */
  #died(thread: KeeperThread, why: string): void {
    if (this.#ended || thread !== this.#thread) return;
    if (this.#taken) return this.#taken.reject(new Error(`the thread of the lease ended: ${why}`));
    this.#startSuccessor(true);
    this.#lost(`the thread of the lease ended: ${why}`, 0);
  }

  #startSuccessor(isAgain: boolean): void {
    this.#thread = this.#startThread();
    this.#unanswered = 0;
    this.#scheduler.after(RESTART_MS, () => (this.#ended ? void this.#thread.terminate() : this.#begin(isAgain)));
  }

  #startThread(): KeeperThread {
    return this.#options.startThread?.() ?? new LeaseThread();
  }

  /** The timer keeps no process alive. */
  async #within(limitMs: number, work: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const late = this.#scheduler.after(limitMs, resolve);
      late.unref();
      void work.then(() => (late.cancel(), resolve()));
    });
  }
}
