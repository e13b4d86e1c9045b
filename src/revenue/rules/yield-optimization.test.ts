import fc from 'fast-check';
import t from 'tap';

import { expectedSold } from '../../rates/rules/demand-model.ts';
import { STRATEGIES } from '../../rates/rules/rate-plan.ts';
import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { attributedGains } from './yield-attribution.ts';
import { genesOf } from './yield-choices.ts';
import { roomBonus } from './yield-landscape.ts';
import { YieldNights } from './yield-nights.ts';
import { searchYield } from './yield-optimization.ts';
import { OBJECTIVES, type YieldAnswer, type YieldNight, type YieldPlan, type YieldProblem } from './yield-problem.ts';

function planned(answer: YieldAnswer): YieldPlan {
  if (answer.status !== 'COMPLETED') throw new Error(JSON.stringify(answer));
  return answer;
}

/** Evaluates any rates of a problem independently of the search and its tables. */
class Judge {
  readonly genes;
  readonly #nights;
  readonly #bonus;

  constructor(problem: YieldProblem) {
    this.genes = genesOf(problem);
    this.#nights = new YieldNights(this.genes, problem);
    this.#bonus = this.#nights.nights.map((night) => roomBonus(problem, night));
  }

  at(rates: readonly number[]): { sold: number; value: number; revenue: number; sales: number[] } {
    const sales = rates.map((_, night) => this.#nights.sold(night, this.#nights.changeSeen(night, rates)));
    const sum = (of: (night: number) => number): number => sales.reduce((all, _, night) => all + of(night), 0);
    return {
      sold: sum((night) => sales[night]!),
      value: sum((night) => sales[night]! * (rates[night]! + this.#bonus[night]!)),
      revenue: sum((night) => sales[night]! * rates[night]!),
      sales,
    };
  }

  /** Under the rates that an answer recommends. */
  of({ recommendations }: YieldPlan): ReturnType<Judge['at']> {
    const rates = new Map(recommendations.map(({ roomType, day, optimized }) => [`${roomType} ${day}`, optimized]));
    return this.at(this.#nights.nights.map((one) => rates.get(`${one.roomType} ${one.day}`) ?? one.current));
  }

  /** Best value of all plans, by exhaustive search over nights with rates of their own. */
  best(isAllowed: (rates: readonly number[]) => boolean = () => true): number {
    let best = -Infinity;
    const choices = this.genes.map(() => 0);
    for (;;) {
      const rates = choices.map((choice, gene) => this.genes[gene]!.choices[0]![choice]!);
      const { value } = this.at(rates);
      if (value > best && isAllowed(rates)) best = value;
      const gene = choices.findIndex((choice, gene) => choice < this.genes[gene]!.choices[0]!.length - 1);
      if (gene < 0) return best;
      choices.fill(0, 0, gene);
      choices[gene]! += 1;
    }
  }
}

/** Limits under which only what a plan brings decides. */
const FREE = { minGainPercent: 0, maxRateDecrease: 40, maxRateIncrease: 60 };

/** Three nights of one room type with different demand, some thousand plans in all. */
function small(over: { expected: number[]; minOccupancy?: number; market?: number; ahead?: number }): YieldProblem {
  const { ahead = 10, market, minOccupancy } = over;
  const nights = over.expected.map((expected, n) =>
    yieldNight({ day: YIELD_TODAY + ahead + n, expected, market, current: 2_000, low: 1_400, high: 2_600 }),
  );
  return testYieldProblem(nights, { constraints: { ...FREE, minOccupancy } });
}

void t.test('the plan comes within 1 % of the best of all plans in which no change loses', async (t) => {
  for (const [expected, market] of [[[3, 9, 25]], [[8, 8, 8], 2_500], [[30, 1, 14], 1_600], [[0.5, 40]]] as const) {
    const problem = small({ expected: [...expected], market });
    const judge = new Judge(problem);
    const [reached, best] = [judge.of(planned(searchYield(problem))).value, judge.best(losesNothing(problem))];
    t.ok(reached >= 0.99 * best, `${expected}: ${reached} of ${best}`);
    t.ok(reached <= judge.best() + 1e-6);
  }
});

/** Whether each change of a plan brings at least as much as it costs. */
function losesNothing(problem: YieldProblem): (rates: readonly number[]) => boolean {
  const nights = new YieldNights(genesOf(problem), problem);
  const none = nights.nights.map(() => 0);
  return (rates) => attributedGains(nights, rates, none).every(({ revenue }) => revenue >= 0);
}

void t.test('with a minimum of occupancy too, which the best plan alone would miss', async (t) => {
  const expected = [3, 5, 14];
  const free = planned(searchYield(small({ expected, ahead: 100, market: 1_900 })));
  let met = 0;
  for (const more of [0.5, 1, 2, 3]) {
    const minOccupancy = free.projectedOccupancy + more;
    const problem = small({ expected, minOccupancy, ahead: 100, market: 1_900 });
    const judge = new Judge(problem);
    const needed = (minOccupancy * 60) / 100 - 30;
    const plan = planned(searchYield(problem));
    const allowed = losesNothing(problem);
    const best = judge.best((rates) => judge.at(rates).sold >= needed && allowed(rates));
    if (plan.unmet!.length > 0) continue;
    met += 1;
    const { sold, value } = judge.of(plan);
    t.ok(sold >= needed - 1e-6);
    t.ok(value >= 0.98 * best, `${value} of ${best} at ${minOccupancy} %`);
    t.ok(plan.projectedRevenue < free.projectedRevenue && plan.revenueIncrease >= 0);
  }
  t.ok(met >= 2, `${met} of 4 are reached`);
});

void t.test('each night gets its own best rate when no stays are shared', async (t) => {
  // Every third day only: nights are independent, so the optimum is known for each.
  const nights = Array.from({ length: 30 }, (_, n) =>
    yieldNight({ day: YIELD_TODAY + 3 * n, expected: 1 + ((n * 7) % 23), market: 8_000 + ((n * 613) % 5_000) }),
  );
  const over = { constraints: { minGainPercent: 0 } };
  const problem = testYieldProblem(nights, over);
  const reached = new Judge(problem).of(planned(searchYield(problem))).value;
  const best = nights.reduce((sum, night) => sum + new Judge(testYieldProblem([night], over)).best(), 0);
  t.ok(reached >= 0.999 * best, `${reached} of ${best}`);
});

const night = fc.record({
  roomType: fc.constantFrom('A', 'B'),
  ahead: fc.integer({ min: 0, max: 12 }),
  capacity: fc.integer({ min: 0, max: 40 }),
  bookedPercent: fc.integer({ min: 0, max: 105 }),
  current: fc.integer({ min: 100, max: 60_000 }),
  lowPercent: fc.integer({ min: 40, max: 110 }),
  highPercent: fc.integer({ min: 90, max: 220 }),
  tenthsExpected: fc.integer({ min: 0, max: 600 }),
  deviation: fc.double({ min: 0, max: 30, noNaN: true }),
  marketPercent: fc.option(fc.integer({ min: 30, max: 300 }), { nil: undefined }),
});

const problems = fc
  .record({
    objective: fc.constantFrom(...OBJECTIVES),
    strategy: fc.constantFrom(...STRATEGIES),
    minOccupancy: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    maxRateIncrease: fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { nil: undefined }),
    maxRateDecrease: fc.option(fc.double({ min: 0, max: 60, noNaN: true }), { nil: undefined }),
    minGainPercent: fc.constantFrom(undefined, 0, 0.2, 3),
    costPerOccupiedRoom: fc.constantFrom(undefined, 0, 1_500),
    sameByWeekday: fc.option(fc.boolean(), { nil: undefined }),
    pricePoints: fc.constantFrom(undefined, [500, 4_900, 9_900, 12_900, 19_900, 29_900, 39_900]),
    nights: fc.uniqueArray(night, {
      minLength: 1,
      maxLength: 14,
      selector: ({ roomType, ahead }) => `${roomType} ${ahead}`,
    }),
    seed: fc.nat(),
  })
  .map(({ nights, objective, strategy, seed, ...constraints }): YieldProblem => {
    const all = nights.map(({ roomType, ahead, capacity, current, deviation, ...drawn }): YieldNight => {
      const part = (percent: number): number => Math.round((current * percent) / 100);
      const [low, high] = [part(drawn.lowPercent), part(drawn.highPercent)];
      const market = drawn.marketPercent === undefined ? undefined : part(drawn.marketPercent);
      const booked = Math.round((capacity * drawn.bookedPercent) / 100);
      const expected = drawn.tenthsExpected / 10;
      return {
        roomType,
        day: YIELD_TODAY + ahead,
        capacity,
        booked,
        current,
        low,
        high,
        expected,
        deviation,
        market,
      };
    });
    return testYieldProblem(all, { objective, strategy, constraints, seed });
  });

void t.test('constraints and bounds hold exactly, whatever the problem', async (t) => {
  const seen = { COMPLETED: 0, INSUFFICIENT_DATA: 0 };
  let [changed, fuller, unreachable, losing] = [0, 0, 0, 0];
  fc.assert(
    fc.property(problems, (problem) => {
      const answer = searchYield(problem);
      seen[answer.status] += 1;
      if (answer.status !== 'COMPLETED') return;
      const { maxRateIncrease = 25, maxRateDecrease = 15, minOccupancy = 0, pricePoints } = problem.constraints;
      const rates = new Map(answer.recommendations.map((one) => [`${one.roomType} ${one.day}`, one.optimized]));
      for (const { roomType, day, current, low, high } of problem.nights) {
        const rate = rates.get(`${roomType} ${day}`);
        if (rate === undefined) continue;
        changed += 1;
        if (!Number.isInteger(rate) || rate === current) throw new Error(`${rate} is no new rate`);
        if (rate < low || rate > high) throw new Error(`${rate} is outside of ${low} to ${high}`);
        if (rate > current * (1 + maxRateIncrease / 100) + 1e-9) throw new Error(`${rate} rises too far`);
        if (rate < current * (1 - maxRateDecrease / 100) - 1e-9) throw new Error(`${rate} falls too far`);
        if (pricePoints && !pricePoints.includes(rate)) throw new Error(`${rate} is no price point`);
      }
      for (const { confidence, expectedImpact } of answer.recommendations) {
        if (confidence < 0 || confidence > 1) throw new Error(`confidence ${confidence}`);
        if (!/^[A-Z0-9].*\d\.$/.test(expectedImpact)) throw new Error(expectedImpact);
      }
      losing += holdsByItsFigures(problem, answer);
      const judge = new Judge(problem);
      const { capacity, booked } = total(problem);
      const occupancy = ((booked + judge.of(answer).sold) / capacity) * 100;
      const [unmet] = answer.unmet ?? [];
      if (unmet) {
        unreachable += 1;
        if (unmet.asked !== minOccupancy || unmet.reachable >= minOccupancy) throw new Error(JSON.stringify(unmet));
      } else if (occupancy < minOccupancy - 1e-6) throw new Error(`${occupancy} % of ${minOccupancy} %`);
      if (Math.abs(occupancy - answer.projectedOccupancy) > 0.006) throw new Error('told wrongly');
      if (minOccupancy > 0 && answer.recommendations.length > 0) fuller += 1;
    }),
    { numRuns: 1_200, seed: 20_270_301 },
  );
  t.ok(seen.COMPLETED > 100 && unreachable > 10 && seen.INSUFFICIENT_DATA > 0, JSON.stringify(seen));
  t.ok(changed > 300 && fuller > 30, `${changed} rates changed, ${fuller} plans under a minimum`);
  t.ok(losing > 10, `${losing} changes cost revenue for occupancy`);
});

/** @returns changes that lose revenue, which only a plan for occupancy has */
function holdsByItsFigures(problem: YieldProblem, plan: YieldPlan): number {
  const { objective, constraints } = problem;
  const gains = plan.recommendations.map(({ revenueBefore, revenueAfter }) => revenueAfter! - revenueBefore!);
  const gain = gains.reduce((sum, one) => sum + one, 0);
  if (gain !== plan.projectedRevenue - plan.currentRevenue) throw new Error(`${gain} in all is not the plan's gain`);
  const losing = gains.filter((one) => one < 0).length;
  const isForOccupancy = objective === 'MAXIMIZE_OCCUPANCY';
  if (!isForOccupancy && (losing > 0 || plan.revenueIncrease < 0)) throw new Error(`${losing} changes lose`);
  if (isForOccupancy && plan.occupancyImpact > 0 && plan.costPerOccupancyPoint! < 0) throw new Error('costs below 0');
  if (!isForOccupancy && plan.costPerOccupancyPoint !== undefined) throw new Error('costs of another objective');
  // Where no occupancy was requested, small changes are left alone.
  if (constraints.minOccupancy === undefined && (objective === 'MAXIMIZE_REVENUE' || objective === 'MAXIMIZE_REVPAR'))
    for (const [index, { revenueBefore, roomType, day }] of plan.recommendations.entries()) {
      const { booked, current } = problem.nights.find((one) => one.roomType === roomType && one.day === day)!;
      const least = ((constraints.minGainPercent ?? 1) / 100) * (booked * current + revenueBefore!);
      if (gains[index]! < least - 2) throw new Error(`${gains[index]} is less than ${least}`);
    }
  return losing;
}

function total({ nights }: YieldProblem): { capacity: number; booked: number } {
  const sum = (of: (night: YieldNight) => number): number => nights.reduce((all, night) => all + of(night), 0);
  return { capacity: sum(({ capacity }) => capacity), booked: sum(({ booked }) => booked) };
}

void t.test('a plan is never worse for its objective than rates that keep the constraints already', async () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const nights = problem.nights.map((night) => ({
        ...night,
        low: Math.min(night.low, night.current),
        high: Math.max(night.high, night.current),
      }));
      const allowed = { ...problem, constraints: { ...problem.constraints, minOccupancy: undefined }, nights };
      const answer = searchYield(allowed);
      if (answer.status !== 'COMPLETED') return true;
      return problem.objective === 'MAXIMIZE_OCCUPANCY'
        ? answer.occupancyImpact >= 0
        : answer.projectedRevenue >= answer.currentRevenue && answer.revenueIncrease >= 0;
    }),
    { numRuns: 300, seed: 7 },
  );
});

