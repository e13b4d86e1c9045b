import { LRUCache } from 'lru-cache';

import type { Clock, Log } from '../../kernel/ports.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Repricing } from '../ports.ts';

/** Bookings of a property within this time share one recomputation of its demand. */
const GATHER_MS = 200;
/** So that bookings that never cease are followed once a second, rounds begin this far apart. */
const ROUND_MS = 1_000;
/** Waiting properties; more than that are left to the daily run. */
const MAX_WAITING = 1_000;
/** Properties whose last run is remembered. */
const MAX_LOOKED_AT = 10_000;
/** A change is signalled at the moment of its decision, and can be read after the commit. */
const COMMITTED_AFTER_MS = 1_000;

type Options = {
  reprice(to: Address): Promise<unknown>;
  clock: Clock;
  log: Log;
  gatherMs?: number;
  roundMs?: number;
};

type Waiting = { to: Address; requested?: PromiseWithResolvers<void> };

/**
 * Recomputes the demand of a property when its sales, rooms or plans have changed (docs/concepts/forecast.md#signals),
 * one property after the other. Followers of the journal signal it, and consumers of external records request it.
 */
export class Repricer implements Repricing, AsyncDisposable {
  readonly #options: Options;
  /** In the order of their signals. */
  readonly #waiting = new Map<string, Waiting>();
  /** Start of the last successful run of each property. */
  readonly #looked = new LRUCache<string, Instant>({ max: MAX_LOOKED_AT });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> | undefined;
  #ended = false;
  /** On the clock of the process, since which timers count. */
  #notBefore = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Handles a committed entry. Changes by this repricer itself are no reason for another run. */
  committed(to: Address, { type, facts }: Pick<JournalEntry, 'type' | 'facts'>, { isDynamic }: PropertyView): void {
    if (!isDynamic || type === 'SET_SIGNALS' || this.#ended) return;
    if (!facts.cells?.length && type !== 'PUT_RATE_PLAN') return;
    const key = addressKey(to);
    if (!this.#waiting.has(key) && this.#waiting.size < MAX_WAITING) this.#waiting.set(key, { to });
    this.#soon();
  }

  async ask(to: Address, since?: Instant): Promise<void> {
    const key = addressKey(to);
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      const looked = this.#looked.get(key);
      if (since !== undefined && looked !== undefined && looked > since + COMMITTED_AFTER_MS) return;
      if (this.#ended || this.#waiting.size >= MAX_WAITING)
        throw new DomainError('NOT_EXECUTED', 'Too many properties wait for a repricing.');
      this.#waiting.set(key, (waiting = { to }));
    }
    waiting.requested ??= Promise.withResolvers();
    this.#soon();
    await waiting.requested.promise;
  }

  /** Resolves when no property waits. */
  async done(): Promise<void> {
    while (this.#waiting.size > 0 || this.#working) {
      if (!this.#working) this.#begin();
      await this.#working;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    for (const { requested } of this.#waiting.values())
      requested?.reject(new DomainError('NOT_EXECUTED', 'The service is going down.'));
    this.#waiting.clear();
    await this.#working;
  }

  #soon(): void {
    const { gatherMs = GATHER_MS } = this.#options;
    const waitMs = Math.max(gatherMs, this.#notBefore - performance.now());
    this.#timer ??= setTimeout(() => this.#begin(), waitMs);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#waiting.size > 0 && !this.#ended) this.#soon();
    });
  }

  async #work(): Promise<void> {
    const { reprice, clock, log, roundMs = ROUND_MS } = this.#options;
    this.#notBefore = performance.now() + roundMs;
    const round = [...this.#waiting];
    for (const [key, { to, requested }] of round) {
      if (this.#ended) return;
      this.#waiting.delete(key);
      const began = clock.now();
      try {
        await reprice(to);
        this.#looked.set(key, began);
        requested?.resolve();
      } catch (error) {
        log.warn({ property: key, error: String(error) }, 'not repriced');
        requested?.reject(error);
      }
    }
  }
}
