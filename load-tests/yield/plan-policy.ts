import type { Minor } from '../../src/kernel/rules/money.ts';
import { searchYield } from '../../src/revenue/rules/yield-optimization.ts';
import type { YieldNight } from '../../src/revenue/rules/yield-problem.ts';
import type { DemandBelief } from './demand-belief.ts';
import { marketRate } from './demand-scenario.ts';
import { meanRate, type Policy, type SimulatedProperty } from './demand-simulator.ts';
import { BOUNDS, percentOfBase } from './pricing-policies.ts';

const RENEWED_DAYS = 7;
/** Doubt about a forecast, as a part of it. */
const DOUBT = 0.22;

/** Follows all recommendations of the optimizer, every week, between which rates do not move. */
export function plannedWeekly(property: SimulatedProperty, belief: DemandBelief): Policy {
  const { hotel, today } = property.scenario;
  const types = [...hotel.roomTypes.keys()];
  const rates = types.map((type) => Array.from({ length: belief.nights }, (_, night) => belief.base(type, night)));
  return {
    wake(day) {
      if (day % RENEWED_DAYS !== 0) return;
      const answer = searchYield({
        objective: 'MAXIMIZE_REVENUE',
        constraints: {},
        strategy: 'DYNAMIC',
        today: today + day,
        nights: nightsLeft(property, belief, { day, rates }),
        seed: 1,
      });
      if (answer.status !== 'COMPLETED') return;
      for (const { roomType, day: night, optimized } of answer.recommendations)
        rates[Number(roomType)]![night - today] = optimized;
    },
    quote: (stay) => meanRate(stay, (night) => rates[stay.type]![night]!),
  };
}

type Books = { day: number; rates: readonly (readonly Minor[])[] };

/** Optimizer input for the remaining nights: the books and a forecast. Room types are named by their index. */
function nightsLeft(property: SimulatedProperty, belief: DemandBelief, { day, rates }: Books): YieldNight[] {
  const { scenario } = property;
  const booked = rates.map((of) => new Float64Array(of.length));
  for (const { guest } of property.bookings) {
    const staying = guest.rooms * belief.stillStaying(guest, day);
    for (let night = Math.max(0, guest.arrival); night < guest.arrival + guest.nights; night++)
      booked[guest.type]![night]! += staying;
  }
  return rates.flatMap((of, type) =>
    of.slice(Math.max(0, day)).map((current, at) => {
      const night = Math.max(0, day) + at;
      const base = belief.base(type, night);
      const elasticity = belief.elasticity(night, Math.floor((night - day) / 2));
      const expected =
        belief.remaining(type, night, day) * belief.response(type, night, { rate: current, elasticity });
      return {
        roomType: String(type),
        day: scenario.today + night,
        capacity: property.rooms(type),
        booked: booked[type]![night]!,
        current,
        low: percentOfBase(base, BOUNDS.low),
        high: percentOfBase(base, BOUNDS.high),
        expected,
        deviation: Math.sqrt(expected + (DOUBT * expected) ** 2),
        market: marketRate(belief.scenario, type, night),
      };
    }),
  );
}
