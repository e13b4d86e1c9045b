import type { BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';

/** SQL parameter, such as `$3`, with the id of the calling node. */
type Me = string;

/** Condition for properties (rows of property_actor under that name, perhaps none) without another live owner. */
export const ofNobodyElse = (actor: string, me: Me): string => `
  not exists (
    select from system.cluster_node n
    where n.node_id = ${actor}.owner_node and n.node_id <> ${me} and n.lease_until > clock_timestamp())`;

/** Whether a property is unowned: owned ones come first, so that others are not in their way. */
export const isFree = (actor: string, me: Me): string => `(${actor}.owner_node is distinct from ${me})`;

/** Factor of rows to find, since other nodes take some of them. */
export const MORE_THAN_ONES_SHARE = 4;

/** This node's share of the found rows, in order. */
export function sharedOut<T extends { free: boolean }>(
  found: readonly T[],
  { takes }: BackgroundPartition,
  addressOf: (one: T) => Address,
  limit: number,
): T[] {
  return found.filter((one) => !one.free || takes(addressOf(one))).slice(0, limit);
}
