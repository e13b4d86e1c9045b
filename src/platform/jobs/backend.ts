import type { Processor, Queue, QueueOptions, UnrecoverableError, WaitingError, Worker, WorkerOptions } from 'bullmq';

/** BullMQ over connections shared by any number of queues. */
export type Backend = {
  /** Where jobs are stored, as shown by health. */
  readonly name: 'PostgreSQL' | 'Redis';
  queue(name: string, options: Omit<QueueOptions, 'connection'>): Queue;
  worker(name: string, work: Processor, options: Omit<WorkerOptions, 'connection'>): Worker;
  /** Errors of a worker: do not retry this job; leave this job to another worker. */
  readonly UnrecoverableError: typeof UnrecoverableError;
  readonly WaitingError: typeof WaitingError;
  /** @throws when the store is unavailable */
  check(): Promise<void>;
  /** Called after queues and workers are closed. */
  close(): Promise<void>;
  /** Closes without waiting, after a timeout. */
  destroy(): void;
};

/** @throws when the store is unavailable */
export type OpenBackend = () => Promise<Backend>;
