import type { BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';

/** Parameter of the statement, such as `$3`, that is the id of the calling node. */
type Me = string;

/** Properties (rows of property_actor under that name, perhaps without one) that no other node alive owns. */
export const ofNobodyElse = (actor: string, me: Me): string => `
  not exists (
    select from system.cluster_node n
    where n.node_id = ${actor}.owner_node and n.node_id <> ${me} and n.lease_until > clock_timestamp())`;

/** Whether it is nobody's: what a node owns comes first, so that what it does not take is not in its way. */
export const isFree = (actor: string, me: Me): string => `(${actor}.owner_node is distinct from ${me})`;

/** So many times what is wanted is looked for, since others take some of it. */
export const MORE_THAN_ONES_SHARE = 4;

/** What a node sees to of what was found, in its order. */
export function sharedOut<T extends { free: boolean }>(
  found: readonly T[],
  { takes }: BackgroundPartition,
  addressOf: (one: T) => Address,
  limit: number,
): T[] {
  return found.filter((one) => !one.free || takes(addressOf(one))).slice(0, limit);
}
