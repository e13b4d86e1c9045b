import type { CommitResult } from '../src/property-store/ports.ts';
import type { Waiting } from './mailbox.ts';
import type { DecidedBatch } from './property/decide-batch.ts';

/** A decided batch on its way to the database. */
export type InFlightBatch = {
  decided: DecidedBatch;
  batch: Waiting[];
  /** Whether there was anything to write. If not, the batch only waits for the one that it was decided on. */
  wrote: boolean;
  /** A command of the property itself (roll or expiry): it has no caller, and one at a time is enough. */
  silent: boolean;
  began: number;
  /** When the decision was complete. */
  sent: number;
  result: Promise<CommitResult>;
  /** Set once `result` has resolved, so that the loop can check without waiting. */
  outcome?: CommitResult;
};

/** Sends a decided batch. @param write puts it into a commit lane; not called when there is nothing to write */
export function sendBatch(
  { decided, batch }: Pick<InFlightBatch, 'decided' | 'batch'>,
  { began, silent }: Pick<InFlightBatch, 'began' | 'silent'>,
  write: () => Promise<CommitResult>,
): InFlightBatch {
  const wrote = decided.entries.length > 0 || decided.draft.keys.size > 0;
  const sent = performance.now();
  const result = wrote ? write() : Promise.resolve({ outcome: 'committed' } as const);
  const inFlight: InFlightBatch = { decided, batch, wrote, silent, began, sent, result };
  void result.then((outcome) => (inFlight.outcome = outcome));
  return inFlight;
}
