import { pause } from '../../test/blackbox/waiting.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import type { Fault } from './fault.ts';
import { POISON_FAULTS } from './poison-faults.ts';
import { REDIS_FAULTS } from './redis-faults.ts';

const PAUSED_MS = 8_000;
const MACHINE_PAUSED_MS = 60_000;
const CUT_MS = 6_000;

/** Faults of nodes, and of the connections between them. */
const NODE_FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of a node',
    hitsNode: true,
    seconds: 10,
    run: async ({ node }) => {
      await node.killHard();
      await node.start();
    },
  },
  {
    name: 'SIGSTOP for 8 s, SIGCONT',
    hitsNode: true,
    seconds: 8,
    run: async ({ node }) => {
      node.signal('SIGSTOP');
      await pause(PAUSED_MS);
      node.signal('SIGCONT');
    },
  },
  {
    // All threads, that of the lease included, are paused, and the clock has jumped afterwards.
    name: 'virtual machine paused 60 s',
    hitsNode: true,
    seconds: 60,
    run: async ({ node }) => {
      node.signal('SIGSTOP');
      await pause(MACHINE_PAUSED_MS);
      node.signal('SIGCONT');
    },
  },
  {
    name: 'line from one node to another cut for 6 s',
    hitsNode: true,
    seconds: 6,
    run: async ({ world, node, other }) => {
      const proxy = world.proxyOf(node);
      proxy.cut((caller) => caller === other.pid);
      await pause(CUT_MS);
      proxy.mend();
    },
  },
  {
    name: 'lines of a node cut both ways for 6 s',
    hitsNode: true,
    seconds: 6,
    run: async ({ world, node }) => {
      for (const one of world.nodes) {
        const proxy = world.proxyOf(one);
        proxy.cut(one === node ? () => true : (caller) => caller === node.pid);
      }
      await pause(CUT_MS);
      for (const proxy of world.proxies) proxy.mend();
    },
  },
  {
    name: 'rolling restart',
    hitsNode: false,
    seconds: 30,
    run: async ({ world: { nodes } }) => {
      for (const node of nodes) {
        await node.terminate();
        await node.start();
      }
    },
  },
];

export const FAULTS: readonly Fault[] = [...NODE_FAULTS, ...DATABASE_FAULTS, ...REDIS_FAULTS, ...POISON_FAULTS];