void t.test('a minimum is met by large plans too, though the tables of the search are not exact', async (t) => {
  const nights = Array.from({ length: 90 }, (_, n) =>
    yieldNight({
      day: YIELD_TODAY + 100 + n,
      expected: 4 + ((n * 5) % 7),
      booked: 5,
      current: 9_000 + 100 * (n % 7),
      market: 8_200,
    }),
  );
  const at = (minOccupancy: number): YieldProblem =>
    testYieldProblem(nights, { constraints: { minOccupancy, minGainPercent: 0 } });
  const free = planned(searchYield(at(0))).projectedOccupancy;
  const { reachable } = planned(searchYield(at(100))).unmet![0]!;
  t.ok(reachable > free + 1, `${reachable} % can be reached, without a minimum it is ${free} %`);
  for (let part = 0; part <= 1; part += 0.1) {
    const minOccupancy = free + part * (reachable - free);
    const problem = at(minOccupancy);
    const answer = planned(searchYield(problem));
    const { capacity, booked } = total(problem);
    const occupancy = ((booked + new Judge(problem).of(answer).sold) / capacity) * 100;
    t.same(answer.unmet, []);
    t.ok(occupancy >= minOccupancy - 1e-9, `${occupancy} % of ${minOccupancy} %`);
    t.ok(occupancy < minOccupancy + 0.3, `${occupancy} % given away for ${minOccupancy} %`);
    t.ok(answer.revenueIncrease >= 0);
  }
});

