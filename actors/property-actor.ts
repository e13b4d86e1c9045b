import { isErased } from '../src/guests/rules/erasure.ts';
import type { ActorFigures, BatchFigures, Clock, Log, Tracer } from '../src/kernel/ports.ts';
import type { FollowFrom, LiveFeed, LiveListener, PropertyView } from '../src/kernel/property-actors.ts';
import { addressKey } from '../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../src/kernel/rules/commands.ts';
import { DomainError } from '../src/kernel/rules/domain-error.ts';
import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { MoneyFault } from '../src/money/rules/money-fault.ts';
import type { CommitResult, FinalizedBatch, PropertyStore, SeenPosition } from '../src/property-store/ports.ts';
import { BatchLog } from './batch-log.ts';
import { CommitRecovery } from './commit-recovery.ts';
import { type InFlightBatch, sendBatch } from './in-flight-batch.ts';
import { AHEAD_COMMANDS, BATCH_COMMANDS, MAX_IN_FLIGHT, MAX_READS } from './limits.ts';
import { Mailbox, ownEnvelope, type Waiting } from './mailbox.ts';
import { type DecidedBatch, decideBatch } from './property/decide-batch.ts';
import { finalizeBatch } from './property/finalize-batch.ts';
import type { State } from './property/state.ts';
import { reliesOnRates, RateFreshness } from './rate-freshness.ts';
import type { RateVersions } from './rate-versions.ts';
import { answer, references, rejectAll } from './replies.ts';
import { ReservationReads } from './reservation-reads.ts';
import type { Ring } from './ring.ts';
import { type FailingCommand, Timers } from './timers.ts';
import { traceBatch } from './traced-batch.ts';
import { CommittedView } from './view.ts';

type ActorDependencies = {
  store: PropertyStore;
  /** Writes a finalized batch, merged with batches of other actors. */
  commit(batch: FinalizedBatch): Promise<CommitResult>;
  /**
   * Checks for external changes of rates. `readAt` is when the rates of the state were read, by the clock of
   * `versions`.
   */
  rates: { versions: RateVersions; readAt: number; reloaded(): void };
  clock: Clock;
  log: Log;
  /** Called with every committed entry, as long as the actor lives. */
  onCommitted?(entry: JournalEntry, view: PropertyView): void;
  /** Called for every reservation whose amounts are inconsistent. */
  violated?(): void;
  /** Receives the spans of traced commands. */
  tracer?: Tracer;
  /** Called with the figures of every committed batch. */
  onBatch?(figures: BatchFigures): void;
  /**
   * The actor is fenced, lost or deleted and must not be called again.
   * @param isSure false where the database may not have what the actor saw committed
   */
  ended(actor: PropertyActor, isSure: boolean): void;
};

/**
 * The actor of one hotel property: the only place that decides about its rooms and prices. Commands wait in the
 * mailbox. While one batch commits, the next is decided on the state that the first will leave. Nothing is answered or
 * published before its commit (I9).
 */
export class PropertyActor {
  readonly #deps: ActorDependencies;
  readonly #mailbox = new Mailbox();
  readonly #batches = new BatchLog();
  readonly ring: Ring;
  readonly #timers: Timers;
  readonly #listeners = new Set<LiveListener>();
  #state: State;
  #epoch: number;
  #view: PropertyView;
  #running = false;
  #ended = false;
  /** Commands whose reservations or rates are being read, before they enter the mailbox. */
  #arriving = 0;
  #commandMs = 1;
  /** Pending answers of committed batches; see {@link PropertyActor.#giveAnswers}. */
  #answers: (() => void)[] = [];
  /** Batches under way, oldest first. Each later batch is decided on the state that the one before it will leave. */
  readonly #inFlight: InFlightBatch[] = [];
  #onMore: () => void = () => undefined;
  /** Callers that wait for a state of the loop; see {@link PropertyActor.#until}. */
  readonly #watchers: (() => void)[] = [];
  readonly #reads: ReservationReads;
  readonly #recovery: CommitRecovery;
  lastUsed: number;
  /** Must be checked before rates are read. */
  readonly rateFreshness: RateFreshness;

