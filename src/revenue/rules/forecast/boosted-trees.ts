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
  const first = median(Float64Array.from(targets));
  const left = Float64Array.from(targets, (target) => target - first);
  const trees: Tree[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const tree = grow(columns, left, options, random);
    trees.push(tree);
    for (let row = 0; row < left.length; row += 1) left[row]! -= options.rate * leafOf(tree, rows[row]!);
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

/** By column and bin: the sum of the signs of what is left over, then the number of rows. */
type Histogram = Int32Array;
type Leaf = { rows: Int32Array; node: number; histogram: Histogram; split: Split | undefined };
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
  const signs = new Int8Array(left.length);
  for (let row = 0; row < left.length; row += 1) signs[row] = Math.sign(left[row]!);
  const leafWith = (rows: Int32Array, node: number, histogram: Histogram): Leaf => {
    const split = bestSplit(columns, offered, histogram, options.leastRows);
    return { rows, node, histogram, split };
  };
  const leaves: Leaf[] = [leafWith(seen, 0, histogramOf(columns, offered, seen, signs))];
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
    const [below, above] = parted(best.rows, (row) => bins[row]! <= bin);
    // Only the smaller side is counted: the other one has the rest.
    const isBelow = below.length <= above.length;
    const counted = histogramOf(columns, offered, isBelow ? below : above, signs);
    const rest = best.histogram;
    for (let cell = 0; cell < rest.length; cell += 1) rest[cell]! -= counted[cell]!;
    leaves.splice(
      leaves.indexOf(best),
      1,
      leafWith(below, used, isBelow ? counted : rest),
      leafWith(above, used + 1, isBelow ? rest : counted),
    );
    used += 2;
  }
  for (const { rows, node } of leaves) {
    const values = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at += 1) values[at] = left[rows[at]!]!;
    tree.value[node] = median(values);
  }
  return tree;
}

/** The rows for which it holds, and the others, in their order. */
function parted(rows: Int32Array, holds: (row: number) => boolean): [Int32Array, Int32Array] {
  const yes = new Int32Array(rows.length);
  const no = new Int32Array(rows.length);
  let held = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (holds(row)) yes[held++] = row;
    else no[at - held] = row;
  }
  return [yes.subarray(0, held), no.subarray(0, rows.length - held)];
}

function histogramOf(columns: readonly Column[], offered: Int32Array, rows: Int32Array, signs: Int8Array): Histogram {
  const histogram = new Int32Array(2 * MAX_BINS * offered.length);
  for (let index = 0; index < offered.length; index += 1) {
    const { bins } = columns[offered[index]!]!;
    const start = MAX_BINS * index;
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!;
      const cell = 2 * (start + bins[row]!);
      histogram[cell]! += signs[row]!;
      histogram[cell + 1]! += 1;
    }
  }
  return histogram;
}

/** The split that says most about the signs of what is left over, as in a least-squares tree of them. */
function bestSplit(
  columns: readonly Column[],
  offered: Int32Array,
  histogram: Histogram,
  leastRows: number,
): Split | undefined {
  let total = 0;
  let rows = 0;
  for (let cell = 0; cell < 2 * MAX_BINS; cell += 2) {
    total += histogram[cell]!;
    rows += histogram[cell + 1]!;
  }
  if (rows < 2 * leastRows) return undefined;
  const whole = (total * total) / rows;
  let best: Split | undefined;
  for (let index = 0; index < offered.length; index += 1) {
    const column = offered[index]!;
    const { tops } = columns[column]!;
    const start = MAX_BINS * index;
    let sum = 0;
    let count = 0;
    for (let bin = 0; bin < tops.length - 1; bin += 1) {
      const cell = 2 * (start + bin);
      sum += histogram[cell]!;
      count += histogram[cell + 1]!;
      if (count < leastRows) continue;
      if (rows - count < leastRows) break;
      const gain = (sum * sum) / count + (total - sum) ** 2 / (rows - count) - whole;
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
  const all = new Int32Array(count);
  for (let index = 0; index < count; index += 1) all[index] = index;
  const wanted = Math.max(1, Math.round(share * count));
  for (let index = 0; index < wanted; index += 1) {
    const other = random.between(index, count - 1);
    [all[index], all[other]] = [all[other]!, all[index]!];
  }
  return all.subarray(0, wanted).sort();
}

function median(values: Float64Array): number {
  const sorted = values.sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