void t.test(
  'an occupancy that no rates reach is named with what could be reached, and nothing is given away for it',
  async (t) => {
    const nights = [
      yieldNight({ booked: 2, expected: 3, day: YIELD_TODAY + 120, market: 9_000 }),
      yieldNight({ booked: 2, expected: 3, day: YIELD_TODAY + 121, market: 9_000 }),
    ];
    const wanted = (minOccupancy: number): YieldAnswer =>
      searchYield(testYieldProblem(nights, { constraints: { minOccupancy } }));
    const far = planned(wanted(80));
    t.match(far.unmet, [{ constraint: 'minOccupancy', asked: 80 }]);
    const { reachable } = far.unmet![0]!;
    t.ok(reachable > 25 && reachable < 40);
    const free = planned(searchYield(testYieldProblem(nights)));
    t.same({ ...far, unmet: [], constraints: free.constraints }, free, 'the best plan without it');
    const plan = planned(wanted(reachable));
    t.same(plan.unmet, []);
    t.ok(plan.projectedOccupancy >= reachable);
    t.match(planned(wanted(reachable + 0.02)).unmet, [{ reachable }]);
  },
);

void t.test('a percentage of hardly any demand is no gain', async (t) => {
  const nightsOf = (expected: number) =>
    Array.from({ length: 7 }, (_, n) => yieldNight({ day: YIELD_TODAY + 2 + n, capacity: 1, booked: 0, expected }));
  for (const objective of OBJECTIVES) {
    const constraints = { costPerOccupiedRoom: 2_000 };
    const plan = searchYield(testYieldProblem(nightsOf(0.004), { objective, constraints })) as YieldPlan;
    t.same(plan.recommendations, [], objective);
  }
  const busy = searchYield(testYieldProblem(nightsOf(3))) as YieldPlan;
  t.equal(busy.recommendations.length, 7, 'one room that three want is worth more');
});

