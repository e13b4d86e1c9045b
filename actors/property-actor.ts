import { addressKey } from '../src/domain/caller.ts';
import type { Envelope, Reply } from '../src/domain/commands.ts';
import type { JournalEntry } from '../src/domain/journal.ts';
import { Refusal } from '../src/domain/refusal.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Log } from '../src/ports/log.ts';
import type { LiveFeed, LiveListener, PropertyView } from '../src/ports/properties.ts';
import type { CommitResult, KnownKey, PropertyStore, SealedBatch } from '../src/ports/property-store.ts';
import { BATCH_COMMANDS, LOST_COMMITS, RETRY_TIME_MS } from './limits.ts';
import { Mailbox, type Waiting } from './mailbox.ts';
import { changesOf } from './property/changes.ts';
import type { State } from './property/state.ts';
import { type Step, step } from './property/step.ts';
import { answer, answerKnown, reference, rejection } from './replies.ts';
import { Ring } from './ring.ts';
import { settle } from './settle.ts';
import { Timers } from './timers.ts';
import { CommittedView } from './view.ts';

export type ActorDependencies = {
  store: PropertyStore;
  /** Writes a sealed batch, together with those of other actors. */
  commit(batch: SealedBatch): Promise<CommitResult>;
  clock: Clock;
  log: Log;
  /** The actor is fenced, lost or deleted and must not be asked again. */
  ended(actor: PropertyActor): void;
};

/**
 * One hotel property: the only place that decides about its rooms and prices. Commands wait in the mailbox; while one
 * batch commits, the next gathers. Nothing is answered or shown before its commit (I9).
 */
export class PropertyActor {
  readonly #deps: ActorDependencies;
  readonly #mailbox = new Mailbox();
  readonly #ring: Ring;
  readonly #timers: Timers;
  readonly #listeners = new Set<LiveListener>();
  #state: State;
  #epoch: number;
  #view: PropertyView;
  #running = false;
  #ended = false;
  #commandMs = 1;
  /** Answers of committed batches; see {@link PropertyActor.#giveAnswers}. */
  #answers: (() => void)[] = [];
  lastUsed: number;

  constructor(state: State, epoch: number, recent: JournalEntry[], deps: ActorDependencies) {
    this.#state = state;
    this.#epoch = epoch;
    this.#deps = deps;
    this.#ring = new Ring(recent);
    this.#view = new CommittedView(state);
    this.lastUsed = deps.clock.now();
    this.#timers = new Timers(deps.clock, () => this.wake());
    this.#timers.follow(state, state.holds.values());
  }

  get address(): State['address'] {
    return this.#state.address;
  }

  get view(): PropertyView {
    return this.#view;
  }

  get exists(): boolean {
    return this.#state.property !== undefined;
  }

  /** Whether nothing waits, runs or listens: the actor may leave memory. */
  get idle(): boolean {
    return !this.#running && this.#mailbox.size === 0 && this.#listeners.size === 0;
  }

  /** @throws Refusal of the decision, or NOT_EXECUTED when it could not be made in time. */
  async execute(envelope: Envelope): Promise<Reply<unknown>> {
    this.lastUsed = this.#deps.clock.now();
    if (this.#isForgotten(envelope)) await this.#remember(envelope);
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new Refusal('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 });
      this.#mailbox.put({ envelope, resolve, reject }, this.#retryAfterSeconds());
      this.wake();
    });
  }

