import t from 'tap';

import { BestRates } from '../../src/revenue/rules/live-rates/best-rate.ts';
import { DemandBelief } from './demand-belief.ts';
import { type SimulatedGuest, SimulatedProperty } from './demand-simulator.ts';
import { fareClasses, protectedRooms } from './fare-classes.ts';
import { innkeeper, RESOLVED } from './innkeeper-policy.ts';
import { networkValues } from './network-values.ts';
import { plannedWeekly } from './plan-policy.ts';
import { fixedRate, occupancyLadder, plainBidPrice } from './pricing-policies.ts';
import { byLiveRates, byProgram } from './product-rates.ts';
import { scenario } from './small-scenario.ts';

const small = scenario();
const belief = new DemandBelief(small, () => 1);
const SEARCH: SimulatedGuest = { type: 0, arrival: 0, nights: 1, rooms: 1, day: -1, pays: 1e6 };

/** A property with so many rooms of night 0 booked. */
function propertyWith(rooms: number): SimulatedProperty {
  const property = new SimulatedProperty(small);
  for (let n = 0; n < rooms; n++) property.book(SEARCH, 10_000);
  return property;
}

void t.test('the ladder and the bid price follow what is booked, the fixed price does not', async (t) => {
  const rates = (policy: typeof fixedRate): number[] =>
    [0, 3, 5, 8, 9, 10].map((rooms) => policy(propertyWith(rooms), belief).quote(SEARCH));
  t.same(rates(fixedRate), [10_000, 10_000, 10_000, 10_000, 10_000, 10_000]);
  t.same(rates(occupancyLadder), [9_000, 10_000, 11_200, 12_500, 14_500, 14_500]);
  t.same(rates(plainBidPrice), [7_500, 11_100, 13_500, 17_100, 18_300, 19_500]);
});

void t.test('fare classes protect rooms for dearer guests, the more the surer those come', async (t) => {
  const limits = (dear: number): number[] =>
    protectedRooms([
      { fare: 200, mean: dear },
      { fare: 100, mean: 10 },
    ]);
  t.equal(limits(5)[0], 0);
  // Half of the fare: the median of dearer demand.
  t.ok(Math.abs(limits(5)[1]! - 5) < 0.01);
  t.equal(limits(0)[1], 0);
  const policy = (rooms: number): number => {
    const property = propertyWith(rooms);
    const of = fareClasses(property, belief);
    of.wake!(-1);
    return of.quote(SEARCH);
  };
  t.ok(policy(9) > policy(0), `${policy(9)} ${policy(0)}`);
});

void t.test('the program values a night at what sells as many rooms as are left', async (t) => {
  const best = new BestRates(1.1, 0);
  const periods = [{ best, stays: [{ rooms: 20, nights: 1, others: 0 }] }];
  const value = (left: number): number =>
    networkValues({ rooms: 12, left, usual: 10_000, dispersion: 1, periods })[5]!;
  t.equal(value(40), 0);
  t.ok(Math.abs(20 * best.guests(value(5) / 10_000) - 5) < 0.01);
  t.ok(value(2) > value(5));
});

void t.test('rates of the product and of the program follow the books, within bounds', async (t) => {
  for (const parts of [{}, RESOLVED]) {
    const rates = [0, 14].map((rooms) => {
      const policy = innkeeper(propertyWith(rooms), belief, parts);
      policy.wake!(-1);
      return policy.quote(SEARCH);
    });
    t.ok(rates[1]! > rates[0]!, rates.join(' '));
    t.ok(rates.every((rate) => rate >= 6_000 && rate <= 20_000));
  }
});

void t.test(
  'a booking moves the next rate of the product, not that of the program before it is solved',
  async (t) => {
    for (const [parts, moves] of [
      [{}, true],
      [RESOLVED, false],
    ] as const) {
      const policy = innkeeper(propertyWith(6), belief, parts);
      policy.wake!(-1);
      const before = policy.quote(SEARCH);
      policy.observe!(SEARCH, before, true);
      t.equal(policy.quote(SEARCH) > before, moves);
    }
  },
);

void t.test('the product learns from what guests refuse', async (t) => {
  const after = (takes: (rate: number) => boolean): number => {
    const policy = innkeeper(propertyWith(2), belief);
    policy.wake!(-2);
    // Long before, so that no rooms are taken from the night that is quoted.
    for (let n = 0; n < 400; n++) {
      const rate = 8_000 + 20 * n;
      policy.observe!({ ...SEARCH, arrival: 8, day: -2 }, rate, takes(rate) && n % 40 === 0);
    }
    policy.wake!(-1);
    return policy.quote({ ...SEARCH, arrival: 4 });
  };
  t.ok(after(() => true) > after((rate) => rate < 10_000));
});

void t.test('plans as the product prices them move with each booking, live rates within a day', async (t) => {
  const stay = { ...SEARCH, arrival: 9 };
  for (const [of, least, most] of [
    [byProgram, 6_000, 20_000],
    [byLiveRates, 8_500, 12_500],
  ] as const) {
    const property = new SimulatedProperty(small);
    const policy = of(property, belief);
    policy.wake!(-1);
    const rates = [0, 4, 7, 9].map((rooms) => {
      while (property.booked(0, 9) < rooms) property.book(stay, 10_000);
      return policy.quote(stay);
    });
    t.same(
      rates,
      rates.toSorted((one, other) => one - other),
    );
    t.ok(rates[0]! >= least && rates[3]! > rates[0]! && rates[3]! <= most, rates.join(' '));
    for (let day = 0; day < 3; day++) policy.wake!(day);
    t.ok(policy.quote(stay) > rates[3]!, 'further each day');
  }
});

void t.test('the plan is renewed every week', async (t) => {
  const busy = scenario({ pressure: 2 });
  const policy = plannedWeekly(new SimulatedProperty(busy), new DemandBelief(busy, () => 1));
  const seen = new Set<string>();
  for (let day = -7; day < 5; day++) {
    policy.wake!(day);
    seen.add([6, 8, 10].map((arrival) => policy.quote({ ...SEARCH, arrival, day })).join(' '));
  }
  t.equal(seen.size, 2);
});
