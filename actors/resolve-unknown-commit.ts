import type { Address } from '../src/kernel/rules/caller.ts';
import type { PropertyStore } from '../src/property-store/ports.ts';
import { RESOLVE_WITHIN_MS } from './limits.ts';

type Position = { seq: number; head: string };

/** Which of the positions is in the database, under which epoch it now is. */
type ResolvedCommit = { outcome: 'found'; at: number; epoch: number } | { outcome: 'lost' };

/**
 * Finds out how far interrupted commits were written: `positions` are that before them and that after each. Taking the
 * property with the next epoch kills whatever of ours is still under way, so that what is read then is final
 * (docs/concepts/commit-and-fence.md#unknown-outcome).
 */
export async function resolveUnknownCommit(
  store: PropertyStore,
  to: Address,
  positions: readonly Position[],
): Promise<ResolvedCommit> {
  const until = performance.now() + RESOLVE_WITHIN_MS;
  for (let wait = 20; ; wait = Math.min(500, wait * 2)) {
    try {
      const taken = await store.take(to);
      // It is another node's already, which has found what was written: we are fenced.
      if ('heldBy' in taken) return { outcome: 'lost' };
      const { epoch, seq, head } = taken;
      const at = positions.findIndex((position) => position.seq === seq && position.head === head);
      return at < 0 ? { outcome: 'lost' } : { outcome: 'found', at, epoch };
    } catch {
      if (performance.now() > until) return { outcome: 'lost' };
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
