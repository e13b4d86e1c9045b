import { Worker } from 'node:worker_threads';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Computer, Tasks } from '../../revenue/ports.ts';
import type { TaskDone, OnProgress, Order, WorkerReply } from './tasks.ts';

/** Threads: one suffices for heavy work beside the event loop, the second lets short tasks pass long ones. */
const THREADS = 2;

/** Tasks waiting for a thread; each belongs to a request with a limit of its own. */
const MAX_WAITING = 256;

/** Silence after which a task counts as lost, and its thread is replaced. */
const SILENCE_MS = 30_000;

type Job = { order: Order; onProgress?: OnProgress; resolve(output: never): void; reject(error: unknown): void };

/** Worker threads for computations that would block the event loop; started on demand, replaced when one dies. */
export class WorkerPool implements Computer, AsyncDisposable {
  readonly #waiting: Job[] = [];
  readonly #threads = new Set<Thread>();
  #ended = false;

  async run<T extends keyof Tasks>(
    task: T,
    input: Tasks[T]['input'],
    onProgress?: OnProgress,
  ): Promise<Tasks[T]['output']> {
    if (this.#ended || this.#waiting.length >= MAX_WAITING)
      throw new DomainError('NOT_EXECUTED', 'Too much is being computed already.', { retryAfterSeconds: 1 });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order: { task, input }, onProgress, resolve, reject });
      this.#next();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    for (const { reject } of this.#waiting.splice(0))
      reject(new DomainError('NOT_EXECUTED', 'The service is stopping.'));
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#ended) return;
    let idle = [...this.#threads].find((thread) => !thread.busy);
    if (!idle && this.#threads.size < THREADS) {
      idle = new Thread({ free: () => this.#next(), lost: (thread) => this.#lose(thread) });
      this.#threads.add(idle);
    }
    idle?.do(this.#waiting.shift()!);
  }

  #lose(thread: Thread): void {
    this.#threads.delete(thread);
    this.#next();
  }
}

type Owner = { free(): void; lost(thread: Thread): void };

class Thread {
  readonly #owner: Owner;
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url));
  #job: Job | undefined;
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
    this.#worker.unref();
    this.#worker.on('message', (message: WorkerReply) =>
      'percent' in message ? this.#further(message.percent) : this.#done(message),
    );
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the worker thread ended')));
  }

  get busy(): boolean {
    return this.#job !== undefined;
  }

  do(job: Job): void {
    this.#job = job;
    // A caller waits for the answer, so the process stays alive.
    this.#worker.ref();
    this.#waitOn();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(job.order);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
    this.#end(new Error('the worker thread was stopped'));
  }

  #further(percent: number): void {
    this.#waitOn();
    this.#job?.onProgress?.(percent);
  }

  #waitOn(): void {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => void this.stop(), SILENCE_MS);
  }

  #done(done: TaskDone): void {
    const job = this.#take();
    if ('error' in done) job?.reject(new Error(done.error));
    else job?.resolve(done.output as never);
    this.#owner.free();
  }

  #end(error: Error): void {
    this.#take()?.reject(error);
    this.#owner.lost(this);
  }

  #take(): Job | undefined {
    const job = this.#job;
    this.#job = undefined;
    clearTimeout(this.#late);
    this.#worker.unref();
    return job;
  }
}
