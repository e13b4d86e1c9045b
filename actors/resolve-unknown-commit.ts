import type { Address } from '../src/kernel/rules/caller.ts';
import type { Instant } from '../src/kernel/rules/property-time.ts';
import type { PropertyStore } from '../src/property-store/ports.ts';
import { RESOLVE_WITHIN_MS } from './limits.ts';

type Position = { seq: number; head: string };

/** Which of the positions is in the database, under which epoch it now is. */
type ResolvedCommit = { outcome: 'found'; at: Instant; epoch: number } | { outcome: 'lost' };

/**
 * Finds out how many interrupted commits were written. Taking the property under the next epoch stops whatever is
 * still under way, so that the position read then is final (docs/concepts/commit-and-fence.md#unknown-outcome).
 * @param positions before the first commit, and after each of them
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
      // Another node owns the property already, and has read what was written: this actor is fenced.
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
