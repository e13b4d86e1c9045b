import type { Log } from '../src/kernel/ports.ts';
import { type Address, addressKey } from '../src/kernel/rules/caller.ts';
import { READ_ONLY_DETAIL } from '../src/kernel/rules/database-unavailable.ts';
import type { CommitResult, KnownKey, PropertyStore } from '../src/property-store/ports.ts';
import type { InFlightBatch } from './in-flight-batch.ts';
import { LOST_COMMITS } from './limits.ts';
import type { Waiting } from './mailbox.ts';
import type { State } from './property/state.ts';
import { answerKnown, rejectAll, rejection } from './replies.ts';
import { resolveUnknownCommit } from './resolve-unknown-commit.ts';

/** What the recovery needs of its actor. */
type Recovering = {
  store: PropertyStore;
  log: Log;
  to: Address;
  /** The last committed state. */
  state(): State;
  isEnded(): boolean;
  /** Decides a batch on the committed state and sends it to the database. */
  send(batch: Waiting[]): Promise<InFlightBatch>;
  /** Applies a batch that the database has written. */
  committed(inFlight: InFlightBatch): void;
  /** The property was taken again under this epoch. */
  retaken(epoch: number): void;
  /** Ends the actor. */
  end(why: string): void;
};

/** Why a commit wrote nothing, where that is certain. */
type NotWritten = Exclude<CommitResult, { outcome: 'committed' | 'unknown' }>;

/**
 * Handles batches whose commit failed: commands that were not written are decided again, one batch at a time, until
 * each has its answer (docs/concepts/commit-and-fence.md#unknown-outcome).
 */
export class CommitRecovery {
  readonly #actor: Recovering;
  #resolving = false;

  constructor(actor: Recovering) {
    this.#actor = actor;
  }

  /** Whether the property is being taken again: a newer epoch in the database may then be this actor's own. */
  get isResolving(): boolean {
    return this.#resolving;
  }

  /**
   * The oldest batch under way has failed. Later batches were decided on it, so they were not written either.
   * @param batches all batches under way, oldest first
   */
  async recover(failed: Exclude<CommitResult, { outcome: 'committed' }>, batches: InFlightBatch[]): Promise<void> {
    const results = await Promise.all(batches.map((inFlight) => inFlight.result));
    if (failed.outcome === 'unknown' || results.some(({ outcome }) => outcome === 'unknown')) {
      for (const { batch } of await this.#resolveUnknown(batches)) await this.#commit(batch, 1);
      return;
    }
    const [first, ...later] = batches;
    await this.#commit((await this.#afterFailure(failed, first!.batch)) ?? []);
    for (const { batch } of later) await this.#commit(batch);
  }

  /** Decides and writes one batch alone; a part that cannot be written does not keep the rest from being written. */
  async #commit(batch: Waiting[], lost = 0): Promise<void> {
    while (batch.length > 0 && !this.#actor.isEnded() && lost < LOST_COMMITS) {
      const inFlight = await this.#actor.send(batch);
      const result = await inFlight.result;
      if (result.outcome === 'committed') return this.#actor.committed(inFlight);
      if (result.outcome === 'unknown') {
        lost += 1;
        batch = (await this.#resolveUnknown([inFlight]))[0]?.batch ?? [];
      } else batch = (await this.#afterFailure(result, inFlight.batch)) ?? [];
    }
    // The actor has ended, or the commit was interrupted too often. Each time it was verified that nothing was written.
    rejectAll(batch, 'NOT_EXECUTED', 'The property is moving.');
  }

  /** @returns commands to decide again; none where all of them have their answers */
  async #afterFailure(result: NotWritten, batch: Waiting[]): Promise<Waiting[] | undefined> {
    switch (result.outcome) {
      case 'known-keys':
        return this.#answerKnown(result.keys, batch);
      case 'overtaken':
      case 'raced':
        return batch;
      case 'rejected': {
        if (batch.length === 1) {
          batch[0]!.reject(rejection(result.reason));
          const { log, to } = this.#actor;
          log.warn({ property: addressKey(to), reason: result.reason, detail: result.detail }, 'command rejected');
          return undefined;
        }
        const half = batch.length >> 1;
        await this.#commit(batch.slice(0, half));
        return batch.slice(half);
      }
      case 'unavailable':
        if (result.isReadOnly) rejectAll(batch, 'STORE_READ_ONLY', READ_ONLY_DETAIL);
        else rejectAll(batch, 'STORE_UNAVAILABLE', 'The database does not answer.');
        return undefined;
      case 'fenced':
        rejectAll(batch, 'NOT_EXECUTED', 'The property has another owner.');
        this.#actor.end('fenced');
        return undefined;
    }
  }

  /**
   * The result of a commit is unknown. Taking the property under the next epoch stops whatever is still under way, so
   * the stored position then says how many batches were written.
   * @returns the batches that were not written
   */
  async #resolveUnknown(batches: InFlightBatch[]): Promise<InFlightBatch[]> {
    const { store, to } = this.#actor;
    this.#resolving = true;
    const positions = [this.#actor.state(), ...batches.map(({ decided }) => decided)];
    const found = await resolveUnknownCommit(store, to, positions);
    this.#resolving = false;
    if (found.outcome === 'found') {
      this.#actor.retaken(found.epoch);
      for (const inFlight of batches.slice(0, found.at)) this.#actor.committed(inFlight);
      return batches.slice(found.at);
    }
    for (const { batch } of batches)
      rejectAll(batch, 'OUTCOME_UNKNOWN', 'The commit was interrupted; repeat with the same key.');
    this.#actor.end('outcome unknown');
    return [];
  }

  /** Answers commands whose keys have idempotency records. @returns the other commands */
  #answerKnown(keys: readonly KnownKey[], batch: Waiting[]): Waiting[] {
    return batch.filter((waiting) => !keys.some((known) => answerKnown(waiting, known, this.#actor.state())));
  }
}
