import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { ChainFollower, type ChainSources } from '../operations/chain-search/chain-follower.ts';
import { ChainViews } from '../operations/chain-search/chain-views.ts';
import type { ChainModel, ChainModels, FoundRate } from '../ports.ts';

/** Limits of the models of a node (docs/concepts/chain-search.md#limits). */
const CHAIN_LIMITS = {
  /** Pause between two rounds of a tenant that is searched, and of one that was not searched lately. */
  everyMs: 100,
  restingEveryMs: 2_000,
  restingAfterMs: 10_000,
  /** Age from which a search waits for a round first. */
  freshMs: 200,
  /** A search waits so long for a model that is built, or for a round. */
  buildWithinMs: 5_000,
  roundWithinMs: 1_000,
  /** Age beyond which a search is refused. */
  staleMs: 10_000,
  /** A model that is not searched for so long is dropped. */
  idleMs: 10 * 60_000,
  /** Bytes of all models with their cached states: the one that was searched the longest ago goes first. */
  maxBytes: 512 * 1024 * 1024,
  /** Pause after a failure. */
  failedMs: 500,
};
type ChainLimits = typeof CHAIN_LIMITS;

/** Rates that searches of a tenant have found and that are cached, and what one takes. */
const MAX_FOUND = 20_000;
const FOUND_BYTES = 1_500;

/** Models of the tenants that are searched on this node; each follows its journals by itself. */
export class StoredChainModels implements ChainModels, AsyncDisposable {
  readonly #sources: ChainSources;
  readonly #limits: ChainLimits;
  readonly #open = new Map<TenantId, FollowedChain>();

  constructor(sources: ChainSources, limits: Partial<ChainLimits> = {}) {
    this.#sources = sources;
    this.#limits = { ...CHAIN_LIMITS, ...limits };
  }

  async model(tenantId: TenantId): Promise<ChainModel> {
    const known = this.#open.get(tenantId);
    const chain = known ?? new FollowedChain(this.#sources, this.#limits, tenantId);
    if (!known) {
      this.#open.set(tenantId, chain);
      void chain.follow().finally(() => this.#open.get(tenantId) === chain && this.#open.delete(tenantId));
    }
    const model = await chain.model();
    this.#limitBytes(chain);
    return model;
  }

  /** Tenants with a model. */
  get size(): number {
    return this.#open.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.values()].map((chain) => chain.end()));
  }

  #limitBytes(searched: FollowedChain): void {
    const others = [...this.#open.values()].filter((chain) => chain !== searched);
    let bytes = others.reduce((sum, chain) => sum + chain.byteLength, searched.byteLength);
    for (const chain of others.toSorted((a, b) => a.searchedAt - b.searchedAt)) {
      if (bytes <= this.#limits.maxBytes) return;
      bytes -= chain.byteLength;
      void chain.end();
    }
  }
}

/** The model of a tenant, and the loop that follows its journals. */
class FollowedChain {
  readonly #sources: ChainSources;
  readonly #limits: ChainLimits;
  readonly #tenantId: TenantId;
  readonly #follower: ChainFollower;
  readonly #views: ChainViews;
  readonly #found = new LRUCache<string, FoundRate>({ max: MAX_FOUND });
  readonly #ending = new AbortController();
  #following: Promise<void> = Promise.resolve();
  /** Ends the pause between two rounds. */
  #wake = new AbortController();
  /** Resolves after the next round that begins from now on. */
  #next = Promise.withResolvers<void>();
  #isFailing = false;
  searchedAt = performance.now();

  constructor(sources: ChainSources, limits: ChainLimits, tenantId: TenantId) {
    this.#sources = sources;
    this.#limits = limits;
    this.#tenantId = tenantId;
    this.#follower = new ChainFollower(sources, tenantId);
    this.#views = new ChainViews(sources, tenantId, this.#follower.index);
  }

  get byteLength(): number {
    return this.#follower.index.byteLength + this.#views.byteLength + this.#found.size * FOUND_BYTES;
  }

  async model(): Promise<ChainModel> {
    const { freshMs, buildWithinMs, roundWithinMs, staleMs } = this.#limits;
    this.searchedAt = performance.now();
    const until = this.searchedAt + (this.#follower.isBuilt ? roundWithinMs : buildWithinMs);
    while ((!this.#follower.isBuilt || this.#age > freshMs) && performance.now() < until) {
      this.#wake.abort();
      await this.#nextRound(until - performance.now());
    }
    const details = { retryAfterSeconds: 1 };
    if (!this.#follower.isBuilt)
      throw new DomainError('NOT_EXECUTED', 'The properties are being read for the first search.', details);
    if (this.#age > staleMs)
      throw new DomainError('STALE', 'The rooms and prices of the properties are too old.', details);
    const { index, asOf } = this.#follower;
    return { index, asOf, views: (...what) => this.#views.read(...what), found: this.#found };
  }

  /** Waits for the next round, at most so long. */
  async #nextRound(withinMs: number): Promise<void> {
    const done = new AbortController();
    const late = pause(withinMs, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([this.#next.promise, late]);
    done.abort();
  }

  /** Runs until nobody searches for a while, or until it is ended. */
  follow(): Promise<void> {
    return (this.#following = this.#follow());
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.#wake.abort();
    await this.#following;
  }

  get #age(): number {
    return this.#sources.clock.now() - this.#follower.asOf;
  }

  async #follow(): Promise<void> {
    const { everyMs, restingEveryMs, restingAfterMs, idleMs, failedMs } = this.#limits;
    while (!this.#ending.signal.aborted && performance.now() - this.searchedAt < idleMs) {
      const isWell = await this.#round();
      const rests = performance.now() - this.searchedAt > restingAfterMs;
      if (!isWell) await this.#pause(failedMs, false);
      else if (this.#follower.isBuilt) await this.#pause(rests ? restingEveryMs : everyMs, rests);
      // While it is built, others get their time.
      else await this.#pause(1, false);
    }
  }

  async #round(): Promise<boolean> {
    const done = this.#next;
    this.#next = Promise.withResolvers();
    try {
      await this.#follower.round();
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing)
        this.#sources.log.warn(
          { tenantId: this.#tenantId, error: String(error) },
          'the properties of a search are not followed',
        );
      this.#isFailing = true;
      return false;
    } finally {
      done.resolve();
    }
  }

  /** @param mayWake whether a search ends the pause */
  async #pause(ms: number, mayWake: boolean): Promise<void> {
    this.#wake = new AbortController();
    const signal = mayWake ? AbortSignal.any([this.#wake.signal, this.#ending.signal]) : this.#ending.signal;
    await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
