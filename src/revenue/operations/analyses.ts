import { LRUCache } from 'lru-cache';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { RateAnalysis } from '../rules/rate-analysis.ts';

export type Analyzed = {
  analysis: RateAnalysis;
  seq: number;
  at: number;
  /** The rates that it was made of. */
  rates: string;
};

const MOST_STORED = 1_000;

/** Analyses that this node has made of late, by tenant first: none is ever shown to another one (I8). */
export class Analyses {
  readonly #stored = new LRUCache<string, Analyzed>({ max: MOST_STORED });
  /** Hits and misses of the cache. */
  readonly asked = { hits: 0, misses: 0 };

  /**
   * @param now the time, and the rates of the property now: an analysis of others is none any more
   * @param keptMs for how long one is good (an hour, where the tenant says nothing else)
   */
  find(tenantId: TenantId, of: string, now: { at: number; rates: string }, keptMs: number): Analyzed | undefined {
    const found = this.#stored.get(keyOf(tenantId, of));
    const good = found && found.rates === now.rates && now.at >= found.at && now.at - found.at < keptMs;
    this.asked[good ? 'hits' : 'misses'] += 1;
    return good ? found : undefined;
  }

  keep(tenantId: TenantId, of: string, analyzed: Analyzed): void {
    this.#stored.set(keyOf(tenantId, of), analyzed);
  }

  /** Forgets those of a tenant, or of one of its properties. @returns how many there were */
  forget(tenantId: TenantId, of = ''): number {
    const keys = [...this.#stored.keys()].filter((key) => key.startsWith(keyOf(tenantId, of)));
    for (const key of keys) this.#stored.delete(key);
    return keys.length;
  }
}

const keyOf = (tenantId: TenantId, of: string): string => `${tenantId}\n${of}`;