void t.test('a sold-out period has a plan, which changes nothing', async (t) => {
  const full = [0, 1].map((n) => yieldNight({ day: YIELD_TODAY + 10 + n, booked: 20, expected: 0 }));
  for (const objective of OBJECTIVES) {
    const plan = searchYield(testYieldProblem(full, { objective, constraints: { minOccupancy: 90 } }));
    t.match(plan, { status: 'COMPLETED', currentRevenue: 400_000, projectedRevenue: 400_000, recommendations: [] });
  }
});

void t.test('a closed property, no nights and no demand are reported as missing data', async (t) => {
  const missing = (nights: YieldNight[]): YieldAnswer => searchYield(testYieldProblem(nights));
  t.same(missing([]), { status: 'INSUFFICIENT_DATA', missing: 'NIGHTS' });
  t.same(missing([yieldNight({ current: 0 })]), { status: 'INSUFFICIENT_DATA', missing: 'NIGHTS' });
  t.same(missing([yieldNight({ capacity: 0, booked: 0 })]), { status: 'INSUFFICIENT_DATA', missing: 'CAPACITY' });
  t.same(missing([yieldNight({ expected: 0 })]), { status: 'INSUFFICIENT_DATA', missing: 'DEMAND' });
});

void t.test('a sold-out property gets no recommendations, and its figures do not move', async (t) => {
  const plan = planned(searchYield(testYieldProblem([yieldNight({ booked: 20 })])));
  t.match(plan, { recommendations: [], revenueIncrease: 0, averageRateChange: 0, occupancyImpact: 0 });
  t.equal(plan.projectedRevenue, 200_000);
});

