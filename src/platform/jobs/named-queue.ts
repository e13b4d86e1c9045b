import type { Job as BullJob, Queue, Worker } from 'bullmq';

import type { Job, JobHandler, JobName, Jobs, Log, WantedJob } from '../../kernel/ports.ts';
import { CODES, DomainError } from '../../kernel/rules/domain-error.ts';
import type { JobState } from '../../kernel/rules/job-state.ts';
import type { Backend } from './backend.ts';

/** What may wait or run in one queue. */
const MOST_JOBS = 1_000;

/** Finished jobs are retained for reads of their outcome and for repeats: as long as idempotency records. */
const KEEP_COMPLETED = { age: 25 * 3_600, count: 1_000 };
const KEEP_FAILED = { age: 7 * 86_400, count: 1_000 };

/** A job whose process died is taken up again after its lock has run out and two looks: 15 to 35 s. */
export type Crashed = { lockMs: number; lookMs: number };
export const CRASHED: Crashed = { lockMs: 15_000, lookMs: 10_000 };
/** Lives that a job may lose to crashes. */
const MOST_STALLS = 2;

const RECONNECT_MS = 1_000;

/** A round whose next job was due so many periods ago, or is in so many, and neither waits nor runs, is begun anew. */
const OFF_AFTER_PERIODS = 2;
const OFF_AFTER_LEAST_MS = 3_000;

/** Events are BullMQ's own book-keeping, which nobody reads here. */
const MOST_EVENTS = 256;

const FAULT = 'a fault of the service; its log says more';

export type QueueSettings<N extends JobName> = {
  handler: JobHandler<N>;
  /** Jobs of this queue that run at once in this process. */
  concurrency: number;
  /** How often a job is begun at most, with growing pauses that begin with `backoffMs`. */
  attempts: number;
  backoffMs: number;
  /** A job of this queue is put there again and again, by one node for all, over restarts. */
  repeatMs?: number;
};

type Parts = {
  backend: Backend;
  /** Whether jobs run in this process; otherwise it only enqueues them. */
  works: boolean;
  log: Log;
  stopping: AbortSignal;
  crashed: Crashed;
};
type Stored<N extends JobName> = BullJob<Jobs[N]['data'], Jobs[N]['result']>;

const STATES: Partial<Record<string, JobState>> = { active: 'RUNNING', completed: 'COMPLETED', failed: 'FAILED' };

/** One queue with the worker of this process, where it has one. */
export class NamedQueue<N extends JobName> {
  readonly #name: N;
  readonly #settings: QueueSettings<N>;
  readonly #parts: Parts;
  readonly #queue: Queue;
  readonly #worker: Worker | undefined;
  #size = 0;

