import type { Processor, Queue, QueueOptions, UnrecoverableError, WaitingError, Worker, WorkerOptions } from 'bullmq';

/** BullMQ over connections that any number of queues share, wherever it keeps them. */
export type Backend = {
  /** Where jobs are stored, as shown by health. */
  readonly name: 'PostgreSQL' | 'Redis';
  queue(name: string, options: Omit<QueueOptions, 'connection'>): Queue;
  worker(name: string, work: Processor, options: Omit<WorkerOptions, 'connection'>): Worker;
  /** What a worker throws: this job is not to be begun again; this job waits for another worker. */
  readonly UnrecoverableError: typeof UnrecoverableError;
  readonly WaitingError: typeof WaitingError;
  /** @throws when the place is away */
  check(): Promise<void>;
  /** Once queues and workers are closed. */
  close(): Promise<void>;
  /** The same without waiting, after a timeout. */
  destroy(): void;
};

/** @throws when the place is not there */
export type OpenBackend = () => Promise<Backend>;