void t.test('what the nights bring sums to what the plan brings', async (t) => {
  const nights = [5, 25, 40].map((expected, ahead) => yieldNight({ day: YIELD_TODAY + 20 + ahead, expected }));
  const { recommendations, projectedRevenue, currentRevenue } = planned(searchYield(testYieldProblem(nights)));
  const gain = recommendations.reduce((sum, one) => sum + one.revenueAfter! - one.revenueBefore!, 0);
  t.ok(recommendations.length > 0);
  t.ok(Math.abs(gain - (projectedRevenue - currentRevenue)) <= 2 * nights.length, 'to the cent of each');
});

void t.test('more demand than rooms raises rates, rooms that stay empty lower them, and says so', async (t) => {
  const raise = planned(searchYield(testYieldProblem([yieldNight({ expected: 25 })]))).recommendations[0]!;
  t.ok(raise.optimized > raise.current);
  t.match(
    raise.expectedImpact,
    /^10 rooms are left and 25\.0 are expected to be wanted.*: at \d+\.\d\d instead of 100/,
  );
  const far = yieldNight({ day: YIELD_TODAY + 120, booked: 0, expected: 4, market: 7_500 });
  const cut = planned(searchYield(testYieldProblem([far]))).recommendations[0]!;
  t.ok(cut.optimized < cut.current);
  t.match(cut.expectedImpact, /ompetitors ask 75\.00.*: at \d+\.\d\d instead of 100\.00, \d\.\d more rooms/);
  t.ok(raise.confidence > cut.confidence, 'a full house is surer than what guests make of a lower rate');
});

