import fc from 'fast-check';
import t from 'tap';

import type { RateNight } from '../../rates/rules/queries.ts';
import { DAY } from '../../testing/property-world.ts';
import { yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { analyzeRates } from './rate-analysis.ts';
import { searchYield } from './yield-optimization.ts';
import type { YieldPlan } from './yield-problem.ts';

const night = (changed: Partial<RateNight> = {}): RateNight => ({
  roomType: 'STD',
  day: DAY + 1,
  total: 10,
  capacity: 10,
  booked: 5,
  rate: 10_000,
  low: 6_000,
  high: 20_000,
  expected: 3,
  ...changed,
});
const period = { start: DAY, end: DAY + 9 };
const plan = (changed: Partial<YieldPlan> = {}): YieldPlan => ({
  status: 'COMPLETED',
  projectedRevenue: 130_000,
  currentRevenue: 100_000,
  revenueIncrease: 30,
  averageRateChange: 0,
  occupancyImpact: 0,
  projectedOccupancy: 0,
  generations: 1,
  recommendations: [],
  ...changed,
});
const recommended = (day: number, optimized: number) => ({
  roomType: 'STD',
  day,
  current: 10_000,
  optimized,
  confidence: 0.5,
  expectedImpact: 'Because.',
});

void t.test('performance is what is sold against what there is', async (t) => {
  const nights = [night(), night({ day: DAY + 2, rate: 20_000, booked: 1 })];
  const { performance } = analyzeRates(period, nights, { rooms: 6, revenue: 60_000 }, undefined);
  t.same(performance, { averageRate: 10_000, occupancyRate: 30, revenuePAR: 3_000, rateVariance: 50 });
  const empty = analyzeRates(period, [], { rooms: 0, revenue: 0 }, undefined);
  t.same(empty.performance, { averageRate: null, occupancyRate: 0, revenuePAR: 0, rateVariance: 0 });
  t.same(empty.optimization.recommendations, []);
});

void t.test('the loss is what better rates would bring, and never negative', async (t) => {
  const of = (one: YieldPlan | undefined) =>
    analyzeRates(period, [night()], { rooms: 5, revenue: 50_000 }, one).optimization;
  t.match(of(plan()), { potentialRevenue: 130_000, currentRevenue: 100_000, opportunityLoss: 30_000 });
  t.match(of(plan({ projectedRevenue: 90_000 })), { potentialRevenue: 100_000, opportunityLoss: 0 });
  t.match(of(undefined), { potentialRevenue: 50_000, currentRevenue: 50_000, opportunityLoss: 0 });
});

void t.test(
  'whatever the optimizer finds, the loss is potential minus current revenue and not negative',
  async (t) => {
    const minor = fc.integer({ min: 1, max: 50_000 });
    const nights = fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 9 }),
        rate: minor,
        booked: fc.nat(10),
        expected: fc.nat(20),
        market: minor,
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(nights, (drawn) => {
        const all = drawn.map(({ day, rate, booked, expected, market }, n) =>
          night({ roomType: `T${n}`, day: DAY + day, rate, booked, expected, market, low: 1, high: rate * 2 }),
        );
        const problem = testYieldProblem(
          all.map((of) => yieldNight({ ...of, current: of.rate })),
          { today: DAY },
        );
        const best = searchYield(problem);
        const { optimization } = analyzeRates(
          period,
          all,
          { rooms: 1, revenue: 100 },
          best.status === 'COMPLETED' ? best : undefined,
        );
        const { potentialRevenue, currentRevenue, opportunityLoss } = optimization;
        return opportunityLoss === potentialRevenue - currentRevenue && opportunityLoss >= 0;
      }),
      { numRuns: 50 },
    );
    t.pass();
  },
);

void t.test(
  'recommendations group nights with the same change, and suggest longer stays in high demand, or to hold rates',
  async (t) => {
    const recommendations = [recommended(DAY + 1, 12_000), recommended(DAY + 2, 12_000), recommended(DAY + 3, 9_000)];
    const summary = analyzeRates(period, [night()], { rooms: 0, revenue: 0 }, plan({ recommendations }));
    t.match(summary.optimization.recommendations, [
      { action: 'INCREASE_RATE', dates: [DAY + 1, DAY + 2], currentRate: 10_000, suggestedRate: 12_000 },
      { action: 'DECREASE_RATE', dates: [DAY + 3], suggestedRate: 9_000 },
    ]);
    const asked = analyzeRates(period, [night({ booked: 8, expected: 5 })], { rooms: 0, revenue: 0 }, plan());
    t.match(asked.optimization.recommendations, [{ action: 'ADD_RESTRICTION', dates: [DAY + 1] }]);
    const hold = analyzeRates(period, [night()], { rooms: 0, revenue: 0 }, plan());
    t.match(hold.optimization.recommendations, [{ action: 'HOLD', currentRate: 10_000, suggestedRate: 10_000 }]);
  },
);

void t.test('the market is what is known of it; within two percent of it is at it', async (t) => {
  const of = (market: number | undefined) =>
    analyzeRates(period, [night({ market }), night({ day: DAY + 2 })], { rooms: 0, revenue: 0 }, undefined)
      .competitors;
  t.same(of(undefined), { averageMarketRate: null, position: null, priceIndex: null });
  t.same(of(8_000), { averageMarketRate: 8_000, position: 'ABOVE_MARKET', priceIndex: 125 });
  t.match(
    [9_900, 10_150, 12_000].map((market) => of(market).position),
    ['AT_MARKET', 'AT_MARKET', 'BELOW_MARKET'],
  );
});
