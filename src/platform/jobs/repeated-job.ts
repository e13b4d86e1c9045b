import type { JobRounds, JobRun, Log, RoundNote, SeenMoment, StoredRound } from '../../kernel/ports.ts';
import { LATE_AFTER_PERIODS, type Round } from '../../kernel/rules/rounds.ts';

/** A round that has not got on for so many of its periods is overdue: looked at four times a period, less than two. */
const OVERDUE_PERIODS = 1.6;
/** A node that has just started leaves it to the job queue for so long to bring what waited meanwhile. */
const GRACE_PERIODS = 0.5;
/** How often it is noted at most that a run gets on. */
const NOTE_EVERY_MS = 5_000;

/** Does the job. It may be run twice at once on two nodes, and must bear it. */
type Handler<R> = (data: Record<string, never>, run: JobRun) => Promise<R>;

type Options<R> = {
  round: Round;
  handler: Handler<R>;
  stored: JobRounds;
  log: Log;
  /** Milliseconds that only go forward. */
  now: () => number;
  /** A run that has not got on for so long is given up. */
  idleLimitMs: number;
};

type Running<R> = { result: Promise<R>; advancedAt: number; byQueue: boolean; giveUp(error: Error): void };

/**
 * One repeated job in this process: one run at a time for all callers, and what is known of its runs on all nodes.
 * Ages are by this process's own clock, from when it first saw what another node noted: a server whose clock jumps
 * makes no round late, and none young.
 */
export class RepeatedJob<R = unknown> {
  readonly #options: Options<R>;
  readonly #startedAt: number;
  /** When a run of whatever node last got on, as far as this node knows. */
  #advancedAt: number;
  /** Whether that is known, and not only when this node started. */
  #knowsAge = false;
  /** When the job queue last brought the job to whatever node. */
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

  /** Whether nothing has got on with it for longer than the job queue may take, and nothing is at it here. */
  get isOverdue(): boolean {
    const { round, now } = this.#options;
    const sinceStartMs = now() - this.#startedAt;
    const isOld = this.ageMs > OVERDUE_PERIODS * round.everyMs && sinceStartMs > GRACE_PERIODS * round.everyMs;
    return isOld && this.#running === undefined;
  }

  /**
   * Seconds since a run last got on, or since the job queue last brought one: for three periods it has not, though
   * nodes may run the job past it meanwhile.
   */
  get lateSeconds(): number | undefined {
    const { round, now } = this.#options;
    const sinceMs = Math.max(this.ageMs, now() - this.#deliveredAt);
    return sinceMs > LATE_AFTER_PERIODS * round.everyMs ? Math.round(sinceMs / 1_000) : undefined;
  }

  /** The run that is under way here, or a new one. */
  run(data: Record<string, never>, run: JobRun, by: 'queue' | 'watch'): Promise<R> {
    this.#running ??= this.#begin(data, run);
    if (by === 'queue') {
      this.#running.byQueue = true;
      this.#deliveredAt = this.#options.now();
    }
    return this.#running.result;
  }

  /** A run gets on: another of its tenants or properties is through, or failed by itself. */
  progressed(): void {
    if (!this.#running) return;
    const now = this.#options.now();
    this.#running.advancedAt = now;
    this.#advanced(this.#running);
    this.#options.round.progressed();
    if (now - this.#notedAt > NOTE_EVERY_MS) this.#note({ advanced: true, delivered: this.#running.byQueue });
  }

  /** Leaves a run to itself that does not get on: the next one may begin. */
  giveUpIdle(): void {
    const { now, idleLimitMs, log } = this.#options;
    if (!this.#running || now() - this.#running.advancedAt <= idleLimitMs) return;
    log.error({ round: this.name, idleLimitMs }, 'a run of a regular round does not get on; the next may begin');
    this.#running.giveUp(new Error(`it has not got on for ${Math.round(idleLimitMs / 1_000)} s`));
  }

  /** Learns what all nodes have noted. */
  saw(stored: StoredRound | undefined): void {
    const { round, now } = this.#options;
    const at = now();
    const agoMs = (moment: SeenMoment | undefined, before: SeenMoment | undefined): number | undefined => {
      if (!moment || moment.mark === before?.mark) return undefined;
      // What is new since the last look is no older than that look, whatever the server's clock says.
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
      // Older than this node may be what it hears of first: the round is late, though the node has just come.
      this.#advancedAt = this.#knowsAge ? Math.max(this.#advancedAt, at - newestMs) : at - newestMs;
      this.#knowsAge = true;
    }
    if (deliveredMs !== undefined) this.#deliveredAt = Math.max(this.#deliveredAt, at - deliveredMs);
    this.#seen = { ...this.#seen, ...stored };
    this.#lookedAt = at;
  }

  /** Runs it here, past the job queue, unless another node has taken that upon itself; waits for no run. */
  async rescue(signal: AbortSignal): Promise<void> {
    const { stored, round, log } = this.#options;
    if (!(await stored.claim(this.name, round.everyMs)) || this.#running || signal.aborted) return;
    round.rescued();
    const ageSeconds = Math.round(this.ageMs / 1_000);
    log.warn({ round: this.name, ageSeconds }, 'a regular round is overdue; this node runs it past the job queue');
    const run = { id: `overdue ${this.name}`, signal, progress: async () => undefined };
    // What it fails with is noted where it is counted.
    void this.run({}, run, 'watch').catch(() => undefined);
  }

  /** The end of the run under way and of what is to be noted. */
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
    const running = { advancedAt: now(), byQueue: false, giveUp: givenUp.reject } as Running<R>;
    running.result = Promise.race([work(), givenUp.promise]).then(
      (result) => (this.#ended(running), result),
      (error: unknown) => {
        this.#ended(running, { error });
        throw error;
      },
    );
    return running;
  }

  #ended({ byQueue }: Running<R>, failure?: { error: unknown }): void {
    const { round, log } = this.#options;
    this.#running = undefined;
    if (failure) {
      round.failed(failure.error);
      // Of a job that it brought the queue says so itself.
      const error = String(failure.error);
      if (!byQueue) log.warn({ round: this.name, error }, 'a regular round failed; it runs again');
    } else {
      this.#advanced({ byQueue });
      round.completed();
    }
    this.#note({ completed: !failure, delivered: byQueue });
  }

  #advanced({ byQueue }: Pick<Running<R>, 'byQueue'>): void {
    this.#advancedAt = this.#options.now();
    this.#knowsAge = true;
    // While it is at a run the job queue need not bring another.
    if (byQueue) this.#deliveredAt = this.#advancedAt;
  }

  /** Notes it for the other nodes, one question at a time: what comes meanwhile goes into the next one. */
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
        // What this node notes itself it knows already.
        this.#seen = { ...this.#seen, ...(await stored.note(this.name, what)) };
      } catch (error) {
        log.warn({ round: this.name, error: String(error) }, 'other nodes do not hear of a run; they may run it too');
      }
    }
  }
}
