import { setTimeout as pause } from 'node:timers/promises';

import type { ExpiredKeys, KeysOfTenants } from '../../history/ports.ts';
import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Log } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';

/** Keys of a tenant removed by one transaction: some milliseconds of an idle database. */
const BATCH_KEYS = 1_000;

/** Pause after a batch: a multiple of its duration, and a minimum. Bookings have priority. */
const REST = 4;
const LEAST_REST_MS = 20;
const MAX_REST_MS = 2_000;

/** A round ends after this time, however much is left: the next one follows soon, possibly on another node. */
const LONGEST_ROUND_MS = 45_000;

type Forgetting = {
  keys: ExpiredKeys;
  log: Log;
  /** The node is stopping or has lost its lease: the rest is left to another round. */
  ended(): boolean;
  longestRoundMs?: number;
};

/**
 * Removes expired idempotency records, tenant by tenant in batches with a pause after each, until none is left. One
 * node at a time; a tenant whose keys cannot be removed is logged, and the others continue.
 */
export class KeyForgetting {
  readonly #forgetting: Forgetting;
  /** Start of the current failure of a tenant, by the process's own clock. */
  readonly #failingSince = new Map<string, number>();
  #overdue = new Map<string, number>();
  #forgotten = 0;

  constructor(forgetting: Forgetting) {
    this.#forgetting = forgetting;
  }

  /** Seconds by which the oldest expired key is overdue, as far as this node knows. */
  get overdueSeconds(): number {
    const failing = [...this.#failingSince.values()].map((since) => (performance.now() - since) / 1_000);
    return Math.max(0, ...this.#overdue.values(), ...failing);
  }

  /** Keys removed since the start. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Runs one round; that of another node counts for all. */
  async run(each: ItemRunner = ItemRunner.uncounted(this.#forgetting.log)): Promise<void> {
    const mine = await this.#forgetting.keys.alone((keys) => this.#ofAll(keys, each));
    if (mine) return;
    this.#overdue.clear();
    this.#failingSince.clear();
  }

  async #ofAll(keys: KeysOfTenants, each: ItemRunner): Promise<void> {
    const { longestRoundMs = LONGEST_ROUND_MS } = this.#forgetting;
    const until = performance.now() + longestRoundMs;
    let left = await keys.tenants();
    const known = new Set(left);
    for (const removed of [...this.#overdue.keys()].filter((tenantId) => !known.has(tenantId)))
      this.#seen(removed, 0);
    // One batch each, round-robin: a tenant with millions does not delay the others.
    while (left.length > 0) {
      const more: string[] = [];
      for (const tenantId of left) {
        if (this.#forgetting.ended() || performance.now() > until) return;
        if (await this.#batchOf(tenantId, keys, each)) more.push(tenantId);
      }
      left = more;
    }
  }

  /** Returns whether the tenant has more. */
  async #batchOf(tenantId: TenantId, keys: KeysOfTenants, each: ItemRunner): Promise<boolean> {
    let isFull = false;
    const done = await each.one(tenantId, async () => {
      const began = performance.now();
      const { forgotten, overdueSeconds } = await keys.forget(tenantId, BATCH_KEYS);
      this.#forgotten += forgotten;
      this.#seen(tenantId, overdueSeconds);
      isFull = forgotten === BATCH_KEYS;
      if (forgotten > 0)
        await pause(Math.min(MAX_REST_MS, Math.max(LEAST_REST_MS, REST * (performance.now() - began))));
    });
    if (!done && !this.#failingSince.has(tenantId)) this.#failingSince.set(tenantId, performance.now());
    return isFull;
  }

  #seen(tenantId: TenantId, overdueSeconds: number): void {
    this.#failingSince.delete(tenantId);
    if (overdueSeconds > 0) this.#overdue.set(tenantId, overdueSeconds);
    else this.#overdue.delete(tenantId);
  }
}
