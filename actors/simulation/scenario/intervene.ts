import type { Cluster } from '../cluster.ts';
import type { Intervention } from './scenario.ts';

/** Longer than a lease. */
const PAUSE_MS = 6_500;
const CUT_FROM_DATABASE_MS = 7_000;
const CUT_FROM_REDIS_MS = 4_000;
const JUMP_MS = 30_000;

/** Does to the cluster what a person has planned, each at its time, counted from now. */
export function schedule(cluster: Cluster, interventions: readonly Intervention[]): void {
  const { time } = cluster.world;
  for (const intervention of interventions) time.after(intervention.at, () => intervene(cluster, intervention));
}

function intervene(cluster: Cluster, { kind, node: which }: Intervention): void {
  const { world } = cluster;
  const node = cluster.nodes[which]!;
  const see = (text: string): void => world.see({ kind: 'fault', node: node.name, text: `you: ${text}` });
  switch (kind) {
    case 'kill':
      see(`kill ${node.name}`);
      return node.crash();
    case 'pause':
      see(`pause ${node.name} for ${PAUSE_MS} ms`);
      return node.pause(PAUSE_MS);
    case 'cut-database':
      see(`cut ${node.name} from the database for ${CUT_FROM_DATABASE_MS} ms`);
      return node.cutFromDatabase(CUT_FROM_DATABASE_MS);
    case 'cut-redis':
      see(`cut ${node.name} from Redis for ${CUT_FROM_REDIS_MS} ms`);
      return node.cutFromRedis(CUT_FROM_REDIS_MS, cluster.members());
    case 'lose-answer':
      see(`the next commit of ${node.name} is written, and its answer gets lost`);
      return node.loseNextAnswer();
    case 'jump':
      world.see({ kind: 'fault', text: `you: all clocks jump by ${JUMP_MS} ms` });
      return world.time.jump(JUMP_MS);
  }
}
