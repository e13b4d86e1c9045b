import t from 'tap';

import { Random } from '../../../kernel/rules/random.ts';
import { fitBoostedTrees } from './boosted-trees.ts';

const OPTIONS = { rounds: 150, rate: 0.1, leaves: 8, leastRows: 5, columnShare: 1, rowShare: 0.7, seed: 1 };

/** Rows of two columns from 0 to 1, and noise in a third. */
function examples(count: number, result: (x: number, y: number) => number) {
  const random = new Random(7);
  const rows = Array.from({ length: count }, () => Float64Array.of(random.next(), random.next(), random.next()));
  return { rows, targets: rows.map(([x, y]) => result(x!, y!)) };
}

void t.test('a step and what two columns do together are found', async (t) => {
  const step = (x: number, y: number): number => (x > 0.5 ? 10 : 0) + (x > 0.5 && y > 0.5 ? 5 : 0);
  const expect = fitBoostedTrees(examples(400, step), OPTIONS);
  for (const [x, y] of [
    [0.2, 0.2],
    [0.2, 0.8],
    [0.8, 0.2],
    [0.8, 0.8],
  ] as const) {
    const found = expect(Float64Array.of(x, y, 0.5));
    t.ok(Math.abs(found - step(x, y)) < 0.5, `${found} where it is ${step(x, y)}`);
  }
});

void t.test('a few wild results do not move the rest', async (t) => {
  const { rows, targets } = examples(400, (x) => 4 * x);
  const wild = targets.map((target, row) => (row % 40 === 0 ? 1_000 : target));
  const found = fitBoostedTrees({ rows, targets: wild }, OPTIONS)(Float64Array.of(0.5, 0.5, 0.5));
  t.ok(Math.abs(found - 2) < 0.5, `${found}`);
});

void t.test('the same seed gives the same trees, another one others', async (t) => {
  const known = examples(200, (x, y) => x * y);
  const at = Float64Array.of(0.3, 0.6, 0.1);
  const [one, same, other] = [1, 1, 2].map((seed) => fitBoostedTrees(known, { ...OPTIONS, seed })(at));
  t.equal(one, same);
  t.not(one, other);
});

void t.test('unknown values, constant columns, few rows and none have an answer', async (t) => {
  const rows = Array.from({ length: 60 }, (_, row) => Float64Array.of(row < 30 ? NaN : 1, 5));
  const expect = fitBoostedTrees({ rows, targets: rows.map((_, row) => (row < 30 ? 1 : 9)) }, OPTIONS);
  t.ok(Math.abs(expect(Float64Array.of(NaN, 5)) - 1) < 0.2 && Math.abs(expect(Float64Array.of(1, 5)) - 9) < 0.2);
  t.equal(fitBoostedTrees({ rows: rows.slice(0, 3), targets: [2, 2, 2] }, OPTIONS)(rows[0]!), 2);
  t.equal(fitBoostedTrees({ rows: [], targets: [] }, OPTIONS)(rows[0]!), 0);
});
