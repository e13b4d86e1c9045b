import fc from 'fast-check';
import t from 'tap';

import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { attributedGains, type NightGain } from './yield-attribution.ts';
import { genesOf } from './yield-choices.ts';
import { YieldNights } from './yield-nights.ts';
import type { YieldNight } from './yield-problem.ts';

const nightsOf = (nights: readonly YieldNight[]): YieldNights =>
  new YieldNights(genesOf(testYieldProblem(nights)), testYieldProblem(nights));

const total = (gains: readonly NightGain[], of: keyof NightGain): number =>
  gains.reduce((sum, gain) => sum + gain[of], 0);

const drawn = fc.array(
  fc.record({
    expected: fc.double({ min: 0, max: 30, noNaN: true }),
    booked: fc.integer({ min: 0, max: 20 }),
    market: fc.option(fc.integer({ min: 5_000, max: 20_000 }), { nil: undefined }),
    percent: fc.integer({ min: -40, max: 80 }),
  }),
  { minLength: 1, maxLength: 15 },
);

void t.test('what is said of the nights sums to the gain of the plan, and unchanged rates gain nothing', async () => {
  fc.assert(
    fc.property(drawn, (all) => {
      const nights = nightsOf(all.map((night, n) => yieldNight({ ...night, day: YIELD_TODAY + n })));
      const rates = all.map(({ percent }, n) => nights.current[n]! * (1 + percent / 100));
      const sold = (at: readonly number[], n: number): number => nights.sold(n, nights.changeSeen(n, at));
      const now = [...nights.current];
      const gains = attributedGains(
        nights,
        rates,
        all.map((_, n) => n),
      );
      const sum = (of: (n: number) => number): number => all.reduce((before, _, n) => before + of(n), 0);
      const wanted = {
        revenue: sum((n) => rates[n]! * sold(rates, n) - now[n]! * sold(now, n)),
        rooms: sum((n) => sold(rates, n) - sold(now, n)),
        bonus: sum((n) => n * (sold(rates, n) - sold(now, n))),
      };
      for (const figure of ['revenue', 'rooms', 'bonus'] as const)
        if (Math.abs(total(gains, figure) - wanted[figure]) > 1e-6 * (1 + sum((n) => rates[n]!)))
          throw new Error(`${figure}: ${total(gains, figure)} of ${wanted[figure]}`);
      return all.every(
        ({ percent }, n) => percent !== 0 || (gains[n]!.rooms === 0 && Math.abs(gains[n]!.revenue) < 1e-6),
      );
    }),
    { numRuns: 300, seed: 28 },
  );
});

void t.test('a change alone has all of the gain, also that of the nights beside it', async (t) => {
  const nights = nightsOf([0, 1, 2].map((n) => yieldNight({ day: YIELD_TODAY + n, expected: 4 })));
  const gains = attributedGains(nights, [10_000, 9_000, 10_000], [0, 0, 0]);
  t.equal(gains[0]!.rooms, 0);
  t.equal(gains[2]!.revenue, 0);
  const own = nights.sold(1, nights.changeSeen(1, [10_000, 9_000, 10_000])) - nights.sold(1, 0);
  t.ok(gains[1]!.rooms > own * 1.2, `guests of the nights beside it come for it too: ${gains[1]!.rooms} of ${own}`);
});

void t.test('a shared gain is divided by what each change has moved', async (t) => {
  const nights = nightsOf([0, 1].map((n) => yieldNight({ day: YIELD_TODAY + n, expected: 4 })));
  const [small, large] = attributedGains(nights, [9_900, 9_600], [0, 0]);
  t.ok(large!.rooms > 3 * small!.rooms);
  const [one, other] = attributedGains(nights, [9_500, 9_500], [0, 0]);
  t.ok(Math.abs(one!.revenue - other!.revenue) < 1e-6);
});
