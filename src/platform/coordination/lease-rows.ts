import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

import type { Instant } from '../../kernel/rules/property-time.ts';
import { LEASE_MS } from './lease-memory.ts';
import { LOCK_CLASS } from './lease.ts';

/**
 * Time after which a node whose lock is free is dead (docs/concepts/cluster.md#placement); a restarting one takes it
 * again sooner.
 */
const FREE_MS = 250;
const LOOK_EVERY_MS = 50;

/** An incarnation of a node. */
type NodeLife = { nodeId: string; incarnation: string };

/** A node with a valid lease. */
export type LivingNode = NodeLife & {
  address: string | null;
  role: string | null;
  build: string | null;
  startedAt: Instant;
  /** Whether it is a member by its own word; null of a build that does not announce itself in PostgreSQL. */
  isMember: boolean | null;
  /** Version of its view, while it is a member. */
  viewVersion: number | null;
};

/** Causes of a node's death. */
const DEATHS = ['its lease ran out', 'its lock was free', 'its lease is gone'] as const;
export type Death = (typeof DEATHS)[number];

const LOCKED = `exists (
  select from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and l.granted and l.classid = ${LOCK_CLASS}
    and l.objid = (hashtext(n.node_id)::bigint & 4294967295)::oid and l.objsubid = 2)`;

const LOOK = `
  select ${LOCKED} as locked, n.lease_until <= clock_timestamp() as out,
    (extract(epoch from clock_timestamp() - n.suspected_at) * 1000)::float8 as free
  from system.cluster_node n where n.node_id = $1 and n.incarnation = $2`;
const SUSPECT = `
  update system.cluster_node set suspected_at = clock_timestamp()
  where node_id = $1 and incarnation = $2 and suspected_at is null`;
const CLEAR = 'update system.cluster_node set suspected_at = null where node_id = $1 and incarnation = $2';
/** Checks again: a node that has come back in the meantime lives. */
const BURY = `
  delete from system.cluster_node n
  where n.node_id = $1 and n.incarnation = $2 and (n.lease_until <= clock_timestamp()
    or (n.suspected_at <= clock_timestamp() - interval '${FREE_MS} milliseconds' and not ${LOCKED}))`;

const LIVING = `
  select n.node_id as "nodeId", n.incarnation, n.address, n.role, n.build,
    (extract(epoch from n.started_at) * 1000)::float8 as "startedAt",
    n.member_until > clock_timestamp() as "isMember",
    case when n.member_until > clock_timestamp() then n.view_version::float8 end as "viewVersion"
  from system.cluster_node n where n.lease_until > clock_timestamp() and n.incarnation is not null`;

/** Valid as long as a lease: a node with a paused main thread does not stay a member, whatever its lease says. */
const ANNOUNCE = `
  update system.cluster_node
  set member_until = clock_timestamp() + interval '${LEASE_MS} milliseconds', view_version = $3
  where node_id = $1 and incarnation = $2`;
const WITHDRAW = `
  update system.cluster_node set member_until = '-infinity' where node_id = $1 and incarnation = $2`;

/** Identity of this database, distinct from its copies on the same server. */
const CLUSTER = `select system_identifier::text || ':' || current_database() as cluster from pg_control_system()`;

/** @returns the name under which the nodes of this database find each other */
export async function clusterOf(client: Client): Promise<string> {
  return (await client.query<{ cluster: string }>(CLUSTER)).rows[0]!.cluster;
}

/** Every node whose lease holds. */
export async function livingNodes(client: Client): Promise<LivingNode[]> {
  return (await client.query<LivingNode>(LIVING)).rows;
}

/** Announces a node as a member, with its view version. Without a lease it has no effect. */
export async function announceLife(
  client: Client,
  { nodeId, incarnation }: NodeLife,
  viewVersion: number,
): Promise<void> {
  await client.query(ANNOUNCE, [nodeId, incarnation, viewVersion]);
}

/** Ends a node's membership before it leaves, so that nobody adds it because of its lease. */
export async function withdrawLife(client: Client, { nodeId, incarnation }: NodeLife): Promise<void> {
  await client.query(WITHDRAW, [nodeId, incarnation]);
}

/**
 * Whether a node is dead: its lease has ended, or its lock has been free for 250 ms, both by PostgreSQL. Afterwards a
 * dead node has no lease.
 * @returns the cause, or undefined when it lives
 */
export async function deathOf(client: Client, { nodeId, incarnation }: NodeLife): Promise<Death | undefined> {
  const life = [nodeId, incarnation];
  for (;;) {
    const { rows } = await client.query<{ locked: boolean; out: boolean; free: number | null }>(LOOK, life);
    const [row] = rows;
    if (!row) return 'its lease is gone';
    if (row.locked && !row.out) {
      if (row.free !== null) await client.query(CLEAR, life);
      return undefined;
    }
    if (!row.out && row.free === null) await client.query(SUSPECT, life);
    if (row.out || (row.free ?? 0) >= FREE_MS) {
      const { rowCount } = await client.query(BURY, life);
      if (rowCount === 1) return row.out ? 'its lease ran out' : 'its lock was free';
    }
    await pause(LOOK_EVERY_MS, undefined, { ref: false });
  }
}
