import t from 'tap';

import { plan } from '../../testing/property-world.ts';
import { lineageOf, type RatePlan } from './rate-plan.ts';
import { isValidPlan } from './valid-plan.ts';

const codes = (plans: RatePlan[], code: string): string[] => {
  const all = new Map(plans.map((one) => [one.code, one]));
  return lineageOf(all, all.get(code)!).map((one) => one.code);
};
const derived = (code: string, parentCode?: string): RatePlan => plan({ code, parentCode });

void t.test('a lineage leads to the plan that prices by itself, and never in a circle', async (t) => {
  t.same(codes([derived('A'), derived('B', 'A'), derived('C', 'B')], 'C'), ['C', 'B', 'A']);
  t.same(codes([derived('B', 'GONE')], 'B'), ['B'], 'whose parent is gone prices by itself');
  t.same(codes([derived('A', 'B'), derived('B', 'A')], 'A'), ['A', 'B']);
  t.same(codes([derived('A', 'A')], 'A'), ['A']);
  t.same(codes([derived('A'), derived('B', 'A'), derived('C', 'B'), derived('D', 'C')], 'D'), ['D', 'C', 'B']);
});

void t.test('a plan that makes no sense is not sold by, whatever of it is wrong', async (t) => {
  const good: Partial<RatePlan> = {
    occupancyRules: { singleRate: 1 },
    dayOfWeekRates: { monday: 2 },
    lengthOfStayRules: [{ minNights: 3, percent: -5 }],
    advanceRules: [{ minDays: 1, percent: 5 }],
    strategyRules: {
      seasons: [{ start: '01-01', end: '02-01', percent: 3 }],
      weekendPercent: 3,
      bidPriceBy: 'PROGRAM',
    },
  };
  t.ok(isValidPlan(plan(good)));
  const wrong: Record<string, unknown>[] = [
    { strategy: 'CHEAP' },
    { status: 'SOLD' },
    { adjustmentPercent: Number.NaN },
    { adjustmentAmount: 0.5 },
    { baseRate: -1 },
    { minRate: 'low' },
    { minLengthOfStay: -1 },
    { validFrom: 1.5 },
    { parentCode: 7 },
    { minRatePercent: 90, maxRatePercent: 80 },
    { occupancyRules: { singleRate: '1' } },
    { occupancyRules: 3 },
    { dayOfWeekRates: { monday: -2 } },
    { lengthOfStayRules: [{ minNights: 3 }] },
    { lengthOfStayRules: {} },
    { advanceRules: [null] },
    { advanceRules: [{ minDays: 'x', percent: 1 }] },
    { strategyRules: { weekendPercent: 'much' } },
    { strategyRules: { bidPriceBy: 'GUESS' } },
    { strategyRules: { seasons: [{ start: '1-1', end: '02-01', percent: 3 }] } },
  ];
  for (const changed of wrong) t.notOk(isValidPlan(plan(changed)), JSON.stringify(changed));
});
