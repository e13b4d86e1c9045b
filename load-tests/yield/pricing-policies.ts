import type { Minor } from '../../src/kernel/rules/money.ts';
import { searchYield } from '../../src/revenue/rules/yield-optimization.ts';
import type { YieldNight } from '../../src/revenue/rules/yield-problem.ts';
import { baseRate, forecastRooms, marketRate } from './demand-scenario.ts';
import type { Policy, SimulatedProperty } from './demand-simulator.ts';

/** Compared policies, the reference first. */
export const POLICIES = ['FIXED', 'OCCUPANCY_LADDER', 'BID_PRICE', 'PLAN', 'PLAN_RENEWED'] as const;
export type PolicyName = (typeof POLICIES)[number];

/** Percent of the base rate, from so many percent of booked rooms on. */
const LADDER = [
  { from: 0, percent: 90 },
  { from: 30, percent: 100 },
  { from: 50, percent: 112 },
  { from: 70, percent: 125 },
  { from: 85, percent: 145 },
];

/**
 * Rate of an empty night in percent of the base rate, the addition of a full property's rooms one by one, and the
 * maximum. The best of 60 settings over the scenarios of `npm run yield:simulate`: the optimizer is compared with a
 * tuned bid price.
 */
const BID_PRICE = { empty: 85, full: 120, ceiling: 200 };

/**
 * Bounds of planned rates in percent of the base rate, as rate plans have them (docs/reference/rates.md#rate-plans).
 */
const PLANNED = { low: 60, high: 200 };

const RENEWED_DAYS = 7;

/** A policy for one simulation of a property. */
export function pricingPolicyNamed(name: PolicyName, property: SimulatedProperty): Policy {
  const { scenario } = property;
  const base = (type: number, night: number): Minor => baseRate(scenario, scenario.roomTypes[type]!, night);
  const sold = (type: number, night: number): number =>
    property.booked(type, night) / scenario.roomTypes[type]!.rooms;
  switch (name) {
    case 'FIXED':
      return { rate: base };
    case 'OCCUPANCY_LADDER':
      return {
        rate: (type, night) => {
          const percent = sold(type, night) * 100;
          return percentOfBase(base(type, night), LADDER.findLast(({ from }) => percent >= from)!.percent);
        },
      };
    case 'BID_PRICE':
      return {
        rate: (type, night) => {
          const percent = BID_PRICE.empty + BID_PRICE.full * sold(type, night);
          return percentOfBase(base(type, night), Math.min(BID_PRICE.ceiling, percent));
        },
      };
    case 'PLAN':
      return planned(property, (day) => day === 0);
    case 'PLAN_RENEWED':
      return planned(property, (day) => day % RENEWED_DAYS === 0);
  }
}

/** Follows the optimizer's recommendations for all remaining nights, on the days on which it runs. */
function planned(property: SimulatedProperty, isAsked: (day: number) => boolean): Policy {
  const { roomTypes, nights } = property.scenario;
  const rates = roomTypes.map((type) =>
    Array.from({ length: nights }, (_, n) => baseRate(property.scenario, type, n)),
  );
  return {
    wake(day) {
      if (!isAsked(day)) return;
      const answer = searchYield({
        objective: 'MAXIMIZE_REVENUE',
        constraints: {},
        strategy: 'DYNAMIC',
        today: property.scenario.today + day,
        nights: nightsLeft(property, day, rates),
        seed: 1,
      });
      if (answer.status !== 'COMPLETED') return;
      for (const { roomType, day, optimized } of answer.recommendations) {
        const type = roomTypes.findIndex((one) => one.roomType === roomType);
        rates[type]![day - property.scenario.today] = optimized;
      }
    },
    rate: (type, night) => rates[type]![night]!,
  };
}

/** Optimizer input for the remaining nights: the books and a forecast. */
function nightsLeft(property: SimulatedProperty, from: number, rates: readonly Minor[][]): YieldNight[] {
  const { scenario } = property;
  const staying = property.expectedToStay(from);
  return scenario.roomTypes.flatMap((type, index) =>
    Array.from({ length: scenario.nights - from }, (_, n) => {
      const night = from + n;
      const current = rates[index]![night]!;
      const base = baseRate(scenario, type, night);
      const expected = forecastRooms(scenario, type, from, { night, rate: current });
      return {
        roomType: type.roomType,
        day: scenario.today + night,
        capacity: type.rooms,
        booked: staying[index]![night]!,
        current,
        low: percentOfBase(base, PLANNED.low),
        high: percentOfBase(base, PLANNED.high),
        expected,
        deviation: Math.sqrt(expected + (scenario.surprise * expected) ** 2),
        market: marketRate(scenario, type, night),
      };
    }),
  );
}

function percentOfBase(base: Minor, percent: number): Minor {
  return Math.round((base * percent) / 100);
}
