import type { Clock, Log, Tracer } from '../src/kernel/ports.ts';
import type { FollowFrom, LiveFeed, LiveListener, PropertyView } from '../src/kernel/property-actors.ts';
import { addressKey } from '../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../src/kernel/rules/commands.ts';
import { DomainError } from '../src/kernel/rules/domain-error.ts';
import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { MoneyFault } from '../src/money/rules/money-fault.ts';
import type { CommitResult, KnownKey, PropertyStore, FinalizedBatch } from '../src/property-store/ports.ts';
import { type InFlightBatch, sendBatch } from './in-flight-batch.ts';
import { AHEAD_COMMANDS, BATCH_COMMANDS, MOST_IN_FLIGHT, LOST_COMMITS, MOST_READS } from './limits.ts';
import { Mailbox, ownEnvelope, type Waiting } from './mailbox.ts';
import { type DecidedBatch, decideBatch } from './property/decide-batch.ts';
import { finalizeBatch } from './property/finalize-batch.ts';
import type { State } from './property/state.ts';
import { reliesOnRates, RateFreshness } from './rate-freshness.ts';
import type { RateVersions } from './rate-versions.ts';
import { answer, answerKnown, references, rejectAll, rejection } from './replies.ts';
import { ReservationReads } from './reservation-reads.ts';
import { resolveUnknownCommit } from './resolve-unknown-commit.ts';
import type { Ring } from './ring.ts';
import { type FailingCommand, Timers } from './timers.ts';
import { traceBatch } from './traced-batch.ts';
import { CommittedView } from './view.ts';

type ActorDependencies = {
  store: PropertyStore;
  /** Writes a sealed batch, together with those of other actors. */
  commit(batch: FinalizedBatch): Promise<CommitResult>;
  /** Checks for external changes of rates; `readAt` is when, by its clock, those of the state were read. */
  rates: { versions: RateVersions; readAt: number; reloaded(): void };
  clock: Clock;
  log: Log;
  /** Called with every committed entry, as long as the actor lives. */
  onCommitted?(entry: JournalEntry, view: PropertyView): void;
  /** Called for every reservation whose money does not add up. */
  violated?(): void;
  /** Where spans of traced commands go. */
  tracer?: Tracer;
  /** The actor is fenced, lost or deleted and must not be called again. */
  ended(actor: PropertyActor): void;
};

/**
 * One hotel property: the only place that decides about its rooms and prices. Commands wait in the mailbox; while one
 * batch commits, the next is decided and follows it. Nothing is answered or shown before its commit (I9).
 */
export class PropertyActor {
  readonly #deps: ActorDependencies;
  readonly #mailbox = new Mailbox();
  readonly ring: Ring;
  readonly #timers: Timers;
  readonly #listeners = new Set<LiveListener>();
  #state: State;
  #epoch: number;
  #view: PropertyView;
  #running = false;
  #ended = false;
  #resolving = false;
  /** Commands that what they need is read for, before they may wait. */
  #arriving = 0;
  #commandMs = 1;
  /** Answers of committed batches; see {@link PropertyActor.#giveAnswers}. */
  #answers: (() => void)[] = [];
  /** Batches under way, oldest first; each but the first is decided on what the one before will leave. */
  readonly #inFlight: InFlightBatch[] = [];
  #onMore: () => void = () => undefined;
  /** Those who wait for a state of the loop; see {@link PropertyActor.#until}. */
  readonly #watchers: (() => void)[] = [];
  readonly #reads: ReservationReads;
  lastUsed: number;
  /** To be checked before rates are read. */
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

  /** Under which it owns the property. */
  get epoch(): number {
    return this.#epoch;
  }

  get exists(): boolean {
    return this.#state.property !== undefined;
  }

  /** Whether nothing waits, runs or listens: the actor may leave memory. */
  get idle(): boolean {
    return !this.#running && this.#mailbox.size === 0 && this.#arriving === 0 && !this.followed;
  }

  /** Commands in the mailbox. */
  get queued(): number {
    return this.#mailbox.size;
  }

  /** Its roll of the day or expiry of holds, where that fails again and again. */
  get failing(): FailingCommand | undefined {
    return this.#timers.failing;
  }

  get followed(): boolean {
    return this.#listeners.size > 0;
  }

