import { SHARDS } from '../../../src/kernel/rules/placement.ts';
import type { NodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';

/** Cells per row of the map; 1,024 shards are eight rows. */
export const MAP_COLUMNS = 128;
export const MAP_ROWS = SHARDS / MAP_COLUMNS;
/** Distinguishable colours; further nodes repeat them, and are told apart on hover. */
export const TONES = 8;

/** Owners of the shards: one node, several that claim it, or none. */
export type ShardMap = {
  /** Outline of each node's cells, for an SVG of one unit a cell. */
  paths: ReadonlyMap<string, string>;
  /** Outline of unowned cells, and their number. */
  unowned: { path: string; count: number };
  /** Shards that several nodes claim: their views differ for a moment. */
  disputed: { path: string; count: number };
};

/** Lays out the shards of all nodes. */
export function shardMapOf(nodes: readonly NodeAnswer[]): ShardMap {
  const owners: string[][] = Array.from({ length: SHARDS }, () => []);
  for (const { nodeId, shards } of nodes) for (const shard of shards) owners[shard]?.push(nodeId);
  const cells = (of: (owning: readonly string[]) => boolean): number[] =>
    owners.flatMap((owning, shard) => (of(owning) ? [shard] : []));
  const unowned = cells(({ length }) => length === 0);
  const disputed = cells(({ length }) => length > 1);
  const pathOfNode = (nodeId: string): string => pathOf(cells((owning) => owning[0] === nodeId));
  return {
    paths: new Map(nodes.map(({ nodeId }) => [nodeId, pathOfNode(nodeId)])),
    unowned: { path: pathOf(unowned), count: unowned.length },
    disputed: { path: pathOf(disputed), count: disputed.length },
  };
}

/** Joins neighbouring cells into one rectangle. */
function pathOf(shards: readonly number[]): string {
  let path = '';
  for (let at = 0; at < shards.length;) {
    const first = shards[at]!;
    const column = first % MAP_COLUMNS;
    const row = Math.floor(first / MAP_COLUMNS);
    let width = 1;
    while (shards[at + width] === first + width && column + width < MAP_COLUMNS) width += 1;
    path += `M${column} ${row}h${width}v1h-${width}z`;
    at += width;
  }
  return path;
}
