import type { Costs } from './scale.ts';

/** Cores of a node, and of the machines of PostgreSQL and Redis. */
const NODE_CORES = 2;
const DATABASE_CORES = [2, 16, 64] as const;
/** Usable share of a core before queues grow. */
const USED = 0.75;
const CONNECTIONS_A_NODE = 16;
/** Number of sessions beyond which PostgreSQL needs a pooler. */
const MAX_CONNECTIONS = 500;
const REDIS_CORES = 1;

export type Estimate = { nodes: number; cores: number; perSecond: number; limit: string; connections: number };

/**
 * Estimates the capacity of more nodes, from the costs of a booking and of an idle node on this machine. With n nodes
 * one request in n reaches its owner directly; all others pay for the hop, of which three nodes of one machine have
 * shown two thirds.
 */
export function estimate(costs: Costs, nodes: number, cores: number): Estimate {
  const hop = Math.max(0, costs.spread - costs.alone) / (2 / 3);
  const booking = costs.alone + (hop * (nodes - 1)) / nodes;
  const ofNodes = (nodes * (NODE_CORES * 1_000 * USED - costs.idleNode)) / booking;
  const ofDatabase =
    (cores * 1_000 * USED - nodes * costs.idlePostgres) / Math.max(costs.postgres, costs.postgresSpread);
  const idleRedis = nodes * costs.idleRedis;
  const connections = nodes * CONNECTIONS_A_NODE;
  const perSecond = Math.max(0, Math.min(ofNodes, ofDatabase));
  const parts = [
    ofDatabase < ofNodes ? `PostgreSQL's CPU (${cores} cores)` : `CPU of the nodes (${NODE_CORES} cores each)`,
    ...(connections > MAX_CONNECTIONS ? [`${connections} sessions of PostgreSQL: a pooler for all but leases`] : []),
    ...(idleRedis > REDIS_CORES * 1_000 * USED ? ['Redis'] : []),
  ];
  return { nodes, cores, perSecond: Math.round(perSecond), limit: parts.join('; '), connections };
}

/** Prints the estimate. */
export function projectionText(costs: Costs): void {
  const hop = Math.max(0, costs.spread - costs.alone) / (2 / 3);
  console.log('on paper, from the costs above');
  console.log(`  a hop costs ${hop.toFixed(2)} ms of CPU at both nodes together`);
  for (const nodes of [1, 3, 10, 100])
    for (const cores of DATABASE_CORES) {
      const { perSecond, limit } = estimate(costs, nodes, cores);
      const what = `${nodes} nodes, PostgreSQL on ${cores} cores`;
      console.log(`  ${what.padEnd(42)} ${String(perSecond).padStart(7)} bookings/s; limit: ${limit}`);
    }
}
