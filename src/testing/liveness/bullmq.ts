import type { Queue, Worker } from 'bullmq';

import { delay } from '../../kernel/ports.ts';
import type { Backend } from '../../platform/jobs/backend.ts';
import { waitingSilentMs } from '../../platform/jobs/redis-backend.ts';
import type { SimulatedRedis, TakenJob } from './redis.ts';
import type { SimulatedThread } from './thread.ts';
import { type Network, Way } from './way.ts';

/** BullMQ's limits for Redis: the longest wait, and when it gives one up itself. */
const LONGEST_WAIT_SECONDS = 10;
const GIVES_UP_AFTER_MS = 1_000;
const SHORTEST_WAIT_SECONDS = 0.002;
/**
 * From `redis-backend.ts`: a wait while no delayed job is known, a command's limit, and a pause before the next
 * attempt.
 */
const LOOK_SECONDS = 5;
const COMMAND_WITHIN_MS = 3_000;
const AGAIN_MS = 500;

type QueueParts = {
  redis: SimulatedRedis;
  thread: SimulatedThread;
  network: Network;
  /** `Date.now()` of this process. */
  wallClock(): number;
};

/** BullMQ on a simulated Redis, as far as `named-queue.ts` uses it. */
export class SimulatedBackend {
  readonly #parts: QueueParts;
  readonly #waitingSilentMs = waitingSilentMs({
    RedisQueueBackend: { prototype: { maximumBlockTimeout: LONGEST_WAIT_SECONDS } },
  } as Parameters<typeof waitingSilentMs>[0]);
  /** Open connections: of commands, and of each worker's wait. */
  readonly ways = new Set<Way>();
  #commands: Way;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#commands = this.#open();
  }

  /** @throws Error when Redis is down */
  async opened(): Promise<Backend> {
    await this.#command(() => undefined);
    return {
      name: 'Redis',
      queue: (name) => this.#queue(name) as unknown as Queue,
      worker: (name, work, { lockDuration = 0, stalledInterval = 0 }) => {
        void this.#work(name, lockDuration, () => work({ id: name, data: {} } as never));
        const look = (): Promise<void> => this.#command(() => this.#parts.redis.freeStalled(name));
        this.#parts.thread.every(stalledInterval, () => void look().catch(() => undefined));
        return { on: () => undefined, close: async () => undefined } as unknown as Worker;
      },
      UnrecoverableError: Error as unknown as Backend['UnrecoverableError'],
      WaitingError: Error as unknown as Backend['WaitingError'],
      check: () => this.#command(() => undefined),
      close: async () => undefined,
      destroy: () => undefined,
    };
  }

  #queue(name: string): object {
    const { redis, wallClock } = this.#parts;
    return {
      on: () => undefined,
      close: async () => undefined,
      getJobCounts: () => this.#command(() => redis.sizeOf(name)),
      // `named-queue.ts` compares with `Date.now()`, which is not simulated: the difference is the same.
      getJobScheduler: () =>
        this.#command(() => {
          const next = redis.nextOf(name);
          return next === undefined ? undefined : { next: Date.now() + next - wallClock() };
        }),
      removeJobScheduler: () => this.#command(() => redis.unschedule(name)),
      upsertJobScheduler: (_: string, { every }: { every: number }) =>
        this.#command(() => redis.schedule(name, every, wallClock())),
    };
  }

  /** Loop of BullMQ's worker: takes a job, or waits for the marker and looks again. */
  async #work(name: string, lockMs: number, run: () => Promise<unknown>): Promise<void> {
    const { redis, thread, wallClock } = this.#parts;
    let isDrained = false;
    let blockUntil = 0;
    for (;;) {
      if (isDrained) {
        blockUntil = await this.#waitForJob(name, blockUntil);
        if (blockUntil > 0 && blockUntil - wallClock() >= 1) continue;
      }
      let taken: TakenJob;
      try {
        taken = await this.#command(() => redis.take(name, lockMs, wallClock()));
      } catch {
        await delay(thread, AGAIN_MS);
        continue;
      }
      isDrained = !('token' in taken);
      if ('nextAt' in taken) {
        blockUntil = taken.nextAt === Infinity ? 0 : taken.nextAt;
        continue;
      }
      const { token } = taken;
      await run().catch(() => undefined);
      await this.#command(() => redis.complete(name, token)).catch(() => undefined);
    }
  }

  /** End of the next wait; 0 to look now. A failed wait has no result. */
  async #waitForJob(name: string, blockUntil: number): Promise<number> {
    const { thread, wallClock } = this.#parts;
    const waitMs = blockUntil - wallClock();
    if (blockUntil > 0 && waitMs <= 0) return 0;
    const seconds =
      blockUntil > 0 ? Math.max(SHORTEST_WAIT_SECONDS, Math.min(waitMs / 1_000, LONGEST_WAIT_SECONDS)) : LOOK_SECONDS;
    try {
      const score = await this.#wait(name, seconds);
      if (score === undefined) return 0;
      return blockUntil > 0 && score > blockUntil ? blockUntil : score;
    } catch {
      await delay(thread, AGAIN_MS);
      return Infinity;
    }
  }

  /** @throws Error when the connection ends, or was silent for too long */
  #wait(name: string, seconds: number): Promise<number | undefined> {
    const { redis, thread } = this.#parts;
    const way = this.#open();
    return new Promise((resolve, reject) => {
      const end = (run: () => void): void => {
        this.ways.delete(way);
        silent.cancel();
        givenUp.cancel();
        run();
      };
      const silent = thread.after(this.#waitingSilentMs, () => end(() => reject(new Error('silent'))));
      const givenUp = thread.after(seconds * 1_000 + GIVES_UP_AFTER_MS, () => end(() => resolve(undefined)));
      const back = (run: () => void): void => way.send('back', () => thread.deliver(() => end(run)));
      way.send('there', () => {
        if (redis.isAway) return back(() => reject(new Error('away')));
        const answered = (score: number | undefined): void =>
          back(() => (redis.isAway ? reject(new Error('away')) : resolve(score)));
        redis.wait(name, seconds, { resolve: answered, isGone: () => !this.ways.has(way) && !way.isLost });
      });
    });
  }

  #command<T>(run: () => T): Promise<T> {
    const { redis, thread } = this.#parts;
    const way = this.#commands;
    return new Promise((resolve, reject) => {
      const late = thread.after(COMMAND_WITHIN_MS, () => {
        if (this.#commands === way) {
          this.ways.delete(way);
          this.#commands = this.#open();
        }
        reject(new Error('Redis does not answer'));
      });
      const answer = (end: () => void): void =>
        way.send('back', () =>
          thread.deliver(() => {
            late.cancel();
            end();
          }),
        );
      way.send('there', () => {
        if (redis.isAway) return answer(() => reject(new Error('Redis is away')));
        const is = run();
        answer(() => resolve(is));
      });
    });
  }

  #open(): Way {
    const way = new Way(this.#parts.network);
    this.ways.add(way);
    return way;
  }
}