  follow(from: { generation: number; seq: number } | undefined, listener: LiveListener): LiveFeed {
    if (!this.exists) throw new Refusal('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    if (this.#ended) throw new Refusal('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 });
    this.#listeners.add(listener);
    const known = from && from.generation === this.#state.generation;
    return {
      view: this.#view,
      missed: known ? this.#ring.after(from.seq) : undefined,
      recent: this.#ring.recent(),
      close: () => this.#listeners.delete(listener),
    };
  }

  /** Starts the loop if there is something to do: a command, or time that has passed. */
  wake(): void {
    if (this.#running || this.#ended) return;
    this.#running = true;
    this.#run()
      .catch((error: unknown) => this.#crash(error))
      .finally(() => {
        this.#running = false;
        this.#giveAnswers();
        if (!this.#ended && this.#mailbox.size > 0) this.wake();
      });
  }

  /** Whether the loop runs at the moment. */
  get busy(): boolean {
    return this.#running;
  }

  /** Runs the roll and the expiries that are due: a sleeping property catches up before it is asked (contracts.md 5). */
  async settleTime(): Promise<void> {
    this.wake();
    while (this.#running && this.#timers.due()) await new Promise((done) => setTimeout(done, 1));
  }

  /** Ends at once: this node may own nothing any more. */
  abandon(): void {
    this.#end('The property is moving.');
  }

  /** Waits until nothing is queued or under way, then leaves. */
  async stop(): Promise<void> {
    while (!this.#ended && (this.#running || this.#mailbox.size > 0))
      await new Promise((done) => setTimeout(done, 2));
    this.#end('The property is moving.');
  }

  #isForgotten({ command }: Envelope): boolean {
    const id = reference(command);
    return id !== undefined && !this.#state.reservations.get(id);
  }

  /** A reservation that a command is about must be in memory when it is decided. */
  async #remember({ command }: Envelope): Promise<void> {
    const id = reference(command)!;
    this.#giveAnswers();
    const reservation = await this.#deps.store.reservation(this.address, id);
    if (reservation && !this.#state.reservations.get(id)) this.#state.reservations.set(id, reservation);
  }

  async #run(): Promise<void> {
    for (;;) {
      const due = this.#timers.due();
      if (due) {
        const before = this.#state.seq;
        await this.#commit([silent(due)]);
        if (this.#state.seq === before) await new Promise((done) => setTimeout(done, RETRY_TIME_MS));
        if (this.#ended) return;
      }
      const batch = this.#inTime(this.#mailbox.take(BATCH_COMMANDS));
      if (batch.length === 0) this.#giveAnswers();
      if (batch.length === 0 && this.#mailbox.size === 0 && !this.#timers.due()) return;
      if (batch.length === 0) continue;
      const began = performance.now();
      await this.#decide(batch);
      this.#commandMs = 0.9 * this.#commandMs + (0.1 * (performance.now() - began)) / batch.length;
      if (this.#ended) return;
    }
  }

  /** Whatever breaks, nobody of the batch is left without an answer. */
  async #decide(batch: Waiting[]): Promise<void> {
    const details = { retryAfterSeconds: 1 };
    try {
      for (const { envelope } of batch) if (this.#isForgotten(envelope)) await this.#remember(envelope);
    } catch {
      for (const { reject } of batch)
        reject(new Refusal('STORE_UNAVAILABLE', 'The database does not answer.', details));
      return;
    }
    try {
      await this.#commit(batch);
    } catch (error) {
      for (const { reject } of batch) reject(new Refusal('OUTCOME_UNKNOWN', 'Repeat with the same key.', details));
      throw error;
    }
  }

  #inTime(batch: Waiting[]): Waiting[] {
    const now = this.#deps.clock.now();
    return batch.filter((waiting) => {
      if (waiting.envelope.deadline >= now) return true;
      const details = { retryAfterSeconds: this.#retryAfterSeconds() };
      waiting.reject(new Refusal('NOT_EXECUTED', 'The command waited too long; nothing happened.', details));
      return false;
    });
  }

  /** Decides and writes a batch; a part of it that cannot be written does not keep the rest from being written. */
  async #commit(batch: Waiting[]): Promise<void> {
    for (let lost = 0; batch.length > 0 && !this.#ended;) {
      const made = step(
        this.#state,
        batch.map(({ envelope }) => envelope),
        this.#deps.clock.now(),
      );
      const faulty = made.verdicts.findIndex(({ kind }) => kind === 'fault');
      if (faulty >= 0) {
        batch[faulty]!.reject((made.verdicts[faulty] as { error: unknown }).error);
        batch = batch.toSpliced(faulty, 1);
        continue;
      }
      const writes = made.entries.length > 0 || made.draft.keys.size > 0;
      const committing = writes ? this.#deps.commit(this.#seal(made)) : undefined;
      this.#giveAnswers();
      const result = committing ? await committing : ({ outcome: 'committed' } as const);
      const rest = await this.#afterCommit(result, made, batch, writes);
      if (rest === undefined) return;
      batch = rest;
      if (result.outcome === 'unknown' && ++lost === LOST_COMMITS) break;
    }
    // Ended, or interrupted again and again: it is known that nothing of it was written.
    for (const { reject } of batch)
      reject(new Refusal('NOT_EXECUTED', 'The property is moving.', { retryAfterSeconds: 1 }));
  }

  /** What is left to do: nothing, or the commands that must be decided again. */
  async #afterCommit(
    result: CommitResult,
    made: Step,
    batch: Waiting[],
    wrote: boolean,
  ): Promise<Waiting[] | undefined> {
    switch (result.outcome) {
      case 'committed':
        this.#committed(made, batch, wrote);
        return undefined;
      case 'known-keys':
        return this.#answerKnown(result.keys, batch);
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
        for (const { reject } of batch)
          reject(new Refusal('STORE_UNAVAILABLE', 'The database does not answer.', { retryAfterSeconds: 1 }));
        return undefined;
      case 'unknown':
        return this.#settle(made, batch, wrote);
      case 'fenced':
        for (const { reject } of batch)
          reject(new Refusal('NOT_EXECUTED', 'The property has another owner.', { retryAfterSeconds: 1 }));
        this.#end('fenced');
        return undefined;
    }
  }

  /** The commit's answer never came: take the property with the next epoch, which shows what is there. */
  async #settle(made: Step, batch: Waiting[], wrote: boolean): Promise<Waiting[] | undefined> {
    const found = await settle(this.#deps.store, this.address, { before: this.#state, after: made });
    if (found.outcome === 'committed' || found.outcome === 'not-committed') this.#epoch = found.epoch;
    if (found.outcome === 'committed') {
      this.#committed(made, batch, wrote);
      return undefined;
    }
    if (found.outcome === 'not-committed') return batch;
    for (const { reject } of batch)
      reject(
        new Refusal('OUTCOME_UNKNOWN', 'The commit was interrupted; repeat with the same key.', {
          retryAfterSeconds: 1,
        }),
      );
    this.#end('outcome unknown');
    return undefined;
  }

  #answerKnown(keys: readonly KnownKey[], batch: Waiting[]): Waiting[] {
    return batch.filter((waiting) => !keys.some((known) => answerKnown(waiting, known, this.#state)));
  }

  #seal(made: Step): SealedBatch {
    const { draft, entries, seq, head } = made;
    return {
      to: this.address,
      epoch: this.#epoch,
      oldSeq: this.#state.seq,
      newSeq: seq,
      head,
      today: draft.today === this.#state.today ? undefined : draft.today,
      at: entries[0]?.at ?? this.#deps.clock.now(),
      changes: changesOf(draft),
      entries,
      keys: [...draft.keys.values()],
    };
  }

  #committed(made: Step, batch: Waiting[], wrote: boolean): void {
    if (wrote) {
      const at = made.entries.at(-1)?.at ?? this.#state.at;
      const holds = made.draft.holds.put();
      this.#state = made.draft.apply({ seq: made.seq, head: made.head, at });
      this.#view = new CommittedView(this.#state);
      this.#timers.follow(this.#state, holds);
      for (const entry of made.entries) {
        this.#ring.push(entry);
        for (const listener of this.#listeners) this.#tell(listener, entry);
      }
    }
    this.#answers.push(() => batch.forEach((waiting, index) => answer(waiting, made.verdicts[index]!)));
    if (!this.exists) this.#end('deleted');
  }

  /**
   * Tells the callers of committed batches. It is done when the next batch has gone to the database, or when there is
   * none: their work and that of the database then overlap, where else one would wait for the other.
   */
  #giveAnswers(): void {
    for (const give of this.#answers.splice(0)) give();
  }

  /** A listener that breaks is its own affair: those who wait for this commit still get their answers. */
  #tell(listener: LiveListener, entry: JournalEntry): void {
    try {
      listener.entry(entry, this.#view);
    } catch (error) {
      this.#deps.log.error({ property: addressKey(this.address), error: String(error) }, 'listener failed');
    }
  }

  #retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.#mailbox.size * this.#commandMs) / 1000));
  }

  #crash(error: unknown): void {
    this.#deps.log.error({ property: addressKey(this.address), error: String(error) }, 'actor crashed');
    this.#end('crashed');
  }

  #end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#giveAnswers();
    this.#timers.close();
    for (const { reject } of this.#mailbox.drain())
      reject(new Refusal('NOT_EXECUTED', why, { retryAfterSeconds: 1 }));
    this.#deps.ended(this);
    for (const listener of this.#listeners) listener.lost();
  }
}

/** A command of the actor itself: nobody waits for its answer. */
function silent(type: 'EXPIRE' | 'TICK'): Waiting {
  const envelope = { command: { type }, subject: 'system', requestId: '', deadline: Infinity };
  return { envelope, resolve: () => undefined, reject: () => undefined };
}
