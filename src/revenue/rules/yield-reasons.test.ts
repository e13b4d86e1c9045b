import t from 'tap';

import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { searchYield } from './yield-optimization.ts';
import type { YieldNight, YieldProblem, YieldRecommendation } from './yield-problem.ts';
import { reasonsFor } from './yield-reasons.ts';

/** The recommendation for the first night. */
function recommended(nights: readonly YieldNight[], over: Partial<YieldProblem> = {}): YieldRecommendation {
  const answer = searchYield(testYieldProblem(nights, over));
  if (answer.status !== 'COMPLETED' || !answer.recommendations[0]) throw new Error(JSON.stringify(answer));
  return answer.recommendations[0];
}

const kinds = ({ reasons }: YieldRecommendation): string[] => reasons!.map(({ kind }) => kind);

void t.test('a night that is wanted by more guests than rooms rises for its demand, with the numbers', async (t) => {
  const one = recommended([yieldNight({ expected: 25 })]);
  t.ok(one.optimized > one.current);
  t.match(one.reasons![0], { kind: 'DEMAND', roomsLeft: 10, expectedRooms: 25 });
  t.match(
    one.expectedImpact,
    /^10 rooms are left and 25\.0 are expected to be wanted.*: at \d+\.\d\d instead of 100\.00/,
  );
});

void t.test('a night with few rooms left says so', async (t) => {
  const one = recommended([yieldNight({ capacity: 60, booked: 55, expected: 9, bookedRevenue: 55_000 })]);
  t.ok(kinds(one).includes('INVENTORY'));
  t.match(one.expectedImpact, /nly 5 of 60 rooms are left/);
});

void t.test('a cheap market and weak demand lower a rate, the stronger of them first', async (t) => {
  const one = recommended([yieldNight({ day: YIELD_TODAY + 120, booked: 0, expected: 4, market: 7_000 })]);
  t.ok(one.optimized < one.current);
  t.match(
    one.reasons!.find(({ kind }) => kind === 'MARKET'),
    { text: 'Competitors ask 70.00', market: 7_000 },
  );
});

void t.test(
  'a week that has sold more than usual is a reason to raise, one that has sold less is none',
  async (t) => {
    const sold = (rooms: number): YieldRecommendation =>
      recommended([yieldNight({ expected: 14, pickup: { rooms, usual: 4.25 } })]);
    t.match(
      sold(12).reasons!.find(({ kind }) => kind === 'PICKUP'),
      { text: '12 rooms were sold in the last week instead of the usual 4.3', roomsSold: 12, usualRooms: 4.3 },
    );
    t.notOk(kinds(sold(1)).includes('PICKUP'));
  },
);

void t.test('a change that brings guests to the nights beside it says that they stay there too', async (t) => {
  const nights = Array.from({ length: 5 }, (_, n) =>
    yieldNight({
      day: YIELD_TODAY + 90 + n,
      booked: 0,
      expected: 5,
      // Only the night in the middle may change.
      ...(n === 2 ? { market: 7_500 } : { low: 10_000, high: 10_000 }),
    }),
  );
  const one = recommended(nights, { constraints: { minGainPercent: 0.1 } });
  t.ok(kinds(one).includes('LENGTH_OF_STAY'), one.expectedImpact);
  t.match(one.expectedImpact, /with the nights beside it, for \d+\.\d\d instead of \d+\.\d\d\.$/);
});

void t.test('a rate that falls for an occupancy that was requested says so', async (t) => {
  const night = yieldNight({ booked: 0, expected: 15 });
  const step = { night, rate: 9_000, soldNow: 14.5, sold: 15.9, bonus: 0, gain: 100, wholeGain: 100 };
  const text = 'The period would miss the occupancy that was requested';
  t.match(reasonsFor({ ...step, worthOfRoom: 30_000 }, { today: YIELD_TODAY })[0], { kind: 'INVENTORY', text });
  t.notOk(reasonsFor({ ...step, worthOfRoom: 0 }, { today: YIELD_TODAY }).some((reason) => reason.text === text));
});

void t.test('never more than two reasons, and always one', async (t) => {
  for (const expected of [2, 6, 9, 14, 30])
    for (const market of [undefined, 7_000, 14_000]) {
      const answer = searchYield(
        testYieldProblem([yieldNight({ expected, market, pickup: { rooms: 9, usual: 3 } })], {
          constraints: { minGainPercent: 0 },
        }),
      );
      if (answer.status !== 'COMPLETED') continue;
      for (const { reasons } of answer.recommendations) t.ok(reasons!.length >= 1 && reasons!.length <= 2);
    }
});
