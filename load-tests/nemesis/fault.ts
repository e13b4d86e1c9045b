import type { ClusterNode } from '../cluster/cluster-node.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';

/** Environment of a fault. */
export type Stage = {
  world: ClusterWorld;
  /** The affected node, if the fault affects one. */
  node: ClusterNode;
  /** The other end of a cut connection, or the node that is manipulated meanwhile. */
  other: ClusterNode;
  /** Seeded by the run. */
  random: () => number;
};

/** A fault of the cluster. `run` resolves when it is over and everything that was stopped runs again. */
export type Fault = {
  name: string;
  run(stage: Stage): Promise<void>;
  /** Whether the node's own properties are affected: outages of others are counted separately. */
  hitsNode: boolean;
  /** Longest duration, without recovery. */
  seconds: number;
  /** Nothing can succeed while the database is away: measurements begin when it is back. */
  stopsAll?: boolean;
  /** Requirement on the machine or the run. */
  needs?: 'small disk' | 'poison';
};
