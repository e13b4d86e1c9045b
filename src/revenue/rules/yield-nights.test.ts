import t from 'tap';

import { normalDensity } from '../../kernel/rules/portable-math.ts';
import {
  ASSUMED_DEMAND,
  DEMAND,
  demandLeft,
  type LearnedDemand,
  type LeadTable,
  remainingElasticity,
} from '../../rates/rules/demand-model.ts';
import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { genesOf } from './yield-choices.ts';
import { confidenceIn } from './yield-explanation.ts';
import { YieldNights } from './yield-nights.ts';
import { searchYield } from './yield-optimization.ts';

const times = (table: LeadTable, factor: number): LeadTable =>
  table.map(({ fromDays, weekday, weekend }) => ({ fromDays, weekday: weekday * factor, weekend: weekend * factor }));

/** Guests who mind prices so many times as much as assumed. */
const minding = (factor: number): LearnedDemand => ({
  ...ASSUMED_DEMAND,
  elasticity: times(ASSUMED_DEMAND.elasticity, factor),
});

const days = Array.from({ length: 14 }, (_, n) => yieldNight({ day: YIELD_TODAY + 10 + n, expected: 6 }));

function nightsOf(demand?: LearnedDemand): YieldNights {
  const problem = testYieldProblem(days, demand && { demand });
  return new YieldNights(genesOf(problem), problem);
}

void t.test('nights of a property that has learned nothing are those of the assumptions', async (t) => {
  t.same(nightsOf(ASSUMED_DEMAND).elasticity, nightsOf().elasticity);
  t.same(nightsOf(ASSUMED_DEMAND).weights, nightsOf().weights);
});

void t.test('the same rise costs more guests where they are known to mind it', async (t) => {
  const left = [0.5, 1, 2].map((factor) => nightsOf(minding(factor)).sold(3, 0.2));
  t.ok(left[0]! > left[1]! && left[1]! > left[2]!, left.join(' '));
});

void t.test('a plan asks for more of guests who mind the rate less', async (t) => {
  const mean = (demand: LearnedDemand): number => {
    const answer = searchYield(testYieldProblem(days, { demand }));
    return answer.status === 'COMPLETED' ? answer.averageRateChange : Number.NaN;
  };
  t.ok(mean(minding(0.4)) > mean(minding(1.6)), `${mean(minding(0.4))} ${mean(minding(1.6))}`);
});

void t.test('where all stay one night, no night depends on another', async (t) => {
  const { weights } = nightsOf({ ...ASSUMED_DEMAND, lengthOfStay: [1, 0, 0, 0, 0, 0, 0] });
  t.same(
    [...new Set(weights)].sort((one, other) => one - other),
    [0, 1],
  );
});

void t.test('a change is as sure as the part of the guests under whom it pays', async (t) => {
  // Many rooms stay empty, so a rise pays where a quarter more of the rate loses less than a fifth of the guests.
  const night = yieldNight({ expected: 4, booked: 0, capacity: 40 });
  const sureAt = (factor: number): number =>
    confidenceIn({ night, rate: 12_500, bonus: 0, worthOfRoom: 0 }, { today: YIELD_TODAY, demand: minding(factor) });
  const sure = [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.8].map(sureAt);
  for (const [index, one] of sure.slice(1).entries()) t.ok(one < sure[index]!, sure.join(' '));
  const elasticity = remainingElasticity(night.day, YIELD_TODAY);
  // By the normal distribution of the elasticity itself, point by point.
  const paid = (factor: number): number => {
    let chance = 0;
    for (let z = -4; z < 4; z += 0.01) {
      const left = demandLeft(
        elasticity * factor * Math.max(0.05, 1 + DEMAND.elasticityDoubt.withoutMarket * z),
        0.25,
      );
      if (left * 1.25 > 1) chance += normalDensity(z) * 0.01;
    }
    return chance;
  };
  for (const factor of [0.8, 1, 1.2])
    t.ok(Math.abs(sureAt(factor) - paid(factor)) < 0.03, `${sureAt(factor)} ${paid(factor)}`);
});

void t.test('a change is surer where the elasticity is known better', async (t) => {
  // Rooms stay empty, and guests mind the rate more than a cut costs.
  const night = yieldNight({ expected: 3, booked: 0 });
  const step = { night, rate: 9_500, bonus: 0, worthOfRoom: 0 };
  const sure = [0.02, 2].map((factor) => {
    const demand = { ...minding(1.6), doubt: times(ASSUMED_DEMAND.doubt, factor) };
    return confidenceIn(step, { today: YIELD_TODAY, demand });
  });
  t.ok(sure[0]! > sure[1]!, sure.join(' '));
});
