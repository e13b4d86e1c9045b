import { pause } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { figuresText } from '../first/figures.ts';
import { openBigProperties } from './big-properties.ts';
import { Booker } from './booker.ts';
import type { ClusterNode } from './cluster-node.ts';
import { ClusterWorld } from './cluster-world.ts';
import type { Goal } from './goals.ts';
import type { SmallProperty } from './properties.ts';

const PROPERTIES = 12;
const KILLS = 15;
const PAUSES = 3;
/** A node whose lease expires counts as dead. */
const LEASE_MS = 5_000;
const PAUSED_MS = 8_000;
const GIVE_UP_MS = 30_000;
/** Timeout of an attempt at a silent node. */
const TRY_MS = 1_000;
/** Time until members have settled after a node is back. */
const SETTLE_MS = 4_000;
const BACKGROUND_CLIENTS = 2;
/** After the first. */
const START_ATTEMPTS = 3;

/** `kill -9` and SIGSTOP of a property's owner under load, and the time until another node has booked. */
export async function benchFailOver(runtime: 'deno' | 'node'): Promise<Goal[]> {
  await using world = await ClusterWorld.open({ runtime, nodes: 3, proxies: false });
  const properties = await openBigProperties(world, PROPERTIES);
  const load = background(world, properties);
  const killed: number[] = [];
  for (let n = 0; n < KILLS; n++) {
    killed.push(
      await outage(world, properties[n % PROPERTIES]!, async (owner) => {
        const gone = owner.killHard();
        return async () => {
          await gone;
          await startAgain(owner);
        };
      }),
    );
  }
  const paused: number[] = [];
  for (let n = 0; n < PAUSES; n++) {
    paused.push(
      await outage(world, properties[n]!, async (owner) => {
        const began = performance.now();
        owner.signal('SIGSTOP');
        return async () => {
          await pause(Math.max(0, PAUSED_MS - (performance.now() - began)));
          owner.signal('SIGCONT');
        };
      }),
    );
  }
  await load.stop();
  const kill = percentiles(killed);
  const stop = percentiles(paused);
  figuresText([
    {
      what: `kill -9 of the owner, ${KILLS} times`,
      value: killed.map((ms) => `${Math.round(ms)}`).join(' ') + ' ms',
    },
    {
      what: `SIGSTOP of the owner, ${PAUSES} times`,
      value: paused.map((ms) => `${Math.round(ms)}`).join(' ') + ' ms',
    },
  ]);
  return [
    { what: 'kill -9: first success at another node, median', value: kill.p50, unit: 'ms', atMost: 1_000 },
    { what: 'kill -9: first success at another node, worst', value: kill.max, unit: 'ms', atMost: 3_500 },
    {
      what: 'paused node: first success at another node, worst',
      value: stop.max,
      unit: 'ms',
      atMost: LEASE_MS + 1_000,
    },
  ];
}

/** A start that fails on an overloaded machine is logged, and retried. */
async function startAgain(node: ClusterNode): Promise<void> {
  for (let left = START_ATTEMPTS; ; left--) {
    try {
      await node.start();
      return;
    } catch (error) {
      console.log(`  a start failed: ${String(error).slice(-300)}`);
      if (left === 0) throw error;
    }
  }
}

/** @param strike returns a function that brings the node back */
async function outage(
  world: ClusterWorld,
  property: SmallProperty,
  strike: (owner: ClusterNode) => Promise<() => Promise<void>>,
): Promise<number> {
  using booker = new Booker(world, { timeoutMs: TRY_MS });
  const owner = await world.ownerOf(property.propertyId);
  if (owner === undefined) throw new Error(`nobody owns ${property.propertyId}`);
  const others = world.nodes.filter((node) => node !== owner);
  const restart = await strike(owner);
  const ms = await booker.bookUntilDone(others, property, GIVE_UP_MS);
  await restart();
  await pause(SETTLE_MS);
  await booker.bookUntilDone(world.nodes, property, GIVE_UP_MS);
  return ms;
}

/** Clients that book all the time, wherever they are served. */
function background(world: ClusterWorld, properties: readonly SmallProperty[]): { stop(): Promise<void> } {
  const stop = { now: false };
  const clients = Array.from({ length: BACKGROUND_CLIENTS }, async (_, n) => {
    using booker = new Booker(world, { timeoutMs: TRY_MS });
    for (let round = n; !stop.now; round++) {
      const nodes = world.nodes.map((__, at) => world.nodes[(round + at) % world.nodes.length]!);
      await booker.bookUntilDone(nodes, properties[round % properties.length]!, GIVE_UP_MS).catch(() => undefined);
      await pause(50);
    }
  });
  return {
    async stop() {
      stop.now = true;
      await Promise.all(clients);
    },
  };
}
