import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';

import { Refusal } from '../domain/refusal.ts';
import type { Health, HealthCheck } from '../ports/health-check.ts';
import type { Job, JobName, JobQueue, Jobs, Wanted } from '../ports/job-queue.ts';
import type { Log } from '../ports/log.ts';
import { type Backend, openBackend } from './bullmq-backend.ts';
import { NamedQueue, type QueueSettings } from './named-queue.ts';
import { regularly } from './regularly.ts';
import { within } from './within.ts';

/** After this an opening that failed is tried again. */
const AGAIN_MS = 5_000;
/** A request that comes while the queue is being opened waits for it this long. */
const PATIENCE_MS = 5_000;
/** How often jobs are counted that other nodes have put there or taken. */
const COUNT_MS = 15_000;
/** Jobs that run when the process goes have this long to stop; what does not is begun anew elsewhere. */
const STOP_MS = 2_000;
const LOOK_MS = 25;

export type Settings = { [N in JobName]: QueueSettings<N> };

type Options = { pool: () => Pool; settings: Settings; log: Log; againMs?: number; patienceMs?: number };
type Open = { backend: Backend; queues: Map<JobName, NamedQueue<JobName>>; counting: AsyncDisposable };

/**
 * The job queue of this process: BullMQ on PostgreSQL, also with many nodes, since they share the database anyway.
 * Opened beside everything else: nobody's start waits for it or fails with it.
 */
export class JobQueues implements JobQueue, AsyncDisposable {
  readonly #options: Options;
  readonly #stop = new AbortController();
  #pool: Pool | undefined;
  #opening: Promise<void> | undefined;
  #open: Open | undefined;
  #failed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Begins to open the queues, again and again until it succeeds. */
  begin(): void {
    this.#opening ??= this.#keepTrying();
  }

  async enqueue<N extends JobName>(name: N, data: Jobs[N]['data'], wanted: Wanted = {}): Promise<{ id: string }> {
    return (await this.#queue(name)).add(data, wanted);
  }

  async find<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined> {
    return (await this.#queue(name)).find(id);
  }

  async ended<N extends JobName>(name: N, id: string, withinMs: number): Promise<Job<N> | undefined> {
    for (const end = performance.now() + withinMs; ; await pause(LOOK_MS)) {
      const job = await this.find(name, id);
      const over = job === undefined || job.state === 'COMPLETED' || job.state === 'FAILED';
      if (over || performance.now() > end) return job;
    }
  }

  size(name: JobName): number {
    return this.#open?.queues.get(name)?.size ?? 0;
  }

  /** The queue is a part like a partner: without it bookings go on. */
  readonly health: HealthCheck = { essential: false, check: () => this.#check() };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const closed = async (): Promise<void> => {
      await this.#opening;
      if (this.#open) await close(this.#open);
      await this.#pool?.end();
    };
    await within(STOP_MS, closed());
  }

  async #queue<N extends JobName>(name: N): Promise<NamedQueue<N>> {
    if (!this.#open && this.#opening) await within(this.#options.patienceMs ?? PATIENCE_MS, this.#opening);
    const found = this.#open?.queues.get(name);
    if (!found || this.#stop.signal.aborted)
      throw new Refusal('NOT_EXECUTED', 'The job queue is not there at the moment.', { retryAfterSeconds: 5 });
    return found as unknown as NamedQueue<N>;
  }

  async #keepTrying(): Promise<void> {
    const { log, settings, againMs = AGAIN_MS } = this.#options;
    const stopping = this.#stop.signal;
    while (!stopping.aborted) {
      this.#pool = this.#options.pool();
      try {
        this.#open = await open(this.#pool, settings, { log, stopping });
        return;
      } catch (error) {
        this.#failed = true;
        await this.#pool.end();
        this.#pool = undefined;
        log.warn({ error: String(error) }, 'the job queue cannot be opened; it is tried again');
        await pause(againMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  }

  async #check(): Promise<Health> {
    if (!this.#open) return this.#failed ? { status: 'DOWN' } : { status: 'UNKNOWN' };
    await this.#open.backend.pool.query('select 1');
    const waiting = [...this.#open.queues].map(([name, { size }]) => [name, size]);
    return { status: 'UP', details: { backend: 'PostgreSQL', jobs: Object.fromEntries(waiting) } };
  }
}

async function open(pool: Pool, settings: Settings, parts: { log: Log; stopping: AbortSignal }): Promise<Open> {
  const backend = await openBackend(pool);
  const queues: Open['queues'] = new Map();
  try {
    for (const [name, of] of Object.entries(settings) as [JobName, QueueSettings<JobName>][])
      queues.set(name, new NamedQueue(name, of, { ...parts, backend }));
    for (const queue of queues.values()) await queue.prepare();
  } catch (error) {
    await closeAll(queues, backend);
    throw error;
  }
  const count = async (): Promise<void> => {
    for (const queue of queues.values()) await queue.count();
  };
  return { backend, queues, counting: regularly(COUNT_MS, parts.log, count) };
}

async function close({ backend, queues, counting }: Open): Promise<void> {
  await counting[Symbol.asyncDispose]();
  await closeAll(queues, backend);
}

async function closeAll(queues: Open['queues'], backend: Backend): Promise<void> {
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  await backend.close();
}