  /** Its worker begins at once. */
  constructor(name: N, settings: QueueSettings<N>, parts: Parts) {
    this.#name = name;
    this.#settings = settings;
    this.#parts = parts;
    const { attempts, backoffMs } = settings;
    this.#queue = parts.backend.queue(name, {
      streams: { events: { maxLen: MOST_EVENTS } },
      defaultJobOptions: {
        attempts,
        backoff: { type: 'exponential', delay: backoffMs },
        removeOnComplete: KEEP_COMPLETED,
        removeOnFail: KEEP_FAILED,
        stackTraceLimit: 0,
      },
    });
    this.#queue.on('error', this.#trouble);
    this.#worker = parts.works ? this.#work() : undefined;
  }

  /** Counts what is there already, and sees to its rounds. */
  async prepare(): Promise<void> {
    await this.count();
    await this.#repeat();
  }

  /**
   * Counts what other nodes have put there or taken, and has rounds begin anew that somebody has wiped away, or whose
   * next job has: BullMQ makes a round from the one before, so a job that is lost is the last.
   */
  async keep(): Promise<void> {
    await this.count();
    const { repeatMs } = this.#settings;
    if (repeatMs === undefined || !this.#parts.works) return;
    const scheduler = await this.#queue.getJobScheduler(this.#name);
    // Off its time is also one of far ahead: the clock was put back. One that is queued is not lost.
    const offAfterMs = Math.max(OFF_AFTER_PERIODS * repeatMs, OFF_AFTER_LEAST_MS);
    const isOff = Math.abs((scheduler?.next ?? 0) - Date.now()) > offAfterMs && this.#size === 0;
    if (scheduler && isOff) await this.#queue.removeJobScheduler(this.#name);
    if (!scheduler || isOff) await this.#repeat();
  }

  get size(): number {
    return this.#size;
  }

  async count(): Promise<void> {
    const { waiting = 0, active = 0 } = await this.#queue.getJobCounts('waiting', 'active');
    this.#size = waiting + active;
  }

  /** @throws DomainError NOT_EXECUTED when too much waits */
  async add(data: Jobs[N]['data'], { id = crypto.randomUUID(), oneOf }: WantedJob): Promise<{ id: string }> {
    await this.count();
    if (this.#size >= MOST_JOBS)
      throw new DomainError('NOT_EXECUTED', 'Too many jobs of this kind wait already.', { retryAfterSeconds: 30 });
    const deduplication = oneOf === undefined ? undefined : { id: oneOf };
    const job = await this.#queue.add(this.#name, data, { jobId: id, deduplication });
    await this.count();
    return { id: job.id ?? id };
  }

  async find(id: string): Promise<Job<N> | undefined> {
    // The state first: what a job that has ended came to does not change any more.
    const state = await this.#queue.getJobState(id);
    const job = (await this.#queue.getJob(id)) as Stored<N> | undefined;
    if (!job) return undefined;
    const { data, progress, returnvalue: result, failedReason: error } = job;
    const found = { id, data, progress: Number(progress), state: STATES[state] ?? ('WAITING' as const) };
    if (found.state === 'COMPLETED') return { ...found, result };
    return found.state === 'FAILED' ? { ...found, error } : found;
  }

  /** Waits for jobs that run, which have been aborted. */
  async close(): Promise<void> {
    await this.#worker?.close();
    await this.#queue.close();
  }

  #work(): Worker {
    const { concurrency } = this.#settings;
    const { lockMs: lockDuration, lookMs: stalledInterval } = this.#parts.crashed;
    const worker = this.#parts.backend.worker(this.#name, (job, token) => this.#run(job as Stored<N>, token), {
      concurrency,
      lockDuration,
      stalledInterval,
      maxStalledCount: MOST_STALLS,
      runRetryDelay: RECONNECT_MS,
    });
    worker.on('error', this.#trouble);
    const recount = (): void => void this.count().catch(this.#trouble);
    for (const event of ['active', 'completed', 'failed', 'stalled'] as const) worker.on(event, recount);
    return worker;
  }

  /** Rounds are not retained: there is one a minute, and each says no more than the next. */
  async #repeat(): Promise<void> {
    const { repeatMs } = this.#settings;
    if (repeatMs === undefined || !this.#parts.works) return;
    const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
    await this.#queue.upsertJobScheduler(this.#name, { every: repeatMs }, { name: this.#name, opts });
  }

  readonly #trouble = (error: Error): void => {
    // An unavailable backend is reported by itself and by health.
    if (error.name !== 'ConnectionClosedError')
      this.#parts.log.warn({ queue: this.#name, error: error.message }, 'job queue');
  };

  async #run(job: Stored<N>, token: string | undefined): Promise<Jobs[N]['result']> {
    const { stopping: signal, backend } = this.#parts;
    const progress = async (percent: number): Promise<void> =>
      job.updateProgress(Math.round(percent)).catch(() => undefined);
    try {
      return await this.#settings.handler(job.data, { id: job.id ?? '', signal, progress });
    } catch (error) {
      if (signal.aborted) {
        // Not an attempt that failed: the next process begins it at once.
        await job.moveToWait(token);
        throw new backend.WaitingError();
      }
      throw this.#reported(error, job.id);
    }
  }

  /** The stored part of an error: its public message, and nothing internal. */
  #reported(error: unknown, jobId: string | undefined): Error {
    const { log, backend } = this.#parts;
    if (error instanceof DomainError && !CODES[error.code].retryable)
      return new backend.UnrecoverableError(error.message);
    log.warn({ queue: this.#name, jobId, error: String(error) }, 'job failed');
    return new Error(error instanceof DomainError ? error.message : FAULT);
  }
}
