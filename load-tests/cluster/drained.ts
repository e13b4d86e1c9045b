import { pause } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { figuresText } from '../first/figures.ts';
import { openBigProperties } from './big-properties.ts';
import { Booker } from './booker.ts';
import type { ClusterNode } from './cluster-node.ts';
import { ClusterWorld } from './cluster-world.ts';
import type { Goal } from './goals.ts';
import type { SmallProperty } from './properties.ts';

const PROPERTIES = 100;
/** Pause between two bookings of a property. */
const BETWEEN_MS = 250;
const BEFORE_MS = 2_000;
/** Observation time after the signal: the drain, and its consequences. */
const AFTER_MS = 4_000;
const SETTLE_MS = 4_000;
const GIVE_UP_MS = 30_000;
const TRY_MS = 2_000;
const MAX_MS = 250;

/**
 * Every node is drained once, so each property moves once: its gap is the longest booking meanwhile, sent to the
 * remaining nodes, with all repeats.
 */
export async function benchDrained(runtime: 'deno' | 'node'): Promise<Goal[]> {
  await using world = await ClusterWorld.open({ runtime, nodes: 3, proxies: false });
  const properties = await openBigProperties(world, PROPERTIES);
  const gaps = new Map<string, number>();
  const calm: number[] = [];
  const drains: number[] = [];
  for (const node of world.nodes) {
    const owned = await propertiesOf(world, node, properties);
    const others = world.nodes.filter((one) => one !== node);
    const stop = { now: false, struck: false };
    const probes = owned.map(async (property, n) => {
      using booker = new Booker(world, { timeoutMs: TRY_MS });
      await pause((n * BETWEEN_MS) / Math.max(1, owned.length));
      while (!stop.now) {
        const began = stop.struck;
        const ms = await booker.bookUntilDone(others, property, GIVE_UP_MS, false);
        const { propertyId } = property;
        if (stop.struck) gaps.set(propertyId, Math.max(gaps.get(propertyId) ?? 0, ms));
        else if (!began) calm.push(ms);
        await pause(Math.max(0, BETWEEN_MS - ms));
      }
    });
    await pause(BEFORE_MS);
    stop.struck = true;
    const ended = node.terminate();
    await pause(AFTER_MS);
    stop.now = true;
    await Promise.all(probes);
    drains.push(await ended);
    await node.start();
    await pause(SETTLE_MS);
  }
  const all = percentiles([...gaps.values()]);
  const before = percentiles(calm);
  figuresText([
    {
      what: `${gaps.size} properties moved: longest booking of each`,
      value: `p50 ${all.p50} ms, p99 ${all.p99}, worst ${all.max}`,
    },
    { what: 'bookings of the same properties just before', value: `p50 ${before.p50} ms, p99 ${before.p99}` },
    { what: 'SIGTERM to the end of the process', value: drains.map((ms) => `${Math.round(ms)} ms`).join(', ') },
  ]);
  return [{ what: 'SIGTERM: gap of a property, p99', value: all.p99, unit: 'ms', atMost: MAX_MS }];
}

async function propertiesOf(
  world: ClusterWorld,
  node: ClusterNode,
  properties: readonly SmallProperty[],
): Promise<SmallProperty[]> {
  const owned: SmallProperty[] = [];
  for (const property of properties) if ((await world.ownerOf(property.propertyId)) === node) owned.push(property);
  return owned;
}
