import { type Address, addressKey } from './caller.ts';
import { textHash } from './random.ts';

/**
 * Roles of a node: everything, client sessions and requests, property actors, or jobs
 * (docs/concepts/cluster.md#roles).
 */
export const NODE_ROLES = ['all', 'gateway', 'actors', 'worker'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** Whether property actors live on a node of this role. */
export const hasActors = (role: NodeRole): boolean => role === 'all' || role === 'actors';
/** Whether jobs run on a node of this role. */
export const hasJobs = (role: NodeRole): boolean => role === 'all' || role === 'worker';
/** Whether clients are served by a node of this role. */
export const hasClients = (role: NodeRole): boolean => role === 'all' || role === 'gateway';

/** Ids of the nodes that have shards. */
export function actorNodes(members: readonly { nodeId: string; role: NodeRole }[]): string[] {
  return members.filter(({ role }) => hasActors(role)).map(({ nodeId }) => nodeId);
}

/** Properties are placed by shards, not one by one (docs/concepts/cluster.md#placement). */
export const SHARDS = 1024;

/** The shard of a property, 0 to 1023; never changes. */
export function shardOf(to: Address): number {
  return textHash(addressKey(to)) % SHARDS;
}

/**
 * Rendezvous hashing: the node with the highest weight for a shard owns it. When a node leaves, only its own shards
 * move; when one joins, it takes a share of each.
 *
 * @returns `undefined` without nodes
 */
export function nodeOf(shard: number, nodeIds: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = -1;
  for (const nodeId of nodeIds) {
    const weight = textHash(`${nodeId}/${shard}`);
    if (weight > most || (weight === most && nodeId > best!)) [best, most] = [nodeId, weight];
  }
  return best;
}
