import type { ClusterNode } from '../cluster/cluster-node.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';

/** What a fault is done with. */
export type Stage = {
  world: ClusterWorld;
  /** The node that it hits, where it hits one. */
  node: ClusterNode;
  /** The other end of a line that is cut, or the one that is done something to meanwhile. */
  other: ClusterNode;
  /** Of the seed of the run. */
  random: () => number;
};

/** What is done to the cluster. Its run resolves when it is over and everything that was ended runs again. */
export type Fault = {
  name: string;
  run(stage: Stage): Promise<void>;
  /** Whether the node's own properties are hit: outages of others are counted separately. */
  hitsNode: boolean;
  /** The longest that it takes, without recovery. */
  seconds: number;
  /** Nothing can succeed while the database is away: what is measured begins when it is back. */
  stopsAll?: boolean;
  /** What this machine or the run has to have for it. */
  needs?: 'small disk' | 'poison';
};
