import type { Address } from '../domain/caller.ts';

/**
 * What of all properties a node sees to in the background (docs/concepts/cluster.md#what-runs-once): those that it
 * owns, and of those that nobody alive owns the ones that it takes.
 */
export type Share = {
  nodeId: string;
  /** Whether a property that nobody alive owns would come to this node. A hint: two nodes may both think so. */
  takes(to: Address): boolean;
};