  constructor(state: State, epoch: number, ring: Ring, deps: ActorDependencies) {
    this.#state = state;
    this.#epoch = epoch;
    this.#deps = deps;
    this.ring = ring;
    this.#view = new CommittedView(state);
    this.lastUsed = deps.clock.now();
    const { store, log, rates } = deps;
    this.rateFreshness = new RateFreshness({
      to: state.address,
      store,
      log,
      ...rates,
      version: () => this.#state.rateVersion,
      owned: (epoch) => epoch > this.#epoch && this.#notMine(epoch),
      reload: (command) => this.execute(ownEnvelope(command)),
    });
    this.#reads = new ReservationReads({
      to: state.address,
      store,
      violated: () => deps.violated?.(),
      reservations: () => this.#state.reservations,
      checkEpoch: (of) => of !== this.#epoch && this.#notMine(of),
    });
    this.#recovery = new CommitRecovery({
      store,
      log,
      to: state.address,
      state: () => this.#state,
      isEnded: () => this.#ended,
      send: (batch) => this.#sendAgain(batch),
      committed: (inFlight) => this.#committed(inFlight),
      retaken: (epoch) => (this.#epoch = epoch),
      end: (why) => this.#end(why),
    });
    this.#timers = new Timers(deps.clock, () => this.wake());
    this.#timers.follow(
      state,
      [...state.holds].map(([, hold]) => hold),
    );
  }

  get address(): State['address'] {
    return this.#state.address;
  }

  get view(): PropertyView {
    return this.#view;
  }

  /** Where the property is, as far as this actor knows that it is written. */
  get position(): SeenPosition {
    const { address: to, seq, generation, head } = this.#state;
    return { to, seq, generation, head };
  }

  /** The epoch under which this actor owns the property. */
  get epoch(): number {
    return this.#epoch;
  }

  get exists(): boolean {
    return this.#state.property !== undefined;
  }

  /** Whether the actor may be passivated: nothing waits, runs or listens. */
  get idle(): boolean {
    return !this.#running && this.#mailbox.size === 0 && this.#arriving === 0 && !this.followed;
  }

  /** Commands in the mailbox. */
  get queued(): number {
    return this.#mailbox.size;
  }

  /** The property's own command (roll of the business date, expiry of holds) that has failed repeatedly. */
  get failing(): FailingCommand | undefined {
    return this.#timers.failing;
  }

  /** For operators. */
  get figures(): ActorFigures {
    const { seq, generation } = this.#view;
    return {
      epoch: this.#epoch,
      seq,
      generation,
      queued: this.#mailbox.size,
      oldestWaitMs: this.#mailbox.oldestWaitMs(performance.now()),
      ring: this.ring.all().length,
      followers: this.#listeners.size,
      lastUsed: this.lastUsed,
      ...(this.failing && { failing: this.failing.type }),
      batches: this.#batches.newest(),
    };
  }

  get followed(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * @throws DomainError of the decision; NOT_EXECUTED when its deadline has passed, STALE when rates could not be
   * checked
   */
  async execute(envelope: Envelope): Promise<Reply<unknown>> {
    this.lastUsed = this.#deps.clock.now();
    this.#arriving += 1;
    try {
      const unchecked = reliesOnRates(envelope.command) ? this.rateFreshness.check() : undefined;
      if (unchecked) await unchecked;
      const forgotten = this.#reads.missing(references(envelope.command));
      if (forgotten.length > 0) await this.#remember(forgotten);
    } finally {
      this.#arriving -= 1;
      this.#progressed();
    }
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new DomainError('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 });
      this.#mailbox.put({ envelope, resolve, reject, putAt: performance.now() }, this.#retryAfterSeconds());
      this.wake();
    });
  }

  /** Follows the property. The feed holds only entries that the ring has read: the caller reads older ones first. */
  follow(from: FollowFrom | undefined, listener: LiveListener): LiveFeed {
    if (!this.exists) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    if (this.#ended) throw new DomainError('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 });
    this.#listeners.add(listener);
    const known = from && from.generation === this.#state.generation;
    return {
      view: this.#view,
      missed: known ? this.ring.after(from.seq) : undefined,
      history: this.ring.all(),
      recent: this.ring.recent(),
      close: () => this.#listeners.delete(listener),
    };
  }

  /** Starts the loop if there is work: a command in the mailbox or a timer that is due. */
  wake(): void {
    if (this.#ended) return;
    if (this.#running) {
      if (this.#mailbox.size >= AHEAD_COMMANDS || this.#timers.due()) this.#onMore();
      return;
    }
    this.#running = true;
    this.#run()
      .catch((error: unknown) => this.#crash(error))
      .finally(() => {
        this.#running = false;
        this.#giveAnswers();
        if (!this.#ended && this.#mailbox.size > 0) this.wake();
        this.#progressed();
      });
  }

  /** Resolves once the loop has stopped: every command sent before is decided and written. */
  async idled(): Promise<void> {
    await this.#until(() => this.idle || !this.#running);
  }

  /** Runs timers that are due. A property that was passive catches up before it is read. */
  async runDueTimers(): Promise<void> {
    this.wake();
    await this.#until(() => !this.#running || !this.#timers.due());
  }

  /** Ends at once, because this node has lost the right to own properties. */
  abandon(): void {
    this.#end('The property is moving.');
  }

  /** Finishes the commands that have arrived, then ends. */
  async stop(): Promise<void> {
    const isDone = (): boolean => this.#ended || (!this.#running && this.#mailbox.size === 0 && this.#arriving === 0);
    // An idle actor is removed within this tick, so that no call reaches it in between.
    if (!isDone()) await this.#until(isDone);
    this.#end('The property is moving.', true);
  }

  /** Resolves when the condition holds. It is checked after each commit, and when the loop or an arrival ends. */
  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  #progressed(): void {
    for (const resolve of this.#watchers.splice(0)) resolve();
  }

  /** Reads reservations into memory: a command is decided on memory alone. */
  #remember(ids: readonly string[]): Promise<void> {
    this.#giveAnswers();
    return this.#reads.fetch(ids);
  }

  /**
   * Refuses what another owner has written. While the property is being taken again, the newer epoch may be our own.
   */
  #notMine(epoch: number): never {
    if (epoch > this.#epoch && !this.#recovery.isResolving) this.#end('fenced');
    throw new DomainError('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 });
  }

  async #run(): Promise<void> {
    for (;;) {
      while (!this.#ended && this.#inFlight.length < MAX_IN_FLIGHT && (await this.#dispatch()));
      this.#giveAnswers();
      const first = this.#inFlight[0];
      if (first) {
        if (this.#inFlight.length < MAX_IN_FLIGHT) await Promise.race([first.result, this.#moreToDo()]);
        else await first.result;
        if (first.outcome) await this.#complete(first, first.outcome);
      } else if (this.#ended || !this.#hasWork()) return;
    }
  }

  #hasWork(): boolean {
    return this.#mailbox.size > 0 || this.#timers.due() !== undefined;
  }

  /** Resolves when enough commands wait to decide a further batch behind the one under way. */
  #moreToDo(): Promise<void> {
    return new Promise((resolve) => (this.#onMore = resolve));
  }

  /**
   * Decides the next batch on the state that the one under way will leave, and sends it.
   * @returns whether it did anything
   */
  async #dispatch(): Promise<boolean> {
    const before = this.#inFlight.at(-1);
    // A batch without journal entries does not move the fence, so its outcome cannot be checked; nothing is pipelined
    // behind it.
    if (before?.wrote && before.decided.entries.length === 0) return false;
    const due = this.#inFlight.some(({ silent }) => silent) ? undefined : this.#timers.due();
    if (!due && before && this.#mailbox.size < AHEAD_COMMANDS) return false;
    let batch = due ? [this.#timers.command(due)] : this.#mailbox.take(BATCH_COMMANDS);
    if (batch.length === 0) return false;
    if (!due) batch = this.#inTime(batch);
    const began = performance.now();
    try {
      if (!(await this.#rememberAll(batch))) return true;
      const next = await this.#decide(batch, () => before?.decided.draft.preview(before.decided) ?? this.#state);
      if (next.batch.length > 0) this.#inFlight.push(this.#send(next, { began, silent: due !== undefined }));
    } catch (error) {
      rejectAll(batch, 'OUTCOME_UNKNOWN', 'Repeat with the same key.');
      throw error;
    }
    return true;
  }

  /**
   * Reads the reservations that the commands refer to.
   * @returns false when the database is away: the batch is rejected
   */
  async #rememberAll(batch: Waiting[]): Promise<boolean> {
    try {
      for (const { envelope } of batch) {
        const forgotten = this.#reads.missing(references(envelope.command));
        if (forgotten.length > 0) await this.#remember(forgotten);
      }
      return true;
    } catch (error) {
      if (error instanceof DomainError) rejectAll(batch, error.code, error.message);
      else rejectAll(batch, 'STORE_UNAVAILABLE', 'The database does not answer.');
      return false;
    }
  }

  /**
   * Decides a batch. A command that fails with a bug (not a DomainError) is rejected and the rest decided without it.
   * When a rule needs a reservation that is not in memory, it is read and the batch decided again.
   */
  async #decide(batch: Waiting[], state: () => State): Promise<{ decided: DecidedBatch; batch: Waiting[] }> {
    for (let reads = 0; ;) {
      const decided = decideBatch(
        state(),
        batch.map(({ envelope }) => envelope),
        this.#deps.clock.now(),
      );
      if (decided.draft.missing.size > 0 && reads++ < MAX_READS) {
        // When the database is away, the command fails with NOT_EXECUTED.
        await this.#remember([...decided.draft.missing]).catch(() => (reads = MAX_READS));
        continue;
      }
      const faulty = decided.outcomes.findIndex(({ kind }) => kind === 'fault');
      if (faulty < 0) return { decided, batch };
      const { error } = decided.outcomes[faulty] as { error: unknown };
      if (error instanceof MoneyFault) this.#deps.violated?.();
      this.#deps.log.error(
        { type: batch[faulty]!.envelope.command.type, error: String(error) },
        'command has a fault',
      );
      batch[faulty]!.reject(error);
      batch = batch.toSpliced(faulty, 1);
    }
  }

  #send(next: Pick<InFlightBatch, 'decided' | 'batch'>, of: Pick<InFlightBatch, 'began' | 'silent'>): InFlightBatch {
    return sendBatch(next, of, () =>
      this.#deps.commit(finalizeBatch(next.decided, this.#epoch, this.#deps.clock.now())),
    );
  }

  /** Decides commands of a failed batch again, on the committed state, and sends them. */
  async #sendAgain(batch: Waiting[]): Promise<InFlightBatch> {
    const next = await this.#decide(batch, () => this.#state);
    const inFlight = this.#send(next, { began: performance.now(), silent: false });
    this.#giveAnswers();
    return inFlight;
  }

  /** Handles the result of the oldest batch. If it was not written, the later batches are decided again too. */
  async #complete(first: InFlightBatch, result: CommitResult): Promise<void> {
    if (result.outcome === 'committed') {
      this.#inFlight.shift();
      this.#committed(first);
    } else {
      await this.#recovery.recover(result, this.#inFlight.splice(0));
    }
    this.#commandMs = 0.9 * this.#commandMs + (0.1 * (performance.now() - first.began)) / first.batch.length;
  }

  #inTime(batch: Waiting[]): Waiting[] {
    const now = this.#deps.clock.now();
    return batch.filter((waiting) => {
      if (waiting.envelope.deadline >= now) return true;
      const details = { retryAfterSeconds: this.#retryAfterSeconds() };
      waiting.reject(new DomainError('NOT_EXECUTED', 'The command waited too long; nothing happened.', details));
      return false;
    });
  }

  #committed(inFlight: InFlightBatch): void {
    const { decided, batch, wrote } = inFlight;
    // Before publishing, so that spans of the published events have a parent.
    if (this.#deps.tracer) traceBatch(this.#deps.tracer, this.address, inFlight);
    const figures = this.#batches.put(inFlight, this.#deps.clock.now());
    if (wrote) this.#deps.onBatch?.(figures);
    if (wrote) {
      const holds = decided.draft.holds.put();
      for (const { id } of decided.draft.reservations.put()) this.#reads.outdate(id);
      this.#state = decided.draft.apply(this.#state, decided);
      this.#inFlight[0]?.decided.draft.rebase(this.#state);
      this.#view = new CommittedView(this.#state);
      this.#timers.follow(this.#state, holds);
      for (const entry of decided.entries) {
        this.ring.push(entry);
        if (entry.type === 'ERASE_GUEST' && this.#isNameless(entry.entity)) this.ring.forgetName(entry.entity);
        if (this.#deps.onCommitted) this.#notify(this.#deps.onCommitted, entry);
        for (const listener of this.#listeners) this.#notify((...what) => listener.entry(...what), entry);
      }
    }
    this.#answers.push(() => batch.forEach((waiting, index) => answer(waiting, decided.outcomes[index]!)));
    if (!this.exists) this.#end('deleted', true);
    this.#progressed();
  }

  /**
   * Answers the callers of committed batches. Called once the next batch has been sent, or when there is none, so that
   * the work of callers and of the database overlap.
   */
  #giveAnswers(): void {
    for (const give of this.#answers.splice(0)) give();
  }

  /** Calls a listener. Its errors are logged only: callers of this commit still get their answers. */
  #notify(listen: (entry: JournalEntry, view: PropertyView) => void, entry: JournalEntry): void {
    try {
      listen(entry, this.#view);
    } catch (error) {
      this.#deps.log.error({ property: addressKey(this.address), error: String(error) }, 'listener failed');
    }
  }

  #retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.#mailbox.size * this.#commandMs) / 1000));
  }

  #crash(error: unknown): void {
    for (const { batch } of this.#inFlight.splice(0))
      rejectAll(batch, 'OUTCOME_UNKNOWN', 'Repeat with the same key.');
    this.#deps.log.error({ property: addressKey(this.address), error: String(error) }, 'actor crashed');
    this.#end('crashed');
  }

  /** The feed names who has booked, and nobody who shares the room. */
  #isNameless(entity: string): boolean {
    const reservation = this.#state.reservations.get(entity);
    return reservation === undefined || isErased(reservation);
  }

  #end(why: string, isSure = false): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#giveAnswers();
    this.#timers.close();
    for (const { reject } of this.#mailbox.drain())
      reject(new DomainError('NOT_EXECUTED', why, { retryAfterSeconds: 1 }));
    this.#deps.ended(this, isSure);
    for (const listener of this.#listeners) listener.lost();
    this.#progressed();
  }
}
