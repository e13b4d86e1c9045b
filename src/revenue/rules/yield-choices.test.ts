import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { Strategy } from '../../rates/rules/rate-plan.ts';
import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { type Gene, geneNights, genesOf } from './yield-choices.ts';
import type { YieldConstraints, YieldNight } from './yield-problem.ts';

const genes = (
  nights: readonly YieldNight[],
  strategy: Strategy = 'DYNAMIC',
  constraints: YieldConstraints = {},
): Gene[] => genesOf(testYieldProblem(nights, { strategy, constraints }));

/** Limits that leave the bounds of the nights alone. */
const FAR = { maxRateIncrease: 300, maxRateDecrease: 100 };

/** Seven nights or more from Monday, the 1st of March. */
const week = Array.from({ length: 7 }, (_, n) => yieldNight({ day: YIELD_TODAY + n }));

void t.test('rates to choose from are whole units within the bounds, and the rate of now', async (t) => {
  const [gene] = genes([yieldNight({ current: 10_050, low: 9_810, high: 10_300 })]);
  t.same(gene!.choices, [[9_900, 10_000, 10_050, 10_100, 10_200, 10_300]]);
  t.equal(gene!.now, 2);
});

void t.test('no rate rises by more than was allowed, to the cent', async (t) => {
  const choices = (percent: number, current: number): number[] => [
    ...genes([yieldNight({ current })], 'DYNAMIC', { maxRateIncrease: percent })[0]!.choices[0]!,
  ];
  t.equal(choices(10, 9_999).at(-1), 10_900);
  t.equal(choices(0, 10_000).at(-1), 10_000);
  t.equal(choices(2.5, 333).at(-1), 340, 'of 341.325 the whole tenth');
});

void t.test('dear rooms have coarser steps, cheap ones finer, none more than 202', async (t) => {
  const steps = (current: number): number => {
    const [rates] = genes([yieldNight({ current })], 'DYNAMIC', FAR)[0]!.choices;
    t.ok(rates!.length <= 202, `${rates!.length} for ${current}`);
    return rates![2]! - rates![1]!;
  };
  t.same([150, 1_500, 10_000, 100_000, 400_000_000].map(steps), [2, 20, 100, 1_000, 5_000_000]);
});

void t.test(
  'without a request a rate falls by 15 % at most and rises by 25 %, from where the day began',
  async (t) => {
    const ends = (over: Partial<YieldNight>): (number | undefined)[] => {
      const [rates] = genes([yieldNight(over)])[0]!.choices;
      return [rates![0], rates!.at(-1)];
    };
    t.same(ends({ current: 10_000 }), [8_500, 12_500]);
    t.same(ends({ current: 12_000, dayStart: 10_000 }), [8_500, 12_500], 'a second run of the day goes no further');
    t.same(ends({ current: 13_000, dayStart: 10_000 }), [8_500, 13_000], 'nor back by itself');
    const [rates] = genes([yieldNight({ current: 10_000 })], 'DYNAMIC', { maxRateDecrease: 0 })[0]!.choices;
    t.equal(rates![0], 10_000);
  },
);

void t.test('bounds without a round amount between them are choices themselves', async (t) => {
  const [gene] = genes([yieldNight({ current: 10_000, low: 10_010, high: 10_090 })]);
  t.same(gene!.choices, [[10_000, 10_010, 10_090]]);
});

void t.test('a rate out of its bounds may come back into them, or stay', async (t) => {
  const [above] = genes([yieldNight({ current: 30_000, low: 6_000, high: 29_000 })]);
  t.same([above!.choices[0]!.at(-1), above!.choices[0]![above!.now]], [30_000, 30_000]);
  t.equal(above!.choices[0]!.at(-2), 29_000);
  t.same(
    genes([yieldNight({ current: 5_000, low: 6_000, high: 20_000 })], 'DYNAMIC', { maxRateIncrease: 10 })[0]!.choices,
    [[5_000]],
  );
});

void t.test('a night with rooms to spare is not raised above its competitors', async (t) => {
  const highest = (over: Partial<YieldNight>): number | undefined => genes([yieldNight(over)])[0]!.choices[0]!.at(-1);
  t.equal(highest({ expected: 3, market: 10_700 }), 10_700);
  t.equal(highest({ expected: 3, market: 9_000 }), 10_000, 'nor lowered for it');
  t.equal(highest({ expected: 12, market: 10_700 }), 12_500, 'unless it may sell out');
  t.equal(highest({ expected: 3 }), 12_500);
});

