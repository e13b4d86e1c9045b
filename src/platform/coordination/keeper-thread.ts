import { Worker } from 'node:worker_threads';

import type { FromKeeper, KeeperOptions, ToKeeper } from './lease-keeper.ts';
import { LeaseMemory } from './lease-memory.ts';

/** The thread that keeps a lease, as the main thread has it. */
export interface KeeperThread {
  /** Memory that both share. */
  readonly memory: LeaseMemory;
  /** From now on it is waited for. @param died why it ended by itself; it may be said more than once */
  listen(hear: (message: FromKeeper) => void, died: (why: string) => void): void;
  send(message: ToKeeper): void;
  terminate(): Promise<unknown>;
  /** Once it has ended. */
  readonly ended: Promise<unknown>;
}

/** What the thread is started with. */
export type LeaseThreadData = Pick<KeeperOptions, 'silenceMs'>;

/**
 * The thread that keeps the lease of this node (docs/concepts/cluster.md#lease): begins to load as soon as it is made.
 */
export class LeaseThread implements KeeperThread {
  readonly worker: Worker;
  readonly memory = new LeaseMemory();
  readonly ended: Promise<void>;

  /** @param workerData what tests set: how long the main thread may be silent */
  constructor(workerData: LeaseThreadData = {}, program = new URL('./lease-thread.ts', import.meta.url)) {
    this.worker = new Worker(program, { workerData });
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    // Nothing waits for it yet: a start that fails may end.
    this.worker.unref();
  }

  listen(hear: (message: FromKeeper) => void, died: (why: string) => void): void {
    this.worker.ref();
    this.worker.on('message', hear);
    this.worker.on('error', (error: unknown) => died(String(error)));
    this.worker.on('exit', () => died('it ended'));
  }

  terminate(): Promise<unknown> {
    return this.worker.terminate();
  }

  send(message: ToKeeper): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.worker.postMessage(message);
  }
}
