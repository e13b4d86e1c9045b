import { dayOf } from '../kernel/rules/dates.ts';
import type { YieldNight, YieldProblem } from '../revenue/rules/yield-problem.ts';

/** The business date of yield problems in tests, a Monday. */
export const YIELD_TODAY = dayOf('2027-03-01');

/** A night ten days ahead: 20 rooms, half of them booked, 8 more expected at 100.00, bounds 60.00 to 200.00. */
export function yieldNight(over: Partial<YieldNight> = {}): YieldNight {
  const current = over.current ?? 10_000;
  const expected = over.expected ?? 8;
  return {
    roomType: 'STD',
    day: YIELD_TODAY + 10,
    capacity: 20,
    booked: 10,
    current,
    low: Math.round(current * 0.6),
    high: current * 2,
    expected,
    deviation: Math.sqrt(expected + 0.04 * expected * expected),
    ...over,
  };
}

export function testYieldProblem(nights: readonly YieldNight[], over: Partial<YieldProblem> = {}): YieldProblem {
  return {
    objective: 'MAXIMIZE_REVENUE',
    constraints: {},
    strategy: 'DYNAMIC',
    today: YIELD_TODAY,
    nights,
    seed: 1,
    ...over,
  };
}
