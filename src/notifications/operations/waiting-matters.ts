import type { Services } from '../../kernel/operations/services.ts';
import { type Address, atLeast, type Caller } from '../../kernel/rules/caller.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { mattersFor, type WaitingMatter } from '../rules/waiting-matter.ts';

/** However many pages ask, a property is counted once in this time on a node. */
const FRESH_MS = 60_000;
/** Properties whose counts are remembered; the oldest goes first. */
const MAX_REMEMBERED = 1_000;

type Counted = { at: Instant; matters: Promise<WaitingMatter[]> };

/** Counts of this node, by property. */
export class CountedMatters {
  readonly #counted = new Map<string, Counted>();

  /** @param count reads them anew; one that fails is not remembered */
  of(to: Address, now: Instant, count: () => Promise<WaitingMatter[]>): Promise<WaitingMatter[]> {
    const key = `${to.tenantId}\n${to.propertyId}`;
    const known = this.#counted.get(key);
    // The clock of development may be put back by a restart alone, and forward by hours.
    if (known && now - known.at < FRESH_MS) return known.matters;
    const matters = count();
    this.#counted.delete(key);
    this.#counted.set(key, { at: now, matters });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_REMEMBERED && oldest !== undefined) this.#counted.delete(oldest);
    matters.catch(() => {
      if (this.#counted.get(key)?.matters === matters) this.#counted.delete(key);
    });
    return matters;
  }
}

/**
 * What waits at a property that the caller can do something about, at most a minute old.
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function readWaitingMatters(
  services: Pick<Services, 'properties' | 'waitingMatters' | 'countedMatters' | 'clock'>,
  { subject, role }: Caller,
  to: Address,
): Promise<WaitingMatter[]> {
  const { properties, waitingMatters, countedMatters, clock } = services;
  // Nothing waits at a property that the tenant does not have, and nothing is remembered of it.
  await properties.view(to);
  const now = clock.now();
  const matters = await countedMatters.of(to, now, () => waitingMatters(to, now));
  return mattersFor(matters, { subject, may: (least) => atLeast(role, least) });
}