void t.test('figures compare with the current rates, and count booked rooms at their booked revenue', async (t) => {
  const nights = [yieldNight({ expected: 25, bookedRevenue: 70_000 })];
  const plan = planned(searchYield(testYieldProblem(nights)));
  const { optimized } = plan.recommendations[0]!;
  t.equal(plan.averageRateChange, Math.round((optimized / 10_000 - 1) * 10_000) / 100);
  t.equal(plan.currentRevenue, Math.round(70_000 + 10_000 * expectedSold(25, 0.04, 10)));
  t.equal(plan.revenueIncrease, Math.round((plan.projectedRevenue / plan.currentRevenue - 1) * 10_000) / 100);
  t.ok(plan.occupancyImpact <= 0);
});

void t.test(
  'occupancy as the objective fills the property further than revenue does, and RevPAR is revenue',
  async (t) => {
    const nights = Array.from({ length: 10 }, (_, n) => yieldNight({ day: YIELD_TODAY + n, expected: 2 + n }));
    const [revenue, occupancy, revpar] = (['MAXIMIZE_REVENUE', 'MAXIMIZE_OCCUPANCY', 'MAXIMIZE_REVPAR'] as const).map(
      (objective) => planned(searchYield(testYieldProblem(nights, { objective }))),
    );
    t.ok(occupancy!.projectedOccupancy > revenue!.projectedOccupancy + 5);
    t.same(revpar, revenue);
    const lowest = new Judge(testYieldProblem(nights)).at(nights.map(() => 8_500)).sold;
    t.ok(occupancy!.projectedOccupancy * 2 >= (0.99 * (100 + lowest)) / 1, 'within 1 % of the fullest');
  },
);

void t.test('guests pay for a stay: a dear night costs the nights beside it', async (t) => {
  const nights = Array.from({ length: 3 }, (_, n) => yieldNight({ day: YIELD_TODAY + 10 + n, expected: 8 }));
  const judge = new Judge(testYieldProblem(nights));
  const [same, dear] = [judge.at([10_000, 10_000, 10_000]), judge.at([10_000, 12_500, 10_000])];
  t.ok(dear.sales[0]! < same.sales[0]!);
});

void t.test('the same problem gives the same answer, in whatever order its nights come', async (t) => {
  const nights = Array.from({ length: 20 }, (_, n) =>
    yieldNight({ day: YIELD_TODAY + n, expected: 1 + ((n * 5) % 17), roomType: n % 2 ? 'A' : 'B' }),
  );
  const answer = searchYield(testYieldProblem(nights, { constraints: { minOccupancy: 80 } }));
  t.same(searchYield(testYieldProblem(nights.toReversed(), { constraints: { minOccupancy: 80 } })), answer);
});

void t.test(
  'a recommendation that was followed is not followed by the next one, where competitors are known',
  async (t) => {
    const nights = Array.from({ length: 7 }, (_, n) =>
      yieldNight({ day: YIELD_TODAY + 10 + n, expected: 5, market: 12_000, low: 5_000, high: 20_000 }),
    );
    const first = planned(searchYield(testYieldProblem(nights)));
    const followed = new Map(first.recommendations.map(({ day, optimized }) => [day, optimized]));
    const { sales } = new Judge(testYieldProblem(nights)).of(first);
    const then = nights.map((night, index) => {
      const rate = followed.get(night.day) ?? night.current;
      // Demand that the model itself expects at the new rate.
      return { ...night, current: rate, expected: sales[index]!, deviation: Math.sqrt(sales[index]!) };
    });
    const second = planned(searchYield(testYieldProblem(then)));
    t.ok(Math.abs(first.averageRateChange) > 2);
    t.ok(Math.abs(second.averageRateChange) < Math.abs(first.averageRateChange) / 2);
  },
);
