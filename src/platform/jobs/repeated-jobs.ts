import { type JobRounds, type JobRun, type Log, type Scheduler, THREAD_SCHEDULER } from '../../kernel/ports.ts';
import type { Round, Rounds } from '../../kernel/rules/rounds.ts';
import { endsWithin } from './ends-within.ts';
import type { JobQueueSettings } from './job-queues.ts';
import { regularly } from './regularly.ts';
import { RepeatedJob } from './repeated-job.ts';

/** Interval of checking ages: an overdue job runs before two of its periods, of a minute, have passed. */
const LOOK_MS = 15_000;
/** Time limit of a check in PostgreSQL. */
const LOOK_WITHIN_MS = 5_000;
/** Time without progress after which a run is abandoned: no tenant, property or partner takes that long. */
const IDLE_LIMIT_MS = 600_000;
/** Time for runs to stop at the end of the process; the others are done by another node. */
const STOP_MS = 2_000;

/** Settings of a repeated job, which has no input. */
type Repeated<R> = { handler(data: Record<string, never>, run: JobRun): Promise<R>; repeatMs?: number };

type Options = {
  stored: JobRounds;
  rounds: Rounds;
  /** Whether jobs run here; other nodes still report overdue ones. */
  works: boolean;
  log: Log;
  lookMs?: number;
  lookWithinMs?: number;
  idleLimitMs?: number;
  /** Monotonic milliseconds; the scheduler's, except in tests. */
  now?: () => number;
  scheduler?: Scheduler;
};

/**
 * Supervises jobs that one node runs for all at regular times: each completion is recorded in PostgreSQL, every node
 * checks its age, and a job that the queue has not delivered in time runs without it. Without PostgreSQL nothing runs,
 * and the ages grow.
 */
export class RepeatedJobs implements AsyncDisposable {
  readonly #options: Options;
  readonly #jobs: RepeatedJob[] = [];
  readonly #watch: Round;
  readonly #ending = new AbortController();
  #looking: AsyncDisposable | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#watch = options.rounds.register('round-watch', options.lookMs ?? LOOK_MS);
  }

  /** The settings with every repeated job supervised: its handler runs once at a time in this process. */
  watched(settings: JobQueueSettings): JobQueueSettings {
    return {
      ...settings,
      'analytics-push': this.#watched('analytics-push', settings['analytics-push']),
      'competitor-check': this.#watched('competitor-check', settings['competitor-check']),
      'daily-check': this.#watched('daily-check', settings['daily-check']),
    };
  }

  begin(): void {
    const { log, scheduler } = this.#options;
    this.#looking ??= regularly(this.#watch, log, () => this.#look(), 'at once', scheduler);
  }

  /** A run of this job has made progress. */
  progressed(name: string): void {
    this.#jobs.find((job) => job.name === name)?.progressed();
  }

  /** Jobs without progress or delivery for three periods, with the seconds since. */
  get late(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.#jobs.flatMap(({ name, lateSeconds }) =>
        lateSeconds === undefined ? [] : [[name, lateSeconds] as const],
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    const stopped = async (): Promise<void> => {
      await this.#looking?.[Symbol.asyncDispose]();
      await Promise.all(this.#jobs.map((job) => job.done()));
    };
    await endsWithin(STOP_MS, stopped(), this.#options.scheduler);
  }

  #watched<R, S extends Repeated<R>>(name: string, settings: S & Repeated<R>): S {
    const { repeatMs } = settings;
    if (repeatMs === undefined) return settings;
    const { rounds, stored, log, scheduler = THREAD_SCHEDULER } = this.#options;
    const { idleLimitMs = IDLE_LIMIT_MS, now = () => scheduler.now() } = this.#options;
    const handler = (data: Record<string, never>, run: JobRun): Promise<R> => settings.handler(data, run);
    const job = new RepeatedJob<R>({
      round: rounds.register(name, repeatMs),
      handler,
      stored,
      log,
      now,
      idleLimitMs,
    });
    this.#jobs.push(job);
    return { ...settings, handler: (data: Record<string, never>, run: JobRun) => job.run(data, run, 'queue') };
  }

  async #look(): Promise<void> {
    const { stored, works, lookWithinMs = LOOK_WITHIN_MS, scheduler } = this.#options;
    const look = async (): Promise<true> => {
      const all = await stored.all();
      for (const job of this.#jobs) job.saw(all.get(job.name));
      if (works) for (const job of this.#jobs) if (job.isOverdue) await job.rescue(this.#ending.signal);
      return true;
    };
    for (const job of this.#jobs) job.giveUpIdle();
    let hasLooked: true | undefined;
    await endsWithin(
      lookWithinMs,
      look().then((is) => (hasLooked = is)),
      scheduler,
    );
    if (!hasLooked) throw new Error(`PostgreSQL has not answered within ${lookWithinMs} ms`);
  }
}
