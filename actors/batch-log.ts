import type { BatchFigures } from '../src/kernel/ports.ts';
import type { InFlightBatch } from './in-flight-batch.ts';

/** Remembered batches of an actor. */
const MAX_BATCHES = 50;

/** The newest committed batches of an actor, for operators: sizes and times, nothing of what they contain. */
export class BatchLog {
  readonly #batches: BatchFigures[] = [];
  #next = 0;

  /** @returns the figures of the batch, which has been committed now */
  put({ batch, began, sent, wrote }: InFlightBatch, at: number): BatchFigures {
    let waitMs = 0;
    for (const { putAt = began } of batch) waitMs = Math.max(waitMs, began - putAt);
    const commitMs = wrote ? performance.now() - sent : 0;
    const figures = { at, commands: batch.length, waitMs, decideMs: sent - began, commitMs };
    this.#batches[this.#next] = figures;
    this.#next = (this.#next + 1) % MAX_BATCHES;
    return figures;
  }

  /** Newest first. */
  newest(): BatchFigures[] {
    return [...this.#batches.slice(this.#next), ...this.#batches.slice(0, this.#next)].toReversed();
  }
}
