import { percentiles } from '../client/latencies.ts';
import { middle, figuresText } from '../first/figures.ts';
import { openBigProperties } from './big-properties.ts';
import { Booker } from './booker.ts';
import { ClusterWorld } from './cluster-world.ts';
import type { Goal } from './goals.ts';

const WARM = 300;
const PAIRS = 1_500;
const MAX_MS = 1.5;

/**
 * The same bookings of the same property, in pairs: one sent to its owner, one to another node, in alternating order.
 * Other load on the machine is about the same for both of a pair.
 */
export async function benchForwarded(runtime: 'deno' | 'node'): Promise<Goal[]> {
  await using world = await ClusterWorld.open({ runtime, nodes: 3, proxies: false });
  const [property] = await openBigProperties(world, 1);
  const owner = await world.ownerOf(property!.propertyId);
  if (owner === undefined) throw new Error('nobody owns the property');
  const other = world.nodes.find((node) => node !== owner)!;
  using booker = new Booker(world);
  const local: number[] = [];
  const forwarded: number[] = [];
  const ways = [
    { node: owner, times: local },
    { node: other, times: forwarded },
  ];
  for (let n = 0; n < WARM + PAIRS; n++) {
    for (const { node, times } of n % 2 === 0 ? ways : ways.toReversed()) {
      const { ms } = await booker.book(node, property!);
      if (n >= WARM) times.push(ms);
    }
  }
  const more = middle(forwarded.map((ms, n) => ms - local[n]!));
  const near = precise(local);
  const far = precise(forwarded);
  const text = ({ p50, p95, p99 }: Precise): string =>
    `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)}, p99 ${p99.toFixed(2)}`;
  figuresText([
    { what: `paid booking at the owner (${PAIRS}, one at a time)`, value: text(near) },
    { what: 'paid booking at another node', value: text(far) },
    { what: 'another node above the owner, middle of the pairs', value: `${more.toFixed(2)} ms` },
  ]);
  return [{ what: 'forwarded above local booking, p50', value: far.p50 - near.p50, unit: 'ms', atMost: MAX_MS }];
}

type Precise = { p50: number; p95: number; p99: number };

/** `percentiles` to the hundredth of a millisecond. */
function precise(times: readonly number[]): Precise {
  const { p50, p95, p99 } = percentiles(times.map((ms) => ms * 100));
  return { p50: p50 / 100, p95: p95 / 100, p99: p99 / 100 };
}
