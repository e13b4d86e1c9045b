import { type ScheduledRun, type Scheduler, THREAD_SCHEDULER } from '../../kernel/ports.ts';

/** How often pending calls are checked, in milliseconds. */
const TICK_MS = 250;
/** Time that a tick counts at most: a process that was paused has not waited, its answers are unread. */
const MAX_TICK_MS = 500;

/** Detects a call that takes too long: the network path, or the database itself, is then in doubt. */
export class OverdueWatch {
  readonly #withinMs: number;
  readonly #onOverdue: () => void;
  readonly #scheduler: Scheduler;
  readonly #calls = new Set<{ waitedMs: number }>();
  #timer: ScheduledRun | undefined;
  #tickedAt = 0;

  /** @param onOverdue called once for all pending calls when one of them takes longer than `withinMs` */
  constructor(withinMs: number, onOverdue: () => void, scheduler = THREAD_SCHEDULER) {
    this.#withinMs = withinMs;
    this.#onOverdue = onOverdue;
    this.#scheduler = scheduler;
  }

  /** Watches a call until it settles. */
  async over<T>(call: Promise<T>): Promise<T> {
    const waiting = { waitedMs: 0 };
    this.#calls.add(waiting);
    this.#start();
    try {
      return await call;
    } finally {
      this.#calls.delete(waiting);
    }
  }

  #start(): void {
    if (this.#timer) return;
    this.#tickedAt = this.#scheduler.now();
    this.#timer = this.#scheduler.every(TICK_MS, () => this.#tick());
    this.#timer.unref();
  }

  #tick(): void {
    if (this.#calls.size === 0) return this.#stop();
    const now = this.#scheduler.now();
    const passedMs = Math.min(now - this.#tickedAt, MAX_TICK_MS);
    this.#tickedAt = now;
    for (const call of this.#calls) call.waitedMs += passedMs;
    if (![...this.#calls].some(({ waitedMs }) => waitedMs > this.#withinMs)) return;
    this.#calls.clear();
    this.#stop();
    this.#onOverdue();
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
