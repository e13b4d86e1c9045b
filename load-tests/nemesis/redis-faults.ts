import { createClient } from 'redis';

import { pause } from '../../test/blackbox/waiting.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { Fault } from './fault.ts';

const AWAY_MS = 10_000;
const GARBAGE_MS = 6_000;
const SPLIT_MS = 20_000;
/** Until both sides know their members: nodes that a Redis no longer lists are silent for 3 s first. */
const APART_MS = 8_000;

/** Faults of Redis, and of the connections to it. */
export const REDIS_FAULTS: readonly Fault[] = [
  { name: 'Redis FLUSHALL', hitsNode: false, seconds: 1, run: ({ world }) => flushAll(world) },
  {
    name: 'Redis ended for 10 s, empty afterwards',
    hitsNode: false,
    seconds: 11,
    run: async ({ world: { services } }) => {
      await services.redis!.kill();
      await pause(AWAY_MS);
      await services.redis!.start();
    },
  },
  {
    name: 'Redis answers garbage for 6 s',
    hitsNode: false,
    seconds: 6,
    run: async ({ world: { redisLines } }) => {
      for (const line of redisLines) line.garbage(true);
      await pause(GARBAGE_MS);
      for (const line of redisLines) line.garbage(false);
    },
  },
  {
    name: 'Redis split for 20 s',
    hitsNode: false,
    seconds: 21,
    run: ({ world }) => apart(world, world.nodes.slice(0, Math.ceil(world.nodes.length / 2)), () => pause(SPLIT_MS)),
  },
  {
    name: 'one node at another Redis, SIGTERM of another',
    hitsNode: false,
    seconds: 45,
    run: ({ world, node, other }) =>
      apart(world, [node], async () => {
        await pause(APART_MS);
        if (other !== node) {
          await other.terminate();
          await other.start();
        }
        await pause(APART_MS);
      }),
  },
];

/** Moves some nodes to another Redis for the duration of `work`. */
async function apart(
  world: ClusterWorld,
  nodes: readonly ClusterNode[],
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { url } = await world.otherRedis();
  for (const node of nodes) world.redisLineOf(node).leadTo(url);
  try {
    await meanwhile();
  } finally {
    for (const node of nodes) world.redisLineOf(node).leadTo(world.services.redis!.url);
  }
}

async function flushAll({ services }: ClusterWorld): Promise<void> {
  const client = createClient({ url: services.redis!.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.flushAll();
  client.destroy();
}
