import type { JobRounds, JobRun, Log, RoundNote, SeenMoment, StoredRound } from '../../kernel/ports.ts';
import { LATE_AFTER_PERIODS, type Round } from '../../kernel/rules/rounds.ts';

/** Periods without progress after which a job is overdue; checked four times a period, so within two. */
const OVERDUE_PERIODS = 1.6;
/** Periods that a starting node leaves to the job queue for delivering waiting jobs. */
const GRACE_PERIODS = 0.5;
/** Shortest interval of recording progress. */
const NOTE_EVERY_MS = 5_000;

/** Runs the job. It may run on two nodes at once, and must tolerate it. */
type Handler<R> = (data: Record<string, never>, run: JobRun) => Promise<R>;

type Options<R> = {
  round: Round;
  handler: Handler<R>;
  stored: JobRounds;
  log: Log;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Time without progress after which a run is abandoned. */
  idleLimitMs: number;
};

type Running<R> = {
  result: Promise<R>;
  beganAt: number;
  advancedAt: number;
  byQueue: boolean;
  giveUp(error: Error): void;
};

/**
 * One repeated job in this process: one run at a time for all callers, and the known runs of all nodes. Ages use this
 * process's own clock, from when it first saw another node's record: a server whose clock jumps makes no round late or
 * fresh.
 */
export class RepeatedJob<R = unknown> {
  readonly #options: Options<R>;
  readonly #startedAt: number;
  /** When a run on any node last made progress, as far as known. */
  #advancedAt: number;
  /** Whether that is known, and not just this node's start. */
  #knowsAge = false;
  /** When the job queue last delivered the job to any node. */
  #deliveredAt: number;
  #lookedAt: number;
  #seen: StoredRound = {};
  #running: Running<R> | undefined;
  #toNote: RoundNote | undefined;
  #noting: Promise<void> | undefined;
  #notedAt = -Infinity;

