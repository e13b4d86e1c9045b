import type { Client } from 'pg';

import type { Log } from '../ports/log.ts';

/** How long a lease holds without renewal, and how often it is renewed (architecture.md 4). */
export const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;

/** The previous process of this node may have died a moment ago: its lock is free 5 to 9 ms later. */
const TAKE_WITHIN_MS = 3_000;
const LOCK_CLASS = 0x696e6e32;

const RENEW = `
  insert into system.cluster_node (node_id, lease_until, started_at, lock_key)
  values ($1, clock_timestamp() + $2 * interval '1 millisecond', app_now(), hashtext($1))
  on conflict (node_id) do update set lease_until = excluded.lease_until
  returning (extract(epoch from app_now()) * 1000)::float8 as now`;

export type LeaseOptions = {
  nodeId: string;
  /** A connection of its own, as innkeeper_system: losing it loses the lease. */
  client: Client;
  log: Log;
  /** Told the database's time at each renewal. */
  renewed(now: number): void;
  /** The lease is gone: nothing may be owned any more, reads included. */
  lost(why: string): void;
};

/**
 * This node's right to own properties: a lease on the database's clock, and an advisory lock that dies with the
 * connection. A node whose lock is taken does not start; one that loses its connection stops at once.
 */
export class Lease implements AsyncDisposable {
  readonly #options: LeaseOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #validUntil: number;
  #ended = false;

  private constructor(options: LeaseOptions, validUntil: number) {
    this.#options = options;
    this.#validUntil = validUntil;
    this.#timer = setInterval(() => void this.#renew(), RENEW_EVERY_MS);
    options.client.once('end', () => this.#lose('the lease connection was lost'));
    options.client.once('error', (error) => this.#lose(`the lease connection broke: ${error.message}`));
  }

  /** @throws Error with one clear line when another process runs under the same node id */
  static async take(options: LeaseOptions): Promise<Lease> {
    const { client, nodeId } = options;
    const until = performance.now() + TAKE_WITHIN_MS;
    for (;;) {
      const sql = 'select pg_try_advisory_lock($1, hashtext($2)) as taken';
      const { rows } = await client.query<{ taken: boolean }>(sql, [LOCK_CLASS, nodeId]);
      if (rows[0]?.taken) break;
      if (performance.now() > until)
        throw new Error(
          `another Innkeeper runs as node ${nodeId} on this database; stop it, or give this one its own DATA_DIR`,
        );
      await new Promise((done) => setTimeout(done, 50));
    }
    const began = performance.now();
    await renewOn(options);
    return new Lease(options, began + LEASE_MS);
  }

  /** Whether this node may own properties right now. */
  get held(): boolean {
    return !this.#ended && performance.now() < this.#validUntil;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    const { client, nodeId } = this.#options;
    await client.query('delete from system.cluster_node where node_id = $1', [nodeId]).catch(() => undefined);
    await client.end().catch(() => undefined);
  }

  async #renew(): Promise<void> {
    if (this.#ended) return;
    const began = performance.now();
    try {
      await renewOn(this.#options);
      this.#validUntil = began + LEASE_MS;
    } catch (error) {
      this.#lose(`the lease could not be renewed: ${String(error)}`);
    }
  }

  #lose(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#options.log.error({ node: this.#options.nodeId, why }, 'lease lost');
    this.#options.lost(why);
  }
}

async function renewOn({ client, nodeId, renewed }: LeaseOptions): Promise<void> {
  const { rows } = await client.query<{ now: number }>(RENEW, [nodeId, LEASE_MS]);
  renewed(rows[0]!.now);
}
