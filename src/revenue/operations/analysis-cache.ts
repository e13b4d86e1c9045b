import { LRUCache } from 'lru-cache';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { RateAnalysis } from '../rules/rate-analysis.ts';

export type Analyzed = {
  analysis: RateAnalysis;
  seq: number;
  at: Instant;
  /** The rates that it was made of. */
  rates: string;
};

const MAX_STORED = 1_000;

/** Cache of analyses on this node, by tenant first: a tenant never gets another one's (I8). */
export class AnalysisCache {
  readonly #stored = new LRUCache<string, Analyzed>({ max: MAX_STORED });
  /** Hits and misses of the cache. */
  readonly lookups = { hits: 0, misses: 0 };

  /**
   * @param now current time and version of the property's rates: an analysis of other rates is stale
   * @param validMs validity of an analysis (an hour unless the tenant has set another)
   */
  find(tenantId: TenantId, of: string, now: { at: Instant; rates: string }, validMs: number): Analyzed | undefined {
    const found = this.#stored.get(keyOf(tenantId, of));
    const good = found && found.rates === now.rates && now.at >= found.at && now.at - found.at < validMs;
    this.lookups[good ? 'hits' : 'misses'] += 1;
    return good ? found : undefined;
  }

  store(tenantId: TenantId, of: string, analyzed: Analyzed): void {
    this.#stored.set(keyOf(tenantId, of), analyzed);
  }

  /** Drops the analyses of a tenant, or of one of its properties. @returns their number */
  forget(tenantId: TenantId, of = ''): number {
    const keys = [...this.#stored.keys()].filter((key) => key.startsWith(keyOf(tenantId, of)));
    for (const key of keys) this.#stored.delete(key);
    return keys.length;
  }
}

const keyOf = (tenantId: TenantId, of: string): string => `${tenantId}\n${of}`;
