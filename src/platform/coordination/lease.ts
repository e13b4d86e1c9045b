import type { Client } from 'pg';

import { delay, type ScheduledRun, type Scheduler, THREAD_SCHEDULER, type TimeReading } from '../../kernel/ports.ts';
import { LEASE_MS } from './lease-memory.ts';

const RENEW_EVERY_MS = 1_000;
/** Pause after a renewal that the database refused on a working connection: the table is locked. */
const AGAIN_MS = 100;

/** The previous process of this node may just have died: its lock is free 5 to 9 ms later. */
const TAKE_WITHIN_MS = 3_000;
/** Class of the advisory locks of nodes; the other half of the key is the hash of the node id. */
export const LOCK_CLASS = 0x696e6e32;

const TIME = `(extract(epoch from clock_timestamp()) * 1000)::float8 as database,
    (select offset_ms::float8 from system.clock) as ahead`;

/**
 * A lease does not make a member: a node announces itself when it joins. A retaken lease leaves membership as it was.
 */
const TAKE = `
  insert into system.cluster_node
  as n (node_id, lease_until, started_at, lock_key, incarnation, address, role, build, suspected_at, member_until)
  values ($1, clock_timestamp() + $2 * interval '1 millisecond', app_now(), hashtext($1), $3, $4, $5, $6, null,
    '-infinity')
  on conflict (node_id) do update set lease_until = excluded.lease_until, started_at = excluded.started_at,
    incarnation = excluded.incarnation, address = excluded.address, role = excluded.role, build = excluded.build,
    suspected_at = null,
    member_until = case when n.incarnation = excluded.incarnation then n.member_until else '-infinity' end
  returning ${TIME}`;

/** A node that was declared dead, or suspected beyond the end of its lease, renews nothing. */
const RENEW = `
  update system.cluster_node
  set lease_until = clock_timestamp() + $2 * interval '1 millisecond', suspected_at = null
  where node_id = $1 and incarnation = $3 and lease_until > clock_timestamp()
  returning ${TIME}`;

const END = 'delete from system.cluster_node where node_id = $1 and incarnation = $2';

/** A node's row in the database. */
export type NodeRow = {
  nodeId: string;
  /** Different after each start. */
  incarnation: string;
  /** `host:port` of its node link. */
  address?: string;
  role?: string;
  build?: string;
};

/** A renewed lease. */
export type Renewal = {
  /** By this thread's scheduler: never later than in the database. */
  validUntil: number;
  time: TimeReading;
};

export type LeaseOptions = {
  node: NodeRow;
  /** A separate connection, as innkeeper_system and with a statement timeout: losing it loses the lease. */
  client: Client;
  renewed(renewal: Renewal): void;
  /** The lease is lost: nothing may be owned, and no state read. */
  lost(why: string): void;
  scheduler?: Scheduler;
};

/**
 * A node's right to own properties: a lease by the database's clock, and an advisory lock that ends with the
 * connection. A node whose lock is taken does not start; one that loses its connection stops at once; one whose lease
 * ended before its renewal has lost it, whatever the renewal says.
 */
export class Lease implements AsyncDisposable {
  readonly #options: LeaseOptions;
  readonly #scheduler: Scheduler;
  #validUntil: number;
  #renewing: ScheduledRun | undefined;
  #ending: ScheduledRun | undefined;
  #ended = false;

  private constructor(options: LeaseOptions, renewal: Renewal) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? THREAD_SCHEDULER;
    this.#validUntil = renewal.validUntil;
    options.client.once('end', () => this.#lose('the lease connection was lost'));
    options.client.once('error', (error) => this.#lose(`the lease connection broke: ${error.message}`));
    this.#hold(renewal);
    this.#renewIn(RENEW_EVERY_MS);
  }

  /** @throws Error with one clear line when another process runs under the same node id */
  static async take(options: LeaseOptions): Promise<Lease> {
    const { client, node, scheduler = THREAD_SCHEDULER } = options;
    const until = scheduler.now() + TAKE_WITHIN_MS;
    for (;;) {
      const sql = 'select pg_try_advisory_lock($1, hashtext($2)) as taken';
      const { rows } = await client.query<{ taken: boolean }>(sql, [LOCK_CLASS, node.nodeId]);
      if (rows[0]?.taken) break;
      if (scheduler.now() > until)
        throw new Error(
          `another Innkeeper runs as node ${node.nodeId} on this database; stop it, or give this one its own DATA_DIR`,
        );
      await delay(scheduler, 50);
    }
    const { nodeId, incarnation, address = null, role = null, build = null } = node;
    const renewal = await renewedBy({ client, scheduler }, TAKE, [
      nodeId,
      LEASE_MS,
      incarnation,
      address,
      role,
      build,
    ]);
    return new Lease(options, renewal!);
  }

  /** Whether this node may own properties now. */
  get held(): boolean {
    return !this.#ended && this.#scheduler.now() < this.#validUntil;
  }

  /** Ends the lease as a loss; the listener closes its connection, and with it the lock. */
  giveUp(why: string): void {
    this.#lose(why);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    const { client, node } = this.#options;
    await client.query(END, [node.nodeId, node.incarnation]).catch(() => undefined);
    await client.end().catch(() => undefined);
  }

  async #renew(): Promise<void> {
    if (this.#ranOut()) return;
    const { client, node } = this.#options;
    const scheduler = this.#scheduler;
    let renewal: Renewal | undefined;
    try {
      renewal = await renewedBy({ client, scheduler }, RENEW, [node.nodeId, LEASE_MS, node.incarnation]);
    } catch {
      // The table is locked, or the connection broke, which reports itself.
      this.#renewIn(AGAIN_MS);
      return;
    }
    if (this.#ended || this.#ranOut()) return;
    if (!renewal) return this.#lose('the database has declared this node dead');
    this.#hold(renewal);
    this.#renewIn(RENEW_EVERY_MS);
  }

  #hold(renewal: Renewal): void {
    this.#validUntil = renewal.validUntil;
    this.#ending?.cancel();
    this.#ending = this.#scheduler.after(renewal.validUntil - this.#scheduler.now() + 1, () => this.#ranOut());
    this.#options.renewed(renewal);
  }

  #renewIn(milliseconds: number): void {
    if (!this.#ended) this.#renewing = this.#scheduler.after(milliseconds, () => void this.#renew());
  }

  #ranOut(): boolean {
    if (this.#scheduler.now() < this.#validUntil) return false;
    this.#lose('the lease ran out before it was renewed');
    return true;
  }

  #lose(why: string): void {
    if (this.#ended) return;
    this.#end();
    this.#options.lost(why);
  }

  #end(): void {
    this.#ended = true;
    this.#renewing?.cancel();
    this.#ending?.cancel();
  }
}

type Asking = { client: Client; scheduler: Scheduler };

async function renewedBy(
  { client, scheduler }: Asking,
  sql: string,
  values: unknown[],
): Promise<Renewal | undefined> {
  const began = scheduler.now();
  const sent = Date.now();
  const { rows } = await client.query<Pick<TimeReading, 'database' | 'ahead'>>(sql, values);
  return rows[0] && { validUntil: began + LEASE_MS, time: { ...rows[0], sent, received: Date.now() } };
}
