import { Random } from '../../../kernel/rules/random.ts';

/** Rows by observation and their results; an unknown value is NaN, and is below all others. */
type Examples = { rows: readonly Float64Array[]; targets: readonly number[] };

type BoostingOptions = {
  /** Trees, one after the other, each on what those before it leave over. */
  rounds: number;
  /** Part of its correction that a tree makes. */
  rate: number;
  leaves: number;
  /** Minimum of rows in a leaf. */
  leastRows: number;
  /** Part of the columns and of the rows that a tree sees. */
  columnShare: number;
  rowShare: number;
  seed: number;
};

/** Most different values of a column between which a split can be. */
const MAX_BINS = 64;

/** A tree: inner nodes with a column and the bin up to which rows go left, and leaves with a value. */
type Tree = { column: Int16Array; until: Float64Array; left: Int16Array; right: Int16Array; value: Float64Array };

/**
 * Gradient-boosted regression trees for the absolute error: each tree splits by the signs of what is left over, and a
 * leaf corrects by the median of what is left over in it. Trees grow by their best leaf. The same seed gives the same
 * trees on every engine.
 */
export function fitBoostedTrees(
  { rows, targets }: Examples,
  options: BoostingOptions,
): (row: Float64Array) => number {
  if (rows.length === 0) return () => 0;
  const random = new Random(options.seed);
  const columns = binned(rows);
  const first = median(targets);
  const predicted = new Float64Array(rows.length).fill(first);
  const trees: Tree[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const left = Float64Array.from(targets, (target, row) => target - predicted[row]!);
    const tree = grow(columns, left, options, random);
    trees.push(tree);
    for (const [row, values] of rows.entries()) predicted[row]! += options.rate * leafOf(tree, values);
  }
  return (row) => trees.reduce((sum, tree) => sum + options.rate * leafOf(tree, row), first);
}

/** A column: the bin of each row, and the largest value of each bin. */
type Column = { bins: Uint8Array; tops: Float64Array };

function binned(rows: readonly Float64Array[]): Column[] {
  const width = rows[0]!.length;
  return Array.from({ length: width }, (_, column) => {
    const values = Float64Array.from(rows, (row) => known(row[column]!));
    const sorted = values.toSorted();
    const different = sorted.filter((value, index) => index === 0 || value !== sorted[index - 1]);
    const count = Math.min(MAX_BINS, different.length);
    // By rank where there are more values than bins, so that bins have about as many rows.
    const from = different.length > MAX_BINS ? sorted : different;
    const tops = Float64Array.from(
      { length: count },
      (_unused, bin) => from[Math.ceil(((bin + 1) * from.length) / count) - 1]!,
    );
    const bins = Uint8Array.from(values, (value) => tops.findIndex((top) => value <= top));
    return { bins, tops };
  });
}

const known = (value: number): number => (Number.isNaN(value) ? -Infinity : value);

type Leaf = { rows: Int32Array; node: number; split: Split | undefined };
type Split = { gain: number; column: number; bin: number };

function grow(columns: readonly Column[], left: Float64Array, options: BoostingOptions, random: Random): Tree {
  const seen = sample(left.length, options.rowShare, random);
  const offered = sample(columns.length, options.columnShare, random);
  const nodes = 2 * options.leaves - 1;
  const tree: Tree = {
    column: new Int16Array(nodes).fill(-1),
    until: new Float64Array(nodes),
    left: new Int16Array(nodes),
    right: new Int16Array(nodes),
    value: new Float64Array(nodes),
  };
  const splitOf = (rows: Int32Array): Split | undefined => bestSplit(columns, offered, rows, left, options.leastRows);
  const leaves: Leaf[] = [{ rows: seen, node: 0, split: splitOf(seen) }];
  let used = 1;
  while (leaves.length < options.leaves) {
    const best = leaves.reduce((one, other) => ((other.split?.gain ?? 0) > (one.split?.gain ?? 0) ? other : one));
    if (!best.split) break;
    const { column, bin } = best.split;
    const { bins, tops } = columns[column]!;
    tree.column[best.node] = column;
    tree.until[best.node] = tops[bin]!;
    tree.left[best.node] = used;
    tree.right[best.node] = used + 1;
    const sides = [best.rows.filter((row) => bins[row]! <= bin), best.rows.filter((row) => bins[row]! > bin)];
    leaves.splice(
      leaves.indexOf(best),
      1,
      ...sides.map((rows, side) => ({ rows, node: used + side, split: splitOf(rows) })),
    );
    used += 2;
  }
  for (const { rows, node } of leaves) tree.value[node] = median(Array.from(rows, (row) => left[row]!));
  return tree;
}

/** The split that says most about the signs of what is left over, as in a least-squares tree of them. */
function bestSplit(
  columns: readonly Column[],
  offered: Int32Array,
  rows: Int32Array,
  left: Float64Array,
  leastRows: number,
): Split | undefined {
  if (rows.length < 2 * leastRows) return undefined;
  const sums = new Float64Array(MAX_BINS);
  const counts = new Int32Array(MAX_BINS);
  let total = 0;
  for (const row of rows) total += Math.sign(left[row]!);
  const whole = (total * total) / rows.length;
  let best: Split | undefined;
  for (const column of offered) {
    const { bins, tops } = columns[column]!;
    sums.fill(0);
    counts.fill(0);
    for (const row of rows) {
      sums[bins[row]!]! += Math.sign(left[row]!);
      counts[bins[row]!]! += 1;
    }
    let sum = 0;
    let count = 0;
    for (let bin = 0; bin < tops.length - 1; bin += 1) {
      sum += sums[bin]!;
      count += counts[bin]!;
      if (count < leastRows) continue;
      if (rows.length - count < leastRows) break;
      const gain = (sum * sum) / count + (total - sum) ** 2 / (rows.length - count) - whole;
      if (gain > (best?.gain ?? 1e-9)) best = { gain, column, bin };
    }
  }
  return best;
}

function leafOf(tree: Tree, row: Float64Array): number {
  let node = 0;
  while (tree.column[node]! >= 0)
    node = known(row[tree.column[node]!]!) <= tree.until[node]! ? tree.left[node]! : tree.right[node]!;
  return tree.value[node]!;
}

/** Some of the numbers below `count`, ascending. */
function sample(count: number, share: number, random: Random): Int32Array {
  const all = Int32Array.from({ length: count }, (_, index) => index);
  const wanted = Math.max(1, Math.round(share * count));
  for (let index = 0; index < wanted; index += 1) {
    const other = random.between(index, count - 1);
    [all[index], all[other]] = [all[other]!, all[index]!];
  }
  return all.subarray(0, wanted).toSorted();
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
