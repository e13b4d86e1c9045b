import t from 'tap';

import { fitGaussianProcess, type NightKernel } from './gaussian-process.ts';

const KERNEL: NightKernel = { season: 0, seasonDays: 30, linear: 0, memory: 0, memoryDays: 5, noise: 0.01 };
const NIGHTS = Array.from({ length: 365 }, (_, night) => night);
const none = NIGHTS.map(() => Float64Array.of(0));

void t.test('a line in the row goes on beyond what was seen', async (t) => {
  const rows = NIGHTS.map((night) => Float64Array.of((night * 7) % 50, (night * 3) % 11));
  const targets = rows.map(([x, y]) => 3 * x! - 2 * y! + 1);
  const expect = fitGaussianProcess({ nights: NIGHTS, rows, targets }, { ...KERNEL, linear: 2 });
  const found = expect(Float64Array.of(60, 4), 400);
  t.ok(Math.abs(found - 173) < 3, `${found}`);
});

void t.test('a season comes back a year later, and its neighbour is like it', async (t) => {
  const targets = NIGHTS.map((night) => (night > 100 && night < 160 ? 20 : 0));
  const expect = fitGaussianProcess({ nights: NIGHTS, rows: none, targets }, { ...KERNEL, season: 1 });
  t.ok(expect(none[0]!, 130 + 365) > 15);
  t.ok(Math.abs(expect(none[0]!, 300 + 365)) < 3);
});

void t.test('what happened last night counts tomorrow, and not in a month', async (t) => {
  const targets = NIGHTS.map((night) => (night >= 355 ? 10 : night % 2));
  const expect = fitGaussianProcess({ nights: NIGHTS, rows: none, targets }, { ...KERNEL, memory: 1 });
  t.ok(expect(none[0]!, 366) > 5);
  t.ok(expect(none[0]!, 395) < 2);
});

void t.test('unknown values, twice the same night, equal results and no nights have an answer', async (t) => {
  const rows = NIGHTS.map((night) => Float64Array.of(night % 2 === 0 ? NaN : 1));
  const targets = NIGHTS.map((night) => night % 5);
  const twice = [...NIGHTS.slice(0, 10), ...NIGHTS.slice(0, 10)];
  const all = { ...KERNEL, season: 1, linear: 1, memory: 1 };
  const examples = {
    nights: twice,
    rows: twice.map((night) => rows[night]!),
    targets: twice.map((n) => targets[n]!),
  };
  t.ok(Number.isFinite(fitGaussianProcess(examples, all)(rows[0]!, 11)));
  const equal = fitGaussianProcess({ nights: NIGHTS, rows, targets: NIGHTS.map(() => 4) }, all);
  t.equal(equal(rows[0]!, 500), 4);
  t.equal(fitGaussianProcess({ nights: [], rows: [], targets: [] }, all)(rows[0]!, 1), 0);
});
