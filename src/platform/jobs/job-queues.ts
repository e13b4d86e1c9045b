import {
  delay,
  type FailedJob,
  type Health,
  type HealthCheck,
  type Job,
  type JobName,
  type JobQueue,
  type Jobs,
  type Log,
  type Scheduler,
  THREAD_SCHEDULER,
  type WantedJob,
} from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Round, Rounds } from '../../kernel/rules/rounds.ts';
import type { Backend, OpenBackend } from './backend.ts';
import { endsWithin } from './ends-within.ts';
import { CRASHED, type Crashed, NamedQueue, type QueueSettings } from './named-queue.ts';
import { regularly } from './regularly.ts';
import { RoundRegistry } from './round-registry.ts';

/** Pause before a failed opening is retried. */
const AGAIN_MS = 5_000;
/** How long a request waits for the queue to open. */
const PATIENCE_MS = 5_000;
/** Interval of counting jobs of all nodes, and of checking repeated jobs. */
const COUNT_MS = 15_000;
/** Time for running jobs to stop at the end of the process; the others restart on another node. */
const STOP_MS = 2_000;
const LOOK_MS = 25;

export type JobQueueSettings = { [N in JobName]: QueueSettings<N> };

type Options = {
  open: OpenBackend;
  settings: JobQueueSettings;
  /** Whether jobs run in this process; other nodes only enqueue them. */
  works: boolean;
  log: Log;
  /** Registers the regular count as a round; without it nobody checks it. */
  rounds?: Rounds;
  /** Late repeated jobs with their seconds: the queue does not do its work then, whatever the backend says. */
  late?: () => Readonly<Record<string, number>>;
  againMs?: number;
  patienceMs?: number;
  countMs?: number;
  crashed?: Crashed;
  scheduler?: Scheduler;
};
type Open = { backend: Backend; queues: Map<JobName, NamedQueue<JobName>>; counting: AsyncDisposable };

/**
 * The job queue of this process: BullMQ on PostgreSQL, or on Redis where configured. Opened in the background: no
 * start waits for it or fails with it.
 */
export class JobQueues implements JobQueue, AsyncDisposable {
  readonly #options: Options;
  readonly #stop = new AbortController();
  #opening: Promise<void> | undefined;
  #open: Open | undefined;
  readonly #counting: Round;
  #failed = false;

  constructor(options: Options) {
    this.#options = options;
    const { rounds = new RoundRegistry(), countMs = COUNT_MS } = options;
    this.#counting = rounds.register('job-count', countMs);
  }

  /** Opens the queues, with retries until it succeeds. */
  begin(): void {
    this.#opening ??= this.#keepTrying();
  }

  /** Resolves when the queues are open, or disposed of before. */
  async opened(): Promise<void> {
    await this.#opening;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  async enqueue<N extends JobName>(name: N, data: Jobs[N]['data'], wanted: WantedJob = {}): Promise<{ id: string }> {
    return this.#ask(name, (queue) => queue.add(data, wanted));
  }

  async find<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined> {
    return this.#ask(name, (queue) => queue.find(id));
  }

  async ended<N extends JobName>(name: N, id: string, withinMs: number): Promise<Job<N> | undefined> {
    const { scheduler = THREAD_SCHEDULER } = this.#options;
    for (const end = scheduler.now() + withinMs; ; await delay(scheduler, LOOK_MS)) {
      const job = await this.find(name, id);
      const over = job === undefined || job.state === 'COMPLETED' || job.state === 'FAILED';
      if (over || scheduler.now() > end) return job;
    }
  }

  size(name: JobName): number {
    return this.#open?.queues.get(name)?.size ?? 0;
  }

  failed(): readonly FailedJob[] {
    return [...(this.#open?.queues.values() ?? [])].flatMap(({ failed }) => failed);
  }

  /** The queue is like a partner: bookings work without it. */
  readonly health: HealthCheck = { essential: false, check: () => this.#check() };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const closed = async (): Promise<void> => {
      await this.#opening;
      if (this.#open) await close(this.#open);
    };
    await endsWithin(
      STOP_MS,
      closed().catch((error: unknown) => this.#options.log.warn({ error: String(error) }, 'the job queue is left')),
    );
    this.#open?.backend.destroy();
  }

  /** @throws DomainError NOT_EXECUTED when it does not answer in time */
  async #ask<N extends JobName, T>(name: N, what: (queue: NamedQueue<N>) => Promise<T>): Promise<T> {
    const { patienceMs = PATIENCE_MS, log, scheduler } = this.#options;
    const away = new DomainError('NOT_EXECUTED', 'The job queue is not there at the moment.', {
      retryAfterSeconds: 5,
    });
    if (!this.#open && this.#opening) await endsWithin(patienceMs, this.#opening, scheduler);
    const found = this.#open?.queues.get(name) as unknown as NamedQueue<N> | undefined;
    if (!found || this.#stop.signal.aborted) throw away;
    const answer = what(found).catch((error: unknown) => {
      if (error instanceof DomainError) throw error;
      // The outcome is unknown; jobs are idempotent, and may be enqueued again.
      log.warn({ queue: name, error: String(error) }, 'the job queue has not answered');
      throw away;
    });
    let inTime: { is: T } | undefined;
    await endsWithin(
      patienceMs,
      answer.then((is) => (inTime = { is })),
      scheduler,
    );
    if (!inTime) throw away;
    return inTime.is;
  }

  async #keepTrying(): Promise<void> {
    const { log, againMs = AGAIN_MS, scheduler = THREAD_SCHEDULER } = this.#options;
    const stopping = this.#stop.signal;
    while (!stopping.aborted) {
      try {
        this.#open = await open(this.#options, this.#counting, stopping);
        return;
      } catch (error) {
        this.#failed = true;
        log.warn({ error: String(error) }, 'the job queue cannot be opened; it is tried again');
        await endsWithin(againMs, aborted(stopping), scheduler);
      }
    }
  }

  async #check(): Promise<Health> {
    if (!this.#open) return this.#failed ? { status: 'DOWN' } : { status: 'UNKNOWN' };
    const { backend } = this.#open;
    await backend.check();
    const waiting = [...this.#open.queues].map(([name, { size }]) => [name, size]);
    const late = this.#options.late?.() ?? {};
    const details = { backend: backend.name, jobs: Object.fromEntries(waiting) };
    return Object.keys(late).length > 0
      ? { status: 'DOWN', details: { late, ...details } }
      : { status: 'UP', details };
  }
}

async function open(options: Options, counting: Round, stopping: AbortSignal): Promise<Open> {
  const { settings, works, log, crashed = CRASHED, scheduler } = options;
  const backend = await options.open();
  const queues: Open['queues'] = new Map();
  try {
    for (const [name, of] of Object.entries(settings) as [JobName, QueueSettings<JobName>][])
      queues.set(name, new NamedQueue(name, of, { backend, works, log, stopping, crashed }));
    for (const queue of queues.values()) await queue.prepare();
  } catch (error) {
    await endsWithin(STOP_MS, closeAll(queues, backend));
    backend.destroy();
    throw error;
  }
  const keep = async (): Promise<void> => {
    for (const queue of queues.values()) await queue.keep();
  };
  return { backend, queues, counting: regularly(counting, log, keep, 'later', scheduler) };
}

/** Resolves when it is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function close({ backend, queues, counting }: Open): Promise<void> {
  await counting[Symbol.asyncDispose]();
  await closeAll(queues, backend);
}

async function closeAll(queues: Open['queues'], backend: Backend): Promise<void> {
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  await backend.close();
}
