import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import type { ClusterWorld } from './cluster-world.ts';

/** CPU time so far, in milliseconds. */
export type Spent = { nodes: number; postgres: number; redis: number };

/** @param postgres process of the database server  @param redis process of Redis */
export function spentBy(world: ClusterWorld, postgres: number, redis: number): Spent {
  return {
    nodes: world.nodes.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    postgres: cpuMsOfFamily(postgres),
    redis: cpuMs(redis),
  };
}

export const difference = (from: Spent, to: Spent): Spent => ({
  nodes: to.nodes - from.nodes,
  postgres: to.postgres - from.postgres,
  redis: to.redis - from.redis,
});
