import t from 'tap';

import { testYieldProblem, YIELD_TODAY, yieldNight } from '../../testing/yield.ts';
import { changeLimit, rateBounds } from './yield-limits.ts';
import { searchYield } from './yield-optimization.ts';
import { type RateLimit, type YieldConstraints, type YieldNight, type YieldPlan } from './yield-problem.ts';

const limits = (over: Partial<YieldNight>, of: YieldConstraints = {}): [RateLimit, RateLimit] => {
  const { lowBy, highBy } = rateBounds(yieldNight(over), of);
  return [lowBy, highBy];
};

void t.test('each bound of a rate says what makes it', async (t) => {
  t.same(limits({}), ['MAX_RATE_DECREASE', 'MAX_RATE_INCREASE']);
  t.same(limits({ low: 9_000, high: 11_000 }), ['PLAN_BOUNDS', 'PLAN_BOUNDS']);
  t.same(limits({}, { maxRateIncrease: 300, maxRateDecrease: 100 }), ['PLAN_BOUNDS', 'PLAN_BOUNDS']);
  t.equal(limits({ expected: 3, market: 10_700 })[1], 'MARKET');
  t.equal(limits({ expected: 12, market: 10_700 })[1], 'MAX_RATE_INCREASE', 'a night that may sell out');
});

void t.test('no rate falls below what a room costs, and one that is lower may rise', async (t) => {
  const costPerOccupiedRoom = 9_300;
  t.match(rateBounds(yieldNight(), { costPerOccupiedRoom }), { low: 9_300, lowBy: 'COST_OF_ROOM' });
  t.match(rateBounds(yieldNight(), { costPerOccupiedRoom: 4_000 }), { low: 8_500, lowBy: 'MAX_RATE_DECREASE' });
  t.match(rateBounds(yieldNight({ current: 8_000 }), { costPerOccupiedRoom }), { low: 8_000, high: 10_000 });
  const empty = [0, 1, 2].map((n) => yieldNight({ day: YIELD_TODAY + 10 + n, expected: 3, booked: 0 }));
  const problem = testYieldProblem(empty, { objective: 'MAXIMIZE_OCCUPANCY', constraints: { costPerOccupiedRoom } });
  const { recommendations } = searchYield(problem) as YieldPlan;
  t.ok(recommendations.length > 0);
  for (const one of recommendations) t.match(one, { optimized: 9_300, limitedBy: 'COST_OF_ROOM' });
});

void t.test('with rooms to spare and without a competitor, rates do not climb day after day', async (t) => {
  const highest = (over: Partial<YieldNight>): number => rateBounds(yieldNight({ expected: 3, ...over }), {}).high;
  t.equal(highest({}), 12_500, 'once');
  t.equal(highest({ current: 12_000, unadvised: 10_000 }), 12_500, 'the next day what is left of it');
  t.equal(highest({ current: 12_500, unadvised: 10_000 }), 12_500);
  t.equal(highest({ current: 14_000, unadvised: 10_000 }), 14_000, 'nor back by itself');
  t.equal(highest({ current: 12_500, unadvised: 10_000, market: 14_000 }), 14_000, 'a competitor is a reason');
  t.equal(highest({ current: 12_500, unadvised: 10_000, expected: 12 }), 15_625, 'and so is demand');
  t.equal(limits({ expected: 3, current: 12_000, unadvised: 10_000 })[1], 'NO_MARKET');
});

void t.test('a change is limited only at the end of its rates', async (t) => {
  const night = yieldNight();
  const range = { lowest: 8_500, highest: 12_500 };
  t.equal(changeLimit({ night, rate: 12_500, range }, {}), 'MAX_RATE_INCREASE');
  t.equal(changeLimit({ night, rate: 8_500, range }, {}), 'MAX_RATE_DECREASE');
  t.equal(changeLimit({ night, rate: 12_400, range }, {}), undefined);
  const pricePoints = [9_900, 11_900];
  const ladder = { lowest: 9_900, highest: 11_900 };
  t.equal(changeLimit({ night, rate: 11_900, range: ladder }, { pricePoints }), 'PRICE_POINTS');
  t.equal(
    changeLimit({ night, rate: 11_900, range: ladder }, { pricePoints: [...pricePoints, 12_900] }),
    'MAX_RATE_INCREASE',
    'the next point is too far',
  );
});

/** Seven nights that many more want than have room. */
const busy = Array.from({ length: 7 }, (_, n) => yieldNight({ day: YIELD_TODAY + 10 + n, expected: 60 }));

const plan = (constraints: YieldConstraints): YieldPlan =>
  searchYield(testYieldProblem(busy, { constraints }), { exactGenerations: 60 }) as YieldPlan;

void t.test('a plan says by what it was limited, and each recommendation at which limit it stands', async (t) => {
  const usual = plan({});
  t.strictSame(usual.constraints, { maxRateIncrease: 25, maxRateDecrease: 15, minGainPercent: 1 });
  t.ok(usual.recommendations.length > 0);
  for (const one of usual.recommendations)
    t.match(one, { optimized: 12_500, lowestRate: 8_500, highestRate: 12_500, limitedBy: 'MAX_RATE_INCREASE' });
  const own = { maxRateIncrease: 10, pricePoints: [9_900, 10_900, 11_900], sameByWeekday: true };
  const narrow = plan(own);
  t.strictSame(narrow.constraints, { maxRateDecrease: 15, minGainPercent: 1, ...own });
  for (const one of narrow.recommendations)
    t.match(one, { optimized: 10_900, highestRate: 10_900, limitedBy: 'MAX_RATE_INCREASE' });
  const free = plan({ maxRateIncrease: 300, maxRateDecrease: 100 }).recommendations;
  for (const { optimized, highestRate, limitedBy } of free)
    t.equal(limitedBy, optimized === highestRate ? 'PLAN_BOUNDS' : undefined);
});
