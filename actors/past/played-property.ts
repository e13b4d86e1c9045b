import type { Command, CommandResults } from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { FinalizedBatch } from '../../src/property-store/ports.ts';
import type { DecidedBatch } from '../property/decide-batch.ts';
import { addEntry, applyCommand, decideNext, openBatch } from '../property/decide-batch.ts';
import type { Draft } from '../property/draft.ts';
import { finalizeBatch } from '../property/finalize-batch.ts';
import type { State } from '../property/state.ts';

/** Subjects of the past: the desk, the guests' web pages, and the service itself. */
type PastSubject = 'demo-staff' | 'demo-manager' | 'system';

/**
 * A property whose past is played: its own decisions, one after the other at the times of the past, on one draft, and
 * nothing stored (docs/concepts/demo.md#how-the-past-is-written).
 */
export class PlayedProperty {
  #batch: DecidedBatch;
  readonly #journal: JournalEntry[] | undefined;
  readonly #name: 'demo' | 'sandbox';

  /**
   * @param isJournaled whether entries of the journal are made; else only stays are of interest
   * @param name of who plays it, in the journal
   */
  constructor(state: State, isJournaled: boolean, name: 'demo' | 'sandbox' = 'demo') {
    this.#name = name;
    this.#batch = openBatch(state);
    this.#journal = isJournaled ? [] : undefined;
  }

  get draft(): Draft {
    return this.#batch.draft;
  }

  /**
   * Decides a command at a time.
   * @returns its result, or `undefined` where it was refused
   * @throws Error for a fault: the past must be possible
   */
  do<C extends Command>(command: C, at: Instant, subject: PastSubject): CommandResults[C['type']] | undefined {
    if (!this.#journal) return this.#silently(command, at, subject);
    const who = subject === 'system' ? subject : subject.replace('demo', this.#name);
    const envelope = { command, subject: who, requestId: this.#name, deadline: Infinity };
    const outcome = decideNext(this.#batch, envelope, at);
    this.#drain();
    if (outcome.kind === 'fault') throw outcome.error;
    return outcome.kind === 'accepted' ? (outcome.decision.result as CommandResults[C['type']]) : undefined;
  }

  /** Adds an entry that no command made: the sum of a day. */
  note(entry: Omit<JournalEntry, 'seq' | 'hash' | 'requestId'>): void {
    if (!this.#journal) return;
    addEntry(this.#batch, { ...entry, requestId: this.#name });
    this.#drain();
  }

  /** The batch with all entries. */
  finished(): DecidedBatch {
    return { ...this.#batch, entries: this.#journal ?? [] };
  }

  /** What happened until now as a batch to be written; what follows is of the next one. */
  cut(epoch: number, now: Instant): FinalizedBatch {
    const done = this.finished();
    const batch = finalizeBatch({ ...done, entries: [...done.entries] }, epoch, now);
    this.goOn();
    this.#journal?.splice(0);
    return batch;
  }

  /** Goes on with a new draft, from the state after this one. */
  goOn(): Draft {
    const before = this.#batch;
    const { seq, at, head, draft } = before;
    this.#batch = openBatch(draft.apply(draft.base, { seq, at, head }));
    return draft;
  }

  /** Each entry is a batch of its own for those who read the journal. */
  #drain(): void {
    this.#journal!.push(...this.#batch.entries.splice(0));
  }

  #silently<C extends Command>(
    command: C,
    now: Instant,
    subject: PastSubject,
  ): CommandResults[C['type']] | undefined {
    const { draft } = this;
    try {
      const { decision } = applyCommand(draft, command, { now, subject, requestId: this.#name });
      draft.takeRooms();
      draft.takeCells();
      draft.takeBooks();
      return decision.result as CommandResults[C['type']];
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
