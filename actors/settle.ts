import type { Address } from '../src/domain/caller.ts';
import type { PropertyStore } from '../src/ports/property-store.ts';
import { SETTLE_WITHIN_MS } from './limits.ts';

type Position = { seq: number; head: string };

export type Settled = { outcome: 'committed' | 'not-committed'; epoch: number } | { outcome: 'lost' };

/**
 * Finds out whether an interrupted commit was written. Taking the property with the next epoch kills whatever of ours
 * is still under way, so that what is read then is final (architecture.md 3, "Unknown commit outcome").
 */
export async function settle(
  store: PropertyStore,
  to: Address,
  { before, after }: { before: Position; after: Position },
): Promise<Settled> {
  const until = performance.now() + SETTLE_WITHIN_MS;
  for (let wait = 20; ; wait = Math.min(500, wait * 2)) {
    try {
      const { epoch, seq, head } = await store.take(to);
      if (seq === after.seq && head === after.head && seq !== before.seq) return { outcome: 'committed', epoch };
      if (seq === before.seq && head === before.head) return { outcome: 'not-committed', epoch };
      return { outcome: 'lost' };
    } catch {
      if (performance.now() > until) return { outcome: 'lost' };
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
