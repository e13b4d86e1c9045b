import { dayOf, isWeekend } from '../../src/kernel/rules/dates.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { searchYield } from '../../src/revenue/rules/yield-optimization.ts';
import type { YieldNight, YieldProblem } from '../../src/revenue/rules/yield-problem.ts';

/** One size of a problem: how long 1000 generations take, and the search with its default stop when converged. */
export type OptimizerFigure = {
  days: number;
  roomTypes: number;
  promisedMs: number;
  /** All generations, however early the search had settled. */
  fullMs: number;
  fullGenerations: number;
  /** As a request runs it. */
  ms: number;
  generations: number;
  revenueIncrease: number;
};

const SIZES = [
  { days: 30, roomTypes: 5, promisedMs: 1_000 },
  { days: 365, roomTypes: 10, promisedMs: 10_000 },
];
const GENERATIONS = 1_000;

/** Speed of the optimizer in this process, cold first: nothing is warmed up. */
export function benchOptimizer(): OptimizerFigure[] {
  return SIZES.map(({ days, roomTypes, promisedMs }) => {
    const problem = problemOf(days, roomTypes);
    const full = timed(() => searchYield(problem, { exactGenerations: GENERATIONS }));
    const usual = timed(() => searchYield(problem));
    if (full.answer.status !== 'COMPLETED' || usual.answer.status !== 'COMPLETED')
      throw new Error(`the optimizer answered ${full.answer.status}, ${usual.answer.status}`);
    return {
      days,
      roomTypes,
      promisedMs,
      fullMs: full.ms,
      fullGenerations: full.answer.generations,
      ms: usual.ms,
      generations: usual.answer.generations,
      revenueIncrease: usual.answer.revenueIncrease,
    };
  });
}

function timed<T>(run: () => T): { answer: T; ms: number } {
  const began = performance.now();
  const answer = run();
  return { answer, ms: Math.round(performance.now() - began) };
}

/** A property with weekends, a season, competitors and an effective minimum of occupancy. */
function problemOf(days: number, roomTypes: number): YieldProblem {
  const random = new Random(1);
  const today = dayOf('2027-01-01');
  const nights: YieldNight[] = [];
  for (let type = 0; type < roomTypes; type++)
    for (let day = today + 1; day <= today + days; day++) {
      const season = 1 + 0.5 * Math.sin((2 * Math.PI * (day - today)) / 365);
      const capacity = 20 + 10 * type;
      const booked = random.between(0, Math.floor(capacity / 2));
      const expected = season * (isWeekend(day) ? 1.3 : 0.8) * (capacity - booked) * (0.4 + random.next());
      const current = (80 + 30 * type) * 100;
      const market = Math.round(current * (0.85 + 0.3 * random.next()));
      const low = Math.round(current * 0.6);
      const high = current * 2;
      const deviation = Math.sqrt(expected + 0.04 * expected * expected);
      nights.push({ roomType: `T${type}`, day, capacity, booked, current, low, high, expected, deviation, market });
    }
  const constraints = { minOccupancy: 75, maxRateIncrease: 60 };
  return { objective: 'MAXIMIZE_REVENUE', constraints, strategy: 'DYNAMIC', today, nights, seed: 7 };
}
