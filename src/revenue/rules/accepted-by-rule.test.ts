import t from 'tap';

import { acceptedByRule } from './accepted-by-rule.ts';
import type { YieldRecommendation } from './yield-problem.ts';

const RULE = { enabled: true, upToPercent: 5, setBy: 'mara', setAt: 0 };
const night = (day: number, optimized: number, change: Partial<YieldRecommendation> = {}): YieldRecommendation => ({
  roomType: 'STD',
  day,
  current: 10_000,
  optimized,
  confidence: 0.5,
  expectedImpact: 'More.',
  revenueBefore: 100,
  revenueAfter: 110,
  ...change,
});

void t.test('a rule accepts moves within its limit that lose nothing by their own numbers', async (t) => {
  const days = (all: YieldRecommendation[], rule = {}) =>
    acceptedByRule({ ...RULE, ...rule }, 'MAXIMIZE_REVENUE', { recommendations: all, today: 0 }).map(
      ({ day }) => day,
    );
  t.same(days([night(1, 10_500), night(2, 10_501), night(3, 9_500), night(4, 9_499)]), [1, 3]);
  const { revenueBefore: _unsaid, ...silent } = night(3, 10_100);
  t.same(days([night(1, 10_100, { revenueAfter: 99 }), night(2, 10_100, { revenueAfter: 100 }), silent]), [2]);
  t.same(days([night(1, 10_100), night(2, 10_100, { roomType: 'DLX' })], { roomTypes: ['DLX'] }), [2]);
  t.same(days([night(1, 10_100)], { enabled: false }), []);
  const one = { recommendations: [night(1, 10_100)], today: 0 };
  t.same(acceptedByRule(RULE, 'MAXIMIZE_OCCUPANCY', one), [], 'what costs revenue is for people');
});

void t.test('nights further ahead may have a limit of their own', async (t) => {
  const byLead = [
    { fromDays: 7, upToPercent: 10 },
    { fromDays: 30, upToPercent: 0 },
  ];
  const recommendations = [6, 7, 29, 30].flatMap((day) => [
    night(day, 10_400),
    night(day, 10_900, { roomType: 'DLX' }),
  ]);
  const found = acceptedByRule({ ...RULE, byLead }, 'MAXIMIZE_REVENUE', { recommendations, today: 0 });
  t.same(
    found.map(({ day, roomType }) => `${day} ${roomType}`),
    ['6 STD', '7 STD', '7 DLX', '29 STD', '29 DLX'],
  );
});
