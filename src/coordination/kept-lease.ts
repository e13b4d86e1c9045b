import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Client } from 'pg';

import { DRAIN_MS } from '../domain/drain.ts';
import type { TimeReading } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { NodeRow } from './lease.ts';
import type { FromKeeper, ToKeeper } from './lease-keeper.ts';
import { LeaseMemory, type LeaseState } from './lease-memory.ts';

/** A thread that ended of itself is started again after this. */
const RESTART_MS = 500;

export type KeptLeaseOptions = {
  node: NodeRow;
  databaseUrl: string;
  /** The connection for the few questions that span tenants; the lease does not depend on it. */
  client(): Promise<Client>;
  log: Log;
  /** Told the database's time now and then. */
  renewed(time: TimeReading): void;
  /** One that was started before the database was ready, to save the time that it takes. */
  thread?: LeaseThread;
};

/** The thread that keeps the lease of this node (architecture.md 4): begins to load as soon as it is made. */
export class LeaseThread {
  readonly worker = new Worker(new URL('../lease-thread.ts', import.meta.url));
  readonly memory = new LeaseMemory();

  constructor() {
    // Nothing waits for it yet: a start that fails may end.
    this.worker.unref();
  }

  send(message: ToKeeper): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.worker.postMessage(message);
  }
}

/**
 * The lease of this node as its main thread sees it. Whether it holds is read from memory that both threads share, so
 * that it is true also while no message gets through; after a loss it holds again only when all were told of the loss.
 */
export class KeptLease implements AsyncDisposable {
  readonly #options: KeptLeaseOptions;
  readonly #listeners: (() => void)[] = [];
  #thread: LeaseThread;
  #losses = 0;
  #taken: PromiseWithResolvers<void> | undefined;
  #ended = false;
  #renewedAt = 0;

  private constructor(options: KeptLeaseOptions) {
    this.#options = options;
    this.#thread = options.thread ?? new LeaseThread();
  }

  /** @throws Error with one clear line when another process has the node's lock */
  static async take(options: KeptLeaseOptions): Promise<KeptLease> {
    const kept = new KeptLease(options);
    kept.#taken = Promise.withResolvers();
    kept.#begin();
    try {
      await kept.#taken.promise;
      return kept;
    } catch (error) {
      kept.#ended = true;
      await kept.#thread.worker.terminate();
      throw error;
    }
  }

  /** Whether this node may own properties right now, reads included. */
  get held(): boolean {
    return this.state !== 'lost';
  }

  /** Seconds since PostgreSQL last said that it holds; since the start of the process where it never did. */
  get ageSeconds(): number {
    return (performance.now() - this.#renewedAt) / 1_000;
  }

  get state(): LeaseState {
    return this.#ended ? 'lost' : this.#thread.memory.state(this.#losses);
  }

  /** Told of each loss before the lease can be held again: what was owned must be given up then. */
  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The connection for the few questions that span tenants. */
  client(): Promise<Client> {
    return this.#options.client();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    const { worker } = this.#thread;
    const ended = once(worker, 'exit').catch(() => undefined);
    this.#thread.send({ type: 'end' });
    await Promise.race([ended, pause(DRAIN_MS.lease, undefined, { ref: false })]);
    await worker.terminate();
  }

  #begin(): void {
    const thread = this.#thread;
    const { node, databaseUrl } = this.#options;
    thread.worker.ref();
    thread.worker.on('message', (message: FromKeeper) => this.#told(message));
    thread.worker.on('error', (error: unknown) => this.#died(thread, String(error)));
    thread.worker.on('exit', () => this.#died(thread, 'it ended'));
    thread.send({ type: 'take', node, databaseUrl, shared: thread.memory.shared, now: performance.now() });
  }

  #told(message: FromKeeper): void {
    const { log, node, renewed } = this.#options;
    switch (message.type) {
      case 'begun':
        return this.#thread.send({ type: 'clock', now: performance.now() });
      case 'taken':
        this.#taken?.resolve();
        this.#taken = undefined;
        return;
      case 'refused':
        return this.#refused(message.why);
      case 'renewed':
        this.#renewedAt = performance.now();
        renewed(message.time);
        return this.#thread.send({ type: 'clock', now: performance.now() });
      case 'lost':
        return this.#lost(message.why, message.losses);
      case 'waits':
        return log.warn({ node: node.nodeId, why: message.why }, 'lease not taken again yet');
      case 'ended':
        return void this.#thread.worker.terminate();
    }
  }

  #lost(why: string, losses: number): void {
    if (this.#ended) return;
    this.#options.log.error({ node: this.#options.node.nodeId, why }, 'lease lost');
    for (const listener of this.#listeners) listener();
    this.#losses = losses;
  }

  #refused(why: string): void {
    if (this.#taken) return this.#taken.reject(new Error(why));
    // A thread that was started again: so is the next one.
    void this.#thread.worker.terminate();
  }

  /** Without the thread nobody renews: as bad as a lost connection. */
  #died(thread: LeaseThread, why: string): void {
    if (this.#ended || thread !== this.#thread) return;
    if (this.#taken) return this.#taken.reject(new Error(`the thread of the lease ended: ${why}`));
    this.#thread = new LeaseThread();
    this.#lost(`the thread of the lease ended: ${why}`, 0);
    setTimeout(() => (this.#ended ? void this.#thread.worker.terminate() : this.#begin()), RESTART_MS);
  }
}
