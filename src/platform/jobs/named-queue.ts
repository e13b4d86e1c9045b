import type { Job as BullJob, Queue, Worker } from 'bullmq';

import type { FailedJob, Job, JobHandler, JobName, Jobs, Log, WantedJob } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { JobState } from '../../kernel/rules/rounds.ts';
import type { Backend } from './backend.ts';

/** Waiting and running jobs of one queue. */
const MAX_JOBS = 1_000;

/** Retention of finished jobs for reads and repeats: as long as idempotency records. */
const KEEP_COMPLETED = { age: 25 * 3_600, count: 1_000 };
const KEEP_FAILED = { age: 7 * 86_400, count: 1_000 };

/** A job of a dead process restarts after its lock has expired and two checks: 15 to 35 s. */
export type Crashed = { lockMs: number; lookMs: number };
export const CRASHED: Crashed = { lockMs: 15_000, lookMs: 10_000 };
/** Crashes that a job may survive. */
const MAX_STALLS = 2;

const RECONNECT_MS = 1_000;

/** A repeated job that is neither waiting nor running, and whose next run is so many periods off, is created anew. */
const OFF_AFTER_PERIODS = 2;
const OFF_AFTER_LEAST_MS = 3_000;

/** Failed jobs that are listed: the newest say what goes wrong. */
const MAX_FAILED = 10;

/** BullMQ's own events, which nobody reads here. */
const MAX_EVENTS = 256;

const FAULT = 'a fault of the service; its log says more';

export type QueueSettings<N extends JobName> = {
  handler: JobHandler<N>;
  /** Concurrent jobs of this queue in this process. */
  concurrency: number;
  /** Attempts of a job at most, with growing pauses from `backoffMs`. */
  attempts: number;
  backoffMs: number;
  /** Period of a repeated job, which one node runs for all, across restarts. */
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

/** One queue with this process's worker, if any. */
export class NamedQueue<N extends JobName> {
  readonly #name: N;
  readonly #settings: QueueSettings<N>;
  readonly #parts: Parts;
  readonly #queue: Queue;
  readonly #worker: Worker | undefined;
  #size = 0;
  #failedCount = 0;
  #failed: readonly FailedJob[] = [];

  /** The worker starts at once. */
  constructor(name: N, settings: QueueSettings<N>, parts: Parts) {
    this.#name = name;
    this.#settings = settings;
    this.#parts = parts;
    const { attempts, backoffMs } = settings;
    this.#queue = parts.backend.queue(name, {
      streams: { events: { maxLen: MAX_EVENTS } },
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

  /** Counts existing jobs, and creates the repeated job. */
  async prepare(): Promise<void> {
    await this.count();
    await this.#repeat();
  }

  /**
   * Counts jobs of all nodes, and recreates a repeated job that was lost: BullMQ creates each run from the one before,
   * so a lost job ends the series.
   */
  async keep(): Promise<void> {
    await this.count();
    await this.#readFailed();
    const { repeatMs } = this.#settings;
    if (repeatMs === undefined || !this.#parts.works) return;
    const scheduler = await this.#queue.getJobScheduler(this.#name);
    // A next run far ahead is wrong too: the clock was set back. A queued one is not lost.
    const offAfterMs = Math.max(OFF_AFTER_PERIODS * repeatMs, OFF_AFTER_LEAST_MS);
    const isOff = Math.abs((scheduler?.next ?? 0) - Date.now()) > offAfterMs && this.#size === 0;
    if (scheduler && isOff) await this.#queue.removeJobScheduler(this.#name);
    if (!scheduler || isOff) await this.#repeat();
  }

  get size(): number {
    return this.#size;
  }

  /** Failed jobs, the newest first. */
  get failed(): readonly FailedJob[] {
    return this.#failed;
  }

  async count(): Promise<void> {
    const { waiting = 0, active = 0, failed = 0 } = await this.#queue.getJobCounts('waiting', 'active', 'failed');
    this.#size = waiting + active;
    this.#failedCount = failed;
  }

  async #readFailed(): Promise<void> {
    if (this.#failedCount === 0) return void (this.#failed = []);
    const found = (await this.#queue.getJobs(['failed'], 0, MAX_FAILED - 1, false)) as Stored<N>[];
    this.#failed = found.map(({ id = '', data, finishedOn = 0, attemptsMade, failedReason }) => ({
      queue: this.#name,
      id,
      at: finishedOn,
      attempts: attemptsMade,
      why: failedReason,
      ...('tenantId' in data && typeof data.tenantId === 'string' && { tenantId: data.tenantId }),
    }));
  }

  /** @throws DomainError NOT_EXECUTED when too many jobs wait */
  async add(data: Jobs[N]['data'], { id = crypto.randomUUID(), oneOf }: WantedJob): Promise<{ id: string }> {
    await this.count();
    if (this.#size >= MAX_JOBS)
      throw new DomainError('NOT_EXECUTED', 'Too many jobs of this kind wait already.', { retryAfterSeconds: 30 });
    const deduplication = oneOf === undefined ? undefined : { id: oneOf };
    const job = await this.#queue.add(this.#name, data, { jobId: id, deduplication });
    await this.count();
    return { id: job.id ?? id };
  }

  async find(id: string): Promise<Job<N> | undefined> {
    // The state first: the result of a finished job does not change any more.
    const state = await this.#queue.getJobState(id);
    const job = (await this.#queue.getJob(id)) as Stored<N> | undefined;
    if (!job) return undefined;
    const { data, progress, returnvalue: result, failedReason: error } = job;
    const found = { id, data, progress: Number(progress), state: STATES[state] ?? ('WAITING' as const) };
    if (found.state === 'COMPLETED') return { ...found, result };
    return found.state === 'FAILED' ? { ...found, error } : found;
  }

  /** Waits for running jobs, which have been aborted. */
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
      maxStalledCount: MAX_STALLS,
      runRetryDelay: RECONNECT_MS,
    });
    worker.on('error', this.#trouble);
    const recount = (): void => void this.count().catch(this.#trouble);
    for (const event of ['active', 'completed', 'failed', 'stalled'] as const) worker.on(event, recount);
    return worker;
  }

  /** Repeated runs are not retained: there is one a minute, each superseding the one before. */
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
        // Not a failed attempt: the next process starts it at once.
        await job.moveToWait(token);
        throw new backend.WaitingError();
      }
      throw this.#reported(error, job.id);
    }
  }

  /** The stored part of an error: its public message, and nothing internal. */
  #reported(error: unknown, jobId: string | undefined): Error {
    const { log, backend } = this.#parts;
    if (error instanceof DomainError && !error.isRetryable) return new backend.UnrecoverableError(error.message);
    log.warn({ queue: this.#name, jobId, error: String(error) }, 'job failed');
    return new Error(error instanceof DomainError ? error.message : FAULT);
  }
}