  /** @throws DomainError of the decision; NOT_EXECUTED when it was not decided in time, STALE when rates are */
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
      const waiting: Waiting = { envelope, resolve, reject };
      if (envelope.trace !== undefined) waiting.putAt = performance.now();
      this.#mailbox.put(waiting, this.#retryAfterSeconds());
      this.wake();
    });
  }

  /** Entries that the ring has not read before are missing in the feed. */
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

  /** Starts the loop if there is something to do: a command, or time that has passed. */
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

  /** Resolves once the loop does not run: everything sent before is decided and written. */
  async idled(): Promise<void> {
    await this.#until(() => this.idle || !this.#running);
  }

  /** Runs the roll and the expiries that are due: a passive property catches up before it is read. */
  async runDueTimers(): Promise<void> {
    this.wake();
    await this.#until(() => !this.#running || !this.#timers.due());
  }

  /** Ends at once: this node may own nothing any more. */
  abandon(): void {
    this.#end('The property is moving.');
  }

  /** Waits until nothing is on its way to the queue, queued or under way, then leaves. */
  async stop(): Promise<void> {
    const isDone = (): boolean => this.#ended || (!this.#running && this.#mailbox.size === 0 && this.#arriving === 0);
    // An idle actor is removed in this tick: nobody finds it in between.
    if (!isDone()) await this.#until(isDone);
    this.#end('The property is moving.');
  }

  /** Resolves when the condition holds; it is looked at after each commit, and when the loop or an arrival ends. */
  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  #progressed(): void {
    for (const resolve of this.#watchers.splice(0)) resolve();
  }

  /** A reservation that a command is about must be in memory when it is decided. */
  #remember(ids: readonly string[]): Promise<void> {
    this.#giveAnswers();
    return this.#reads.fetch(ids);
  }

  /** What another owner has written fits no state of ours; while an epoch is being taken, it may be our own. */
  #notMine(epoch: number): never {
    if (epoch > this.#epoch && !this.#resolving) this.#end('fenced');
    throw new DomainError('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 });
  }

  async #run(): Promise<void> {
    for (;;) {
      while (!this.#ended && this.#inFlight.length < MOST_IN_FLIGHT && (await this.#dispatch()));
      this.#giveAnswers();
      const first = this.#inFlight[0];
      if (first) {
        if (this.#inFlight.length < MOST_IN_FLIGHT) await Promise.race([first.result, this.#moreToDo()]);
        else await first.result;
        if (first.outcome) await this.#complete(first, first.outcome);
      } else if (this.#ended || !this.#hasWork()) return;
    }
  }

  #hasWork(): boolean {
    return this.#mailbox.size > 0 || this.#timers.due() !== undefined;
  }

  /** Settles when there is enough to decide a further batch on one that is still under way. */
  #moreToDo(): Promise<void> {
    return new Promise((resolve) => (this.#onMore = resolve));
  }

  /** Decides the next batch, on what the one under way will leave, and sends it. Says whether it did anything. */
  async #dispatch(): Promise<boolean> {
    const before = this.#inFlight.at(-1);
    // Of a batch that only keeps answers the fence could not say whether it was written: nothing follows it.
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

  /** Reservations that the commands are about are in memory before they are decided; without a database nothing is. */
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
   * Decides a batch; a command that breaks a rule gets its error and is left out. Where a rule turns out to need a
   * reservation that is not in memory, it is read and the batch decided again.
   */
  async #decide(batch: Waiting[], state: () => State): Promise<{ decided: DecidedBatch; batch: Waiting[] }> {
    for (let reads = 0; ;) {
      const decided = decideBatch(
        state(),
        batch.map(({ envelope }) => envelope),
        this.#deps.clock.now(),
      );
      if (decided.draft.missing.size > 0 && reads++ < MOST_READS) {
        // Without a database the command stays refused, as one that was not executed.
        await this.#remember([...decided.draft.missing]).catch(() => (reads = MOST_READS));
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

  /** The oldest batch has its result. If it was not written, batches decided on it are decided again. */
  async #complete(first: InFlightBatch, result: CommitResult): Promise<void> {
    if (result.outcome === 'committed') {
      this.#inFlight.shift();
      this.#committed(first);
    } else {
      const batches = this.#inFlight.splice(0);
      const results = await Promise.all(batches.map((inFlight) => inFlight.result));
      if (result.outcome === 'unknown' || results.some(({ outcome }) => outcome === 'unknown')) {
        for (const { batch } of await this.#resolveUnknownCommit(batches)) await this.#commit(batch, 1);
      } else {
        await this.#commit((await this.#afterFailure(result, first.batch)) ?? []);
        for (const { batch } of batches.slice(1)) await this.#commit(batch);
      }
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

  /** Decides and writes one batch alone; a part that cannot be written does not keep the rest from being written. */
  async #commit(batch: Waiting[], lost = 0): Promise<void> {
    while (batch.length > 0 && !this.#ended && lost < LOST_COMMITS) {
      const next = await this.#decide(batch, () => this.#state);
      const inFlight = this.#send(next, { began: performance.now(), silent: false });
      this.#giveAnswers();
      const result = await inFlight.result;
      if (result.outcome === 'committed') return this.#committed(inFlight);
      if (result.outcome === 'unknown') {
        lost += 1;
        batch = (await this.#resolveUnknownCommit([inFlight]))[0]?.batch ?? [];
      } else batch = (await this.#afterFailure(result, next.batch)) ?? [];
    }
    // Ended, or interrupted again and again: it is known that nothing of it was written.
    rejectAll(batch, 'NOT_EXECUTED', 'The property is moving.');
  }

  /** Nothing was written, and it is known why: what is left to decide again. */
  async #afterFailure(
    result: Exclude<CommitResult, { outcome: 'committed' | 'unknown' }>,
    batch: Waiting[],
  ): Promise<Waiting[] | undefined> {
    switch (result.outcome) {
      case 'known-keys':
        return this.#answerKnown(result.keys, batch);
      case 'overtaken':
      case 'raced':
        return batch;
      case 'rejected': {
        if (batch.length === 1) {
          batch[0]!.reject(rejection(result.reason));
          this.#deps.log.warn(
            { property: addressKey(this.address), reason: result.reason, detail: result.detail },
            'command rejected',
          );
          return undefined;
        }
        const half = batch.length >> 1;
        await this.#commit(batch.slice(0, half));
        return batch.slice(half);
      }
      case 'unavailable':
        rejectAll(batch, 'STORE_UNAVAILABLE', 'The database does not answer.');
        return undefined;
      case 'fenced':
        rejectAll(batch, 'NOT_EXECUTED', 'The property has another owner.');
        this.#end('fenced');
        return undefined;
    }
  }

  /**
   * The answer of a commit never came: take the property with the next epoch, which shows what is there. Returns the
   * batches that were not written.
   */
  async #resolveUnknownCommit(batches: InFlightBatch[]): Promise<InFlightBatch[]> {
    this.#resolving = true;
    const positions = [this.#state, ...batches.map(({ decided }) => decided)];
    const found = await resolveUnknownCommit(this.#deps.store, this.address, positions);
    this.#resolving = false;
    if (found.outcome === 'found') {
      this.#epoch = found.epoch;
      for (const inFlight of batches.slice(0, found.at)) this.#committed(inFlight);
      return batches.slice(found.at);
    }
    for (const { batch } of batches)
      rejectAll(batch, 'OUTCOME_UNKNOWN', 'The commit was interrupted; repeat with the same key.');
    this.#end('outcome unknown');
    return [];
  }

  #answerKnown(keys: readonly KnownKey[], batch: Waiting[]): Waiting[] {
    return batch.filter((waiting) => !keys.some((known) => answerKnown(waiting, known, this.#state)));
  }

  #committed(inFlight: InFlightBatch): void {
    const { decided, batch, wrote } = inFlight;
    // First: what is published of it below finds its place in the trace.
    if (this.#deps.tracer) traceBatch(this.#deps.tracer, this.address, inFlight);
    if (wrote) {
      const holds = decided.draft.holds.put();
      for (const { id } of decided.draft.reservations.put()) this.#reads.outdate(id);
      this.#state = decided.draft.apply(this.#state, decided);
      this.#inFlight[0]?.decided.draft.rebase(this.#state);
      this.#view = new CommittedView(this.#state);
      this.#timers.follow(this.#state, holds);
      for (const entry of decided.entries) {
        this.ring.push(entry);
        if (entry.type === 'ERASE_GUEST') this.ring.forgetName(entry.entity);
        if (this.#deps.onCommitted) this.#notify(this.#deps.onCommitted, entry);
        for (const listener of this.#listeners) this.#notify((...what) => listener.entry(...what), entry);
      }
    }
    this.#answers.push(() => batch.forEach((waiting, index) => answer(waiting, decided.outcomes[index]!)));
    if (!this.exists) this.#end('deleted');
    this.#progressed();
  }

  /**
   * Answers the callers of committed batches. It is done when the next batch has gone to the database, or when there is
   * none: their work and that of the database then overlap, where else one would wait for the other.
   */
  #giveAnswers(): void {
    for (const give of this.#answers.splice(0)) give();
  }

  /** A listener that breaks is its own affair: those who wait for this commit still get their answers. */
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

  #end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#giveAnswers();
    this.#timers.close();
    for (const { reject } of this.#mailbox.drain())
      reject(new DomainError('NOT_EXECUTED', why, { retryAfterSeconds: 1 }));
    this.#deps.ended(this);
    for (const listener of this.#listeners) listener.lost();
    this.#progressed();
  }
}