  constructor(options: Options<R>) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#advancedAt = this.#startedAt;
    this.#deliveredAt = this.#startedAt;
    this.#lookedAt = this.#startedAt;
  }

  get name(): string {
    return this.#options.round.name;
  }

  get ageMs(): number {
    return this.#options.now() - this.#advancedAt;
  }

  /** Whether no run has made progress for longer than the job queue may take, and none runs here. */
  get isOverdue(): boolean {
    const { round, now } = this.#options;
    const sinceStartMs = now() - this.#startedAt;
    const isOld = this.ageMs > OVERDUE_PERIODS * round.everyMs && sinceStartMs > GRACE_PERIODS * round.everyMs;
    return isOld && this.#running === undefined;
  }

  /**
   * Seconds since the last progress, or since the job queue's last delivery, where that is over three periods, even if
   * nodes run the job without the queue.
   */
  get lateSeconds(): number | undefined {
    const { round, now } = this.#options;
    const sinceMs = Math.max(this.ageMs, now() - this.#deliveredAt);
    return sinceMs > LATE_AFTER_PERIODS * round.everyMs ? Math.round(sinceMs / 1_000) : undefined;
  }

  /** Joins the run under way here, or starts one. */
  run(data: Record<string, never>, run: JobRun, by: 'queue' | 'watch'): Promise<R> {
    this.#running ??= this.#begin(data, run);
    if (by === 'queue') {
      this.#running.byQueue = true;
      this.#deliveredAt = this.#options.now();
    }
    return this.#running.result;
  }

  /** The run has made progress: one of its tenants or properties is complete, or has failed by itself. */
  progressed(): void {
    if (!this.#running) return;
    const now = this.#options.now();
    this.#running.advancedAt = now;
    this.#advanced(this.#running);
    this.#options.round.progressed();
    if (now - this.#notedAt > NOTE_EVERY_MS) this.#note({ advanced: true, delivered: this.#running.byQueue });
  }

  /** Abandons a run without progress, so that the next one may start. */
  giveUpIdle(): void {
    const { now, idleLimitMs, log } = this.#options;
    if (!this.#running || now() - this.#running.advancedAt <= idleLimitMs) return;
    log.error({ round: this.name, idleLimitMs }, 'a run of a regular round does not get on; the next may begin');
    this.#running.giveUp(new Error(`the run has made no progress for ${Math.round(idleLimitMs / 1_000)} s`));
  }

  /** Applies the state recorded by all nodes. */
  saw(stored: StoredRound | undefined): void {
    const { round, now } = this.#options;
    const at = now();
    const agoMs = (moment: SeenMoment | undefined, before: SeenMoment | undefined): number | undefined => {
      if (!moment || moment.mark === before?.mark) return undefined;
      // A change since the last check is no older than that check, whatever the server's clock says.
      const limitMs = before ? at - this.#lookedAt : Infinity;
      return Math.min(Math.max(0, moment.ageMs), limitMs);
    };
    const completedMs = agoMs(stored?.completed, this.#seen.completed);
    const advancedMs = agoMs(stored?.advanced, this.#seen.advanced);
    const deliveredMs = agoMs(stored?.delivered, this.#seen.delivered);
    if (completedMs !== undefined) round.completed(completedMs);
    if (advancedMs !== undefined) round.progressed(advancedMs);
    const newestMs = Math.min(completedMs ?? Infinity, advancedMs ?? Infinity);
    if (newestMs < Infinity) {
      // The first state seen may be older than this node: the round is late, even if the node has just started.
      this.#advancedAt = this.#knowsAge ? Math.max(this.#advancedAt, at - newestMs) : at - newestMs;
      this.#knowsAge = true;
    }
    if (deliveredMs !== undefined) this.#deliveredAt = Math.max(this.#deliveredAt, at - deliveredMs);
    this.#seen = { ...this.#seen, ...stored };
    this.#lookedAt = at;
  }

  /** Runs the job here without the queue, unless another node has claimed it; does not wait for the run. */
  async rescue(signal: AbortSignal): Promise<void> {
    const { stored, round, log } = this.#options;
    if (!(await stored.claim(this.name, round.everyMs)) || this.#running || signal.aborted) return;
    round.rescued();
    const ageSeconds = Math.round(this.ageMs / 1_000);
    log.warn({ round: this.name, ageSeconds }, 'a regular round is overdue; this node runs it past the job queue');
    const run = { id: `overdue ${this.name}`, signal, progress: async () => undefined };
    // Its failure is recorded where it is counted.
    void this.run({}, run, 'watch').catch(() => undefined);
  }

  /** Resolves when the run and its records are complete. */
  async done(): Promise<void> {
    await this.#running?.result.catch(() => undefined);
    await this.#noting;
  }

  #begin(data: Record<string, never>, run: JobRun): Running<R> {
    const { handler, now } = this.#options;
    const givenUp = Promise.withResolvers<never>();
    const progress: JobRun['progress'] = async (percent) => {
      this.progressed();
      await run.progress(percent);
    };
    const work = async (): Promise<R> => handler(data, { ...run, progress });
    const running = { beganAt: now(), advancedAt: now(), byQueue: false, giveUp: givenUp.reject } as Running<R>;
    running.result = Promise.race([work(), givenUp.promise]).then(
      (result) => (this.#ended(running), result),
      (error: unknown) => {
        this.#ended(running, { error });
        throw error;
      },
    );
    return running;
  }

  #ended({ byQueue, beganAt }: Running<R>, failure?: { error: unknown }): void {
    const { round, log } = this.#options;
    this.#running = undefined;
    if (failure) {
      round.failed(failure.error);
      // The queue reports failures of jobs that it delivered.
      const error = String(failure.error);
      if (!byQueue) log.warn({ round: this.name, error }, 'a regular round failed; it runs again');
    } else {
      this.#advanced({ byQueue });
      round.completed(0, this.#options.now() - beganAt);
    }
    this.#note({ completed: !failure, delivered: byQueue });
  }

  #advanced({ byQueue }: Pick<Running<R>, 'byQueue'>): void {
    this.#advancedAt = this.#options.now();
    this.#knowsAge = true;
    // While a run is under way the job queue need not deliver another.
    if (byQueue) this.#deliveredAt = this.#advancedAt;
  }

  /** Records state for the other nodes, one query at a time: what changes meanwhile is in the next one. */
  #note(what: RoundNote): void {
    const before = this.#toNote ?? {};
    this.#toNote = {
      completed: before.completed || what.completed,
      advanced: before.advanced || what.advanced,
      delivered: before.delivered || what.delivered,
    };
    this.#notedAt = this.#options.now();
    this.#noting ??= this.#write().finally(() => (this.#noting = undefined));
  }

  async #write(): Promise<void> {
    const { stored, log } = this.#options;
    for (let what = this.#toNote; what; what = this.#toNote) {
      this.#toNote = undefined;
      try {
        // This node knows its own records already.
        this.#seen = { ...this.#seen, ...(await stored.note(this.name, what)) };
      } catch (error) {
        log.warn({ round: this.name, error: String(error) }, 'other nodes do not hear of a run; they may run it too');
      }
    }
  }
}
