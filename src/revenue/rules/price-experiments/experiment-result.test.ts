import t from 'tap';

import { mean } from '../../../kernel/rules/figures.ts';
import { Random } from '../../../kernel/rules/random.ts';
import { type DayOfSale, type ExperimentResult, resultOf } from './experiment-result.ts';
import { drawArms } from './price-experiment.ts';

/** Usual revenue by weekday: a week is uneven. */
const WEEK = [4_000, 4_500, 5_000, 6_000, 9_000, 12_000, 7_000];

/** Bookings of days of sale whose tried ones bring so much more, with noise that is as large as half of a day. */
function played(seed: number, uplift: number, { pairs = 30, blockDays = 1 } = {}): ExperimentResult {
  const random = new Random(seed);
  const arms = drawArms(pairs, () => random.chance(0.5));
  const noise = (): number => mean(Array.from({ length: 12 }, () => random.next() - 0.5)) * 6 * 3_000;
  const days: DayOfSale[] = arms.flatMap((arm, block) =>
    Array.from({ length: blockDays }, (_, n) => {
      const usual = WEEK[(block * blockDays + n) % 7]!;
      const revenue = usual * 1.2 + (arm === 'TREATMENT' ? uplift : 0) + noise();
      return { block, arm, isCounted: true, rooms: 1, revenue, usual };
    }),
  );
  return resultOf(days);
}

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed);

t.test('the interval holds what the rates bring in 95 of 100 experiments', async (t) => {
  for (const [uplift, of] of [
    [0, {}],
    [600, {}],
    [600, { pairs: 6 }],
    [-400, { pairs: 12, blockDays: 7 }],
  ] as const) {
    const all = SEEDS.map((seed) => played(seed, uplift, of).uplift!);
    const held = all.filter(({ low, high }) => low <= uplift && uplift <= high).length / all.length;
    t.ok(held > 0.92 && held < 0.98, `${uplift} ${JSON.stringify(of)}: ${held}`);
    const middle = mean(all.map(({ amount }) => amount));
    t.ok(Math.abs(middle - uplift) < 150, `${uplift}: ${middle} in the mean`);
  }
});

t.test('what a weekday usually brings takes most of the doubt away', async (t) => {
  const width = ({ uplift }: ExperimentResult): number => uplift!.high - uplift!.low;
  const { finding, explained, uplift } = played(1, 2_500);
  t.equal(finding, 'BETTER');
  t.ok(explained! > 0.3, `${explained}`);
  t.ok(uplift!.percent > 15 && uplift!.percent < 60, `${uplift!.percent} %`);
  const plain = played(1, 2_500, { pairs: 7 });
  t.equal(plain.explained, 0, 'with few pairs it is left out');
  t.ok(width(played(1, 2_500, { pairs: 90 })) < width(plain) / 2);
});

t.test('days that do not count, pairs of one side, and too few of them', async (t) => {
  const day = (block: number, arm: DayOfSale['arm'], isCounted = true): DayOfSale => ({
    block,
    arm,
    isCounted,
    rooms: 2,
    revenue: 1_000,
    usual: 900,
  });
  const result = resultOf([day(0, 'TREATMENT'), day(1, 'CONTROL', false), day(2, 'CONTROL'), day(3, 'TREATMENT')]);
  t.match(result, { pairs: 1, leftOut: 1, finding: 'TOO_FEW', control: { days: 1, rooms: 2, revenuePerDay: 1_000 } });
  t.equal(result.uplift, undefined);
  t.match(resultOf([]), { pairs: 0, finding: 'TOO_FEW', treatment: { days: 0, revenuePerDay: 0 } });
});

t.test('a fall is a fall, and no difference is none', async (t) => {
  t.equal(played(3, -2_500).finding, 'WORSE');
  const same = Array.from({ length: 8 }, (_, block): DayOfSale => {
    const arm = (block + Math.floor(block / 2)) % 2 === 0 ? 'TREATMENT' : 'CONTROL';
    return { block, arm, isCounted: true, rooms: 0, revenue: 0, usual: 0 };
  });
  t.match(resultOf(same), { finding: 'NOT_DISTINGUISHABLE', uplift: { amount: 0, percent: 0 } });
});
