import type { LivenessWorld } from './world.ts';

/** A waiter for a marker; `isGone`: the end of its connection has arrived. */
type Waiter = { resolve(score: number | undefined): void; isGone(): boolean };
type StoredQueue = {
  /** The period of its scheduler, where it has one. */
  everyMs: number | undefined;
  /** Due time of its scheduler's newest job. */
  next: number;
  /** Due times of delayed jobs, by the clocks of the callers. */
  delayed: number[];
  waiting: number;
  /** Expiry of the locks of jobs in progress. */
  active: Map<string, number>;
  /** Score that ends a wait: 0 for a waiting job, else the next due time. */
  marker: number | undefined;
  waiters: Waiter[];
};

/** Answer to a worker: a job, or the time of the next one. */
export type TakenJob = { token: string } | { nextAt: number };

/** Redis with queues as BullMQ keeps them there: jobs, a scheduler, and the marker on which workers wait. */
export class SimulatedRedis {
  readonly #world: LivenessWorld;
  readonly #queues = new Map<string, StoredQueue>();
  #awayUntil = 0;
  #stuckUntil = 0;

  constructor(world: LivenessWorld) {
    this.#world = world;
  }

  get isAway(): boolean {
    return this.#world.elapsedMs < this.#awayUntil;
  }

  /** Stopped: waiters lose the connection. */
  goAway(milliseconds: number): void {
    this.#awayUntil = Math.max(this.#awayUntil, this.#world.elapsedMs + milliseconds);
  }

  wipe(): void {
    this.#queues.clear();
  }

  /** It answers, and gives out no jobs. */
  getStuck(milliseconds: number): void {
    this.#stuckUntil = Math.max(this.#stuckUntil, this.#world.elapsedMs + milliseconds);
  }

  /** A scheduler remains whose next job is lost: no other will be made. */
  loseDelayed(): void {
    for (const queue of this.#queues.values()) {
      queue.delayed = [];
      queue.waiting = 0;
    }
  }

  sizeOf(name: string): { waiting: number; active: number } {
    const { waiting, active } = this.#queue(name);
    return { waiting, active: active.size };
  }

  /** Due time of the scheduler's next job; `undefined` without one. */
  nextOf(name: string): number | undefined {
    const { everyMs, next } = this.#queue(name);
    return everyMs === undefined ? undefined : next;
  }

  unschedule(name: string): void {
    const queue = this.#queue(name);
    queue.everyMs = undefined;
    queue.delayed = [];
  }

  /** @param now of the caller */
  schedule(name: string, everyMs: number, now: number): void {
    const queue = this.#queue(name);
    const isNew = queue.everyMs === undefined;
    queue.everyMs = everyMs;
    if (isNew) this.#delay(queue, now);
  }

  /** Puts jobs that are due among those that wait, and takes one. @param now of the caller */
  take(name: string, lockMs: number, now: number): TakenJob {
    const queue = this.#queue(name);
    const due = queue.delayed.filter((at) => at <= now);
    queue.delayed = queue.delayed.filter((at) => at > now);
    queue.waiting += due.length;
    const isStuck = this.#world.elapsedMs < this.#stuckUntil;
    if (queue.waiting === 0 || isStuck) return { nextAt: Math.min(...queue.delayed, Infinity) };
    queue.waiting -= 1;
    const token = this.#world.id('job');
    queue.active.set(token, this.#world.elapsedMs + lockMs);
    if (queue.everyMs !== undefined && queue.delayed.length === 0)
      this.#delay(queue, (due.at(-1) ?? now) + queue.everyMs);
    return { token };
  }

  complete(name: string, token: string): void {
    this.#queue(name).active.delete(token);
  }

  /** Jobs whose lock has expired wait again. */
  freeStalled(name: string): void {
    const queue = this.#queue(name);
    for (const [token, until] of queue.active)
      if (until < this.#world.elapsedMs) {
        queue.active.delete(token);
        queue.waiting += 1;
        this.#mark(queue, 0);
      }
  }

  /** BZPOPMIN of the marker. */
  wait(name: string, seconds: number, waiter: Waiter): void {
    const queue = this.#queue(name);
    if (queue.marker !== undefined) {
      const score = queue.marker;
      queue.marker = undefined;
      return waiter.resolve(score);
    }
    queue.waiters.push(waiter);
    this.#world.time.after(seconds * 1_000, () => {
      const at = queue.waiters.indexOf(waiter);
      if (at < 0) return;
      queue.waiters.splice(at, 1);
      waiter.resolve(undefined);
    });
  }

  #queue(name: string): StoredQueue {
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = {
        everyMs: undefined,
        next: 0,
        delayed: [],
        waiting: 0,
        active: new Map(),
        marker: undefined,
        waiters: [],
      };
      this.#queues.set(name, queue);
    }
    return queue;
  }

  #delay(queue: StoredQueue, at: number): void {
    queue.delayed.push(at);
    queue.next = at;
    this.#mark(queue, at);
  }

  #mark(queue: StoredQueue, score: number): void {
    queue.waiters = queue.waiters.filter((one) => !one.isGone());
    const waiter = queue.waiters.shift();
    if (waiter) waiter.resolve(score);
    else queue.marker = Math.min(queue.marker ?? Infinity, score);
  }
}
