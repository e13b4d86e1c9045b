import { Worker } from 'node:worker_threads';

import type { FromKeeper, KeeperOptions, ToKeeper } from './lease-keeper.ts';
import { LeaseMemory } from './lease-memory.ts';

/** The main thread's view of the lease thread. */
export interface KeeperThread {
  /** Shared memory. */
  readonly memory: LeaseMemory;
  /**
   * Starts listening, and keeps the process alive for it.
   * @param died reason when it ended by itself; may be called more than once
   */
  listen(hear: (message: FromKeeper) => void, died: (why: string) => void): void;
  send(message: ToKeeper): void;
  terminate(): Promise<unknown>;
  /** Resolves once it has ended. */
  readonly ended: Promise<unknown>;
}

/** Start data of the thread. */
export type LeaseThreadData = Pick<KeeperOptions, 'silenceMs'>;

/** The thread that keeps this node's lease (docs/concepts/cluster.md#lease); it starts loading when created. */
export class LeaseThread implements KeeperThread {
  readonly worker: Worker;
  readonly memory = new LeaseMemory();
  readonly ended: Promise<void>;

  /** @param workerData set by tests: allowed silence of the main thread */
  constructor(workerData: LeaseThreadData = {}, program = new URL('./lease-thread.ts', import.meta.url)) {
    this.worker = new Worker(program, { workerData });
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    // Not awaited yet: a failed start may end.
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