void t.test('a ladder of price points leaves no other rates', async (t) => {
  const pricePoints = [7_900, 8_900, 9_900, 10_900, 12_900];
  t.same(genes([yieldNight()], 'DYNAMIC', { pricePoints })[0]!.choices, [[8_900, 9_900, 10_000, 10_900]]);
  const [fixed] = genes([yieldNight(), yieldNight({ day: YIELD_TODAY + 11, current: 9_000 })], 'FIXED', {
    pricePoints,
  });
  for (const rates of fixed!.choices) {
    const current = rates[fixed!.now];
    t.ok(rates.every((rate) => rate === current || pricePoints.includes(rate)));
    t.ok(rates.every((rate, index) => index === 0 || rate >= rates[index - 1]!));
    t.ok(new Set(rates).size > 2);
  }
});

void t.test('one change for a weekday of a month, also where its nights are apart', async (t) => {
  const month = Array.from({ length: 35 }, (_, n) => yieldNight({ day: YIELD_TODAY + n }));
  const all = genes(month, 'DYNAMIC', { sameByWeekday: true });
  t.same(
    all.map(({ nights }) => nights.length).sort((one, other) => one - other),
    [1, 1, 1, 1, 4, 4, 4, 4, 5, 5, 5],
  );
  t.same(
    geneNights(all).map(({ night }) => night.day),
    month.map(({ day }) => day),
    'plans count nights in their order',
  );
});

void t.test('nights without a room to sell or a guest to sell it to keep their rate', async (t) => {
  for (const night of [yieldNight({ booked: 20 }), yieldNight({ capacity: 0 }), yieldNight({ expected: 0 })])
    t.same(genes([night])[0]!.choices, [[10_000]]);
});

void t.test('WEEKEND, LASTMINUTE and EARLYBIRD change the nights they are named for', async (t) => {
  const changing = (strategy: Strategy, nights: readonly YieldNight[]): number[] =>
    genes(nights, strategy)
      .filter(({ choices }) => choices[0]!.length > 1)
      .map(({ nights }) => nights[0]!.day - YIELD_TODAY);
  t.same(changing('WEEKEND', week), [4, 5]);
  const far = [0, 7, 8, 59, 60, 200].map((days) => yieldNight({ day: YIELD_TODAY + days }));
  t.same(changing('LASTMINUTE', far), [0, 7]);
  t.same(changing('EARLYBIRD', far), [60, 200]);
});

void t.test(
  'FIXED changes a room type by one percent, SEASONAL a month of it, each within its own bounds',
  async (t) => {
    const types = ['DLX', 'STD'].flatMap((roomType) =>
      ['2027-03-30', '2027-03-31', '2027-04-01'].map((date) => yieldNight({ roomType, day: dayOf(date) })),
    );
    t.same(
      genes(types, 'FIXED').map(({ nights }) => nights.length),
      [3, 3],
    );
    t.same(
      genes(types, 'SEASONAL').map(({ nights }) => nights.length),
      [2, 1, 2, 1],
    );
    const [gene] = genes(
      [yieldNight(), yieldNight({ day: YIELD_TODAY + 11, current: 20_000, high: 21_000 })],
      'FIXED',
      FAR,
    );
    const [one, other] = gene!.choices;
    t.same([one![gene!.now], other![gene!.now]], [10_000, 20_000]);
    t.same([one![gene!.now + 3], other![gene!.now + 3]], [10_300, 20_600]);
    t.same([one!.at(-1), other!.at(-1)], [20_000, 21_000]);
    t.ok(
      gene!.choices.every((rates) => rates.every((rate, index) => index === 0 || rate >= rates[index - 1]!)),
      'a higher choice is never cheaper',
    );
  },
);

void t.test('nights come room type by room type and day by day, in whatever order they were given', async (t) => {
  const nights = [...week, ...week.map((night) => ({ ...night, roomType: 'DLX' }))];
  const names = (from: readonly YieldNight[]): string[] =>
    geneNights(genes(from)).map(({ night: { roomType, day } }) => `${roomType} ${day}`);
  t.same(names(nights.toReversed()), names(nights));
  t.match(names(nights)[0], /^DLX/);
});
