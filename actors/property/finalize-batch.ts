import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { FinalizedBatch } from '../../src/property-store/ports.ts';
import { draftChanges } from './changes.ts';
import type { DecidedBatch } from './decide-batch.ts';

/** The batch as its lane writes it: the changes, and the chain positions before and after. */
export function finalizeBatch(
  { draft, entries, seq, head }: DecidedBatch,
  epoch: number,
  now: Instant,
): FinalizedBatch {
  const { base } = draft;
  return {
    to: base.address,
    epoch,
    oldSeq: base.seq,
    oldHead: base.head,
    newSeq: seq,
    head,
    today: draft.today === base.today ? undefined : draft.today,
    rateVersion: draft.rateVersion === base.rateVersion ? undefined : draft.rateVersion,
    at: entries[0]?.at ?? now,
    changes: draftChanges(draft),
    entries,
    keys: [...draft.keys.values()],
  };
}
