import { createClient } from 'redis';

import { pause } from '../../test/blackbox/waiting.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { connected } from '../proof/clients.ts';

const PAUSED_MS = 8_000;
const CUT_MS = 6_000;
const REDIS_AWAY_MS = 10_000;
const GARBAGE_MS = 6_000;
const LOCKED_MS = 7_000;

/** What is done to the cluster. Resolves when it is over and everything that was ended runs again. */
export type Fault = {
  name: string;
  /** @param node whom it hits, where it hits one  @param other the other end of a line that is cut */
  run(world: ClusterWorld, node: ClusterNode, other: ClusterNode): Promise<void>;
  /** Whether what the node owns is what is gone: outages of others are told apart. */
  hitsNode: boolean;
};

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of a node',
    hitsNode: true,
    run: async (_, node) => {
      await node.killHard();
      await node.start();
    },
  },
  {
    name: 'SIGSTOP for 8 s, SIGCONT',
    hitsNode: true,
    run: async (_, node) => {
      node.signal('SIGSTOP');
      await pause(PAUSED_MS);
      node.signal('SIGCONT');
    },
  },
  {
    name: 'line from one node to another cut for 6 s',
    hitsNode: true,
    run: async (world, node, other) => {
      const proxy = world.proxyOf(node);
      proxy.cut((caller) => caller === other.pid);
      await pause(CUT_MS);
      proxy.mend();
    },
  },
  {
    name: 'lines of a node cut both ways for 6 s',
    hitsNode: true,
    run: async (world, node) => {
      for (const one of world.nodes) {
        const proxy = world.proxyOf(one);
        proxy.cut(one === node ? () => true : (caller) => caller === node.pid);
      }
      await pause(CUT_MS);
      for (const proxy of world.proxies) proxy.mend();
    },
  },
  {
    name: 'line of a node to PostgreSQL held up for 8 s',
    hitsNode: true,
    run: async (world, node) => {
      const line = world.databaseLineOf(node);
      line.hold();
      await pause(PAUSED_MS);
      line.release();
    },
  },
  { name: 'Redis FLUSHALL', hitsNode: false, run: flushAll },
  {
    name: 'Redis ended for 10 s, empty afterwards',
    hitsNode: false,
    run: async ({ services }) => {
      await services.redis!.kill();
      await pause(REDIS_AWAY_MS);
      await services.redis!.start();
    },
  },
  {
    name: 'Redis answers garbage for 6 s',
    hitsNode: false,
    run: async ({ redisLine }) => {
      redisLine.garbage(true);
      await pause(GARBAGE_MS);
      redisLine.garbage(false);
    },
  },
  {
    name: 'lease table locked for 7 s',
    hitsNode: false,
    run: async ({ database }) => {
      const admin = await connected(database.url);
      await admin.query('begin');
      await admin.query('lock table system.cluster_node in access exclusive mode');
      await pause(LOCKED_MS);
      await admin.query('rollback');
      await admin.end();
    },
  },
  { name: 'PostgreSQL ends backends in a commit', hitsNode: false, run: endCommits },
  { name: 'PostgreSQL ends the lease connections', hitsNode: false, run: endLeases },
  {
    name: 'rolling restart',
    hitsNode: false,
    run: async ({ nodes }) => {
      for (const node of nodes) {
        await node.terminate();
        await node.start();
      }
    },
  },
];

async function flushAll({ services }: ClusterWorld): Promise<void> {
  const client = createClient({ url: services.redis!.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.flushAll();
  client.destroy();
}

const COMMITS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'innkeeper_app' and state = 'active' and query like '%commit_batch_v1%'`;

/** For two seconds, whoever is committing. */
async function endCommits({ database }: ClusterWorld): Promise<void> {
  const admin = await connected(database.url);
  const until = performance.now() + 2_000;
  while (performance.now() < until) {
    await admin.query(COMMITS);
    await pause(100);
  }
  await admin.end();
}

async function endLeases({ database }: ClusterWorld): Promise<void> {
  const admin = await connected(database.url);
  await admin.query(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.application_name = 'innkeeper_system' and exists (
       select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted)`,
  );
  await admin.end();
}
