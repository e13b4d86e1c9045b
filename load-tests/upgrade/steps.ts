import { pause } from '../../test/blackbox/waiting.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { Fault } from '../nemesis/fault.ts';

/** How long a cluster of two releases works after a node has changed. */
const MIXED_MS = 10_000;

/** A step of the way there and back, as something that happens to a cluster under load. */
function step(name: string, work: (world: ClusterWorld) => Promise<void>): Fault {
  return { name, hitsNode: false, seconds: MIXED_MS / 1_000, run: ({ world }) => work(world) };
}

/** Stops a node, and starts it with other sources. */
async function changeTo(node: ClusterNode, sources: string | undefined): Promise<void> {
  await node.terminate();
  node.sources = sources;
  await node.start();
  await pause(MIXED_MS);
}

async function crash(node: ClusterNode): Promise<void> {
  await node.killHard();
  await node.start();
}

/**
 * A cluster of three goes to this build node by node, back to the release, and to this build again; in each mixture a
 * node of each is killed (docs/guide/upgrade.md#upgrade-to-a-new-release).
 * @param release folder of the sources of the release
 */
export function upgradeSteps(release: string): Fault[] {
  const nodes = ['node-1', 'node-2', 'node-3'];
  const each = (direction: string, sources: string | undefined, order: readonly number[]): Fault[] =>
    order.map((n) => step(`${nodes[n]} ${direction}`, ({ nodes }) => changeTo(nodes[n]!, sources)));
  const crashes = (n: number, which: string): Fault =>
    step(`kill -9 of ${nodes[n]} (${which}) among both`, ({ nodes }) => crash(nodes[n]!));
  const [firstUp, ...othersUp] = each('to this build', undefined, [0, 1, 2]);
  const [firstBack, ...othersBack] = each('back to the release', release, [2, 0, 1]);
  return [
    firstUp!,
    crashes(1, 'release'),
    crashes(0, 'this build'),
    ...othersUp,
    firstBack!,
    crashes(2, 'release'),
    crashes(0, 'this build'),
    ...othersBack,
    ...each('to this build again', undefined, [1, 2, 0]),
  ];
}
