import fc from 'fast-check';
import t from 'tap';

import { plan, property } from '../../testing/property-world.ts';
import { bookedNight, chargesOf } from './night-charges.ts';
import { adultsOnly } from './occupancy.ts';
import * as pricing from './pricing.ts';
import { type RatePlan, STRATEGIES } from './rate-plan.ts';
import { partyOfPersons } from './stay.ts';

type Stored = { base: number; multiplier: number; amount: number };

/** A night of a property without sales, for two persons who arrive in a month. */
const USUAL = { party: adultsOnly(2), nights: 1, ahead: 30 };
const cell = (stored: Stored, more: Partial<pricing.PricedCell> = {}): pricing.PricedCell => ({
  day: 20_000,
  sold: 0,
  ...stored,
  ...more,
});
const priceSteps = (stored: Stored, one: RatePlan) => pricing.priceSteps(cell(stored), [one], USUAL);
const nightPrice = (stored: Stored, one: RatePlan) => pricing.nightPrice(cell(stored), [one], USUAL);

const stored = fc.record({
  base: fc.integer({ min: 1, max: 9_999_999 }),
  multiplier: fc.integer({ min: 1, max: 9_999 }),
  amount: fc.integer({ min: -9_999_999, max: 9_999_999 }),
});
const percent = fc.integer({ min: -99, max: 300 });

void t.test('the steps of a price sum to it and are whole cents', async () => {
  fc.assert(
    fc.property(
      stored,
      percent,
      fc.constantFrom('FIXED' as const, 'DYNAMIC' as const),
      (rate, adjustmentPercent, strategy) => {
        const steps = priceSteps(rate, plan({ adjustmentPercent, strategy }));
        const sum = steps.reduce((total, { amount }) => total + amount, 0);
        return (
          sum === nightPrice(rate, plan({ adjustmentPercent, strategy })) &&
          steps.every(({ amount }) => Number.isInteger(amount))
        );
      },
    ),
  );
});

void t.test('a price is never below 0, and of a plan that is not FIXED within its bounds', async () => {
  fc.assert(
    fc.property(stored, percent, (rate, adjustmentPercent) => {
      const bounded = nightPrice(
        rate,
        plan({ adjustmentPercent, strategy: 'DYNAMIC', minRatePercent: 60, maxRatePercent: 200 }),
      );
      const low = Math.floor(rate.base * 0.6);
      return nightPrice(rate, plan({ adjustmentPercent })) >= 0 && bounded >= low && bounded <= rate.base * 2 + 1;
    }),
  );
});

void t.test('the season multiplies, then adds its amount; the plan takes its percent of that', async (t) => {
  t.same(priceSteps({ base: 10_000, multiplier: 125, amount: 500 }, plan({ adjustmentPercent: -10 })), [
    { rule: 'base', amount: 10_000 },
    { rule: 'season', amount: 3_000 },
    { rule: 'ratePlan', amount: -1_300 },
    { rule: 'bounds', amount: 0 },
  ]);
  t.equal(
    nightPrice({ base: 10_000, multiplier: 300, amount: 0 }, plan({ strategy: 'DYNAMIC' })),
    20_000,
    'at most 200 %',
  );
  t.equal(
    nightPrice({ base: 10_000, multiplier: 1, amount: 0 }, plan({ strategy: 'DYNAMIC' })),
    6_000,
    'at least 60 %',
  );
});

void t.test('a booked night has tax of its rate and fees that are not taxed', async (t) => {
  const { metadata } = property({ policies: { taxPercent: 10, feePerNight: 300, feePerPersonNight: 200 } });
  const charges = chargesOf(metadata);
  t.same(bookedNight({ ...partyOfPersons(2, 1), checkIn: 20_000, checkOut: 20_001 }, 20_000, 12_345, charges), {
    day: 20_000,
    rate: 12_345,
    taxes: 1_234,
    fees: 900,
  });
});

/** The steps of a night at 100.00 as one line, without zero steps. */
function steps(lineage: RatePlan[], { terms = {}, ...more }: Partial<pricing.PricedCell> & { terms?: object } = {}) {
  const stored = { base: 10_000, multiplier: 100, amount: 0 };
  const all = pricing.priceSteps(cell(stored, more), lineage, { ...USUAL, ...terms });
  return all
    .filter(({ amount }) => amount !== 0)
    .map(({ rule, amount }) => `${rule} ${amount}`)
    .join(', ');
}
/** 2024-10-04, a Friday, and the Sunday after it. */
const [FRIDAY, SUNDAY] = [20_000, 20_002];

void t.test('persons pay the difference to the rate for two, on top of the price of their room type', async (t) => {
  const rules = { singleRate: 8_000, doubleRate: 11_000, extraPersonRate: 2_500 };
  const one = plan({ occupancyRules: rules });
  const terms = (persons: number) => ({ terms: { party: adultsOnly(persons) } });
  t.equal(steps([one], terms(1)), 'base 10000, occupancy -3000');
  t.equal(steps([one], terms(2)), 'base 10000');
  t.equal(steps([one], terms(4)), 'base 10000, occupancy 5000');
  t.equal(steps([one], { ...terms(2), base: 32_000 }), 'base 32000', 'a suite costs what a suite costs');
  t.equal(steps([one], { ...terms(1), base: 32_000 }), 'base 32000, occupancy -3000');
  const daily = plan({ occupancyRules: rules, dayOfWeekRates: { friday: 13_000 } });
  t.equal(steps([daily], { ...terms(1), day: FRIDAY }), 'base 10000, dayOfWeek 3000, occupancy -3000');
  t.equal(steps([daily], { ...terms(2), day: FRIDAY }), 'base 10000, dayOfWeek 3000');
  t.equal(steps([plan({ occupancyRules: { singleRate: 9_000 } })], terms(1)), 'base 10000, occupancy -1000');
  t.equal(steps([plan({ occupancyRules: { singleRate: 9_000 } })], terms(3)), 'base 10000');
});

void t.test(
  'long stays and early bookings have their percents: the longest that fits, the first that fits',
  async (t) => {
    const one = plan({
      lengthOfStayRules: [
        { minNights: 3, percent: -5 },
        { minNights: 7, percent: -10 },
      ],
      advanceRules: [
        { maxDays: 2, percent: 20 },
        { minDays: 60, percent: -8 },
      ],
    });
    t.equal(steps([one], { terms: { nights: 2 } }), 'base 10000');
    t.equal(steps([one], { terms: { nights: 6 } }), 'base 10000, lengthOfStay -500');
    t.equal(steps([one], { terms: { nights: 7, ahead: 60 } }), 'base 10000, lengthOfStay -1000, advance -720');
    t.equal(steps([one], { terms: { ahead: 2 } }), 'base 10000, advance 2000');
  },
);

void t.test('each strategy adds its own step, and FIXED none', async (t) => {
  const all = { demand: 10, market: 20_000, sold: 10 };
  const of = (strategy: RatePlan['strategy'], changed: Partial<RatePlan> = {}) => [plan({ strategy, ...changed })];
  t.equal(steps(of('FIXED'), all), 'base 10000');
  t.equal(steps(of('WEEKEND'), { day: FRIDAY }), 'base 10000, weekend 1500');
  t.equal(steps(of('WEEKEND'), { day: SUNDAY }), 'base 10000');
  t.equal(steps(of('LASTMINUTE'), { terms: { ahead: 3 } }), 'base 10000, lastMinute -1500');
  t.equal(steps(of('LASTMINUTE'), { terms: { ahead: 4 } }), 'base 10000');
  t.equal(steps(of('EARLYBIRD'), { terms: { ahead: 60 } }), 'base 10000, earlyBird -1000');
  t.equal(steps(of('EARLYBIRD'), { terms: { ahead: 59 } }), 'base 10000');
  const winter = { seasons: [{ start: '12-20', end: '01-06', percent: 40 }] };
  const seasonal = of('SEASONAL', { strategyRules: winter });
  t.equal(steps(seasonal, { day: 20_084 }), 'base 10000, seasonal 4000', '27 December');
  t.equal(steps(seasonal, { day: 20_094 }), 'base 10000, seasonal 4000', '6 January');
  t.equal(steps(seasonal, { day: 20_095 }), 'base 10000');
  t.equal(steps(of('DYNAMIC'), all), 'base 10000, demand 1000, competitor 1100, bidPrice 500');
  t.equal(steps(of('DYNAMIC'), { market: 4_000 }), 'base 10000, competitor -1000', 'never far');
  t.equal(steps(of('DYNAMIC'), { market: 11_000 }), 'base 10000, competitor 250', 'a part of the way');
  t.equal(steps(of('DYNAMIC'), { sold: 500 }), 'base 10000, bidPrice 3000', 'up to the ceiling');
  t.equal(steps(of('DYNAMIC', { strategyRules: { bidPercentPerRoom: 2 } }), { sold: 3 }), 'base 10000, bidPrice 600');
});

void t.test('a plan that prices by the program adds the computed bid price, up to its ceiling', async (t) => {
  const by = (strategyRules: RatePlan['strategyRules']) => [plan({ strategy: 'DYNAMIC', strategyRules })];
  const program = by({ bidPriceBy: 'PROGRAM' });
  t.equal(steps(program, { sold: 10, bid: 1_234 }), 'base 10000, bidPrice 1234');
  t.equal(steps(program, { sold: 10, bid: 0 }), 'base 10000', 'rooms that nobody else wants');
  t.equal(steps(program, { sold: 10, bid: 9_999 }), 'base 10000, bidPrice 3000');
  t.equal(steps(by({ bidPriceBy: 'PROGRAM', bidCeilingPercent: 80 }), { bid: 9_999 }), 'base 10000, bidPrice 8000');
  t.equal(steps(program, { sold: 10 }), 'base 10000, bidPrice 500', 'by rooms sold until it is computed');
  t.equal(steps(program, { bid: 1_234, increment: 100 }), 'base 10000, bidPrice 1200', 'in amounts of the currency');
  for (const other of [by(undefined), by({ bidPriceBy: 'ROOMS_SOLD' })])
    t.equal(steps(other, { sold: 10, bid: 1_234 }), 'base 10000, bidPrice 500');
});

void t.test(
  'a live rate replaces demand, market and bid price; without one the plan follows the program',
  async (t) => {
    const by = (bidPriceBy: 'LIVE' | 'PROGRAM') => [plan({ strategy: 'DYNAMIC', strategyRules: { bidPriceBy } })];
    const signals = { demand: 10, market: 20_000, bid: 1_234, sold: 3 };
    t.equal(steps(by('LIVE'), { ...signals, live: 12_345 }), 'base 10000, liveRate 2345');
    t.equal(steps(by('LIVE'), { ...signals, live: 8_000 }), 'base 10000, liveRate -2000');
    t.equal(steps(by('LIVE'), { ...signals, live: 12_345, increment: 100 }), 'base 10000, liveRate 2300');
    t.equal(
      steps(by('LIVE'), { ...signals, multiplier: 150, live: 12_000 }),
      'base 10000, season 5000, liveRate 3000',
    );
    t.equal(steps(by('LIVE'), signals), steps(by('PROGRAM'), signals));
    t.equal(steps(by('PROGRAM'), { ...signals, live: 12_345 }), steps(by('PROGRAM'), signals));
    const bounded = [plan({ strategy: 'DYNAMIC', strategyRules: { bidPriceBy: 'LIVE' }, maxRate: 11_000 })];
    t.equal(steps(bounded, { live: 12_345 }), 'base 10000, liveRate 2345, bounds -1345');
    const night = cell({ base: 10_000, multiplier: 100, amount: 0 }, { ...signals, live: 12_345 });
    t.equal(pricing.priceBeforeStrategy(night, bounded, USUAL), 10_000);
  },
);

void t.test('a derived plan costs what its parent costs, and its own adjustment', async (t) => {
  const parent = plan({ code: 'P', strategy: 'DYNAMIC' });
  const child = plan({ code: 'C', parentCode: 'P', adjustmentPercent: -10 });
  const grandchild = plan({ code: 'G', parentCode: 'C', adjustmentPercent: 0, adjustmentAmount: 1_500 });
  t.equal(steps([child, parent], { demand: 50 }), 'base 10000, demand 5000, derived -1500');
  t.equal(steps([grandchild, child, parent], { demand: 50 }), 'base 10000, demand 5000, derived -1500, derived 1500');
  t.equal(
    steps([plan({ parentCode: 'P', adjustmentAmount: -99_999 }), parent]),
    'base 10000, derived -99999, bounds 89999',
  );
});

void t.test('amounts bound a price too, and a base rate of its own stands for that of the property', async (t) => {
  t.equal(steps([plan({ minRate: 12_000 })]), 'base 10000, bounds 2000');
  t.equal(steps([plan({ maxRate: 9_000, strategy: 'DYNAMIC' })]), 'base 10000, bounds -1000');
  t.equal(steps([plan({ baseRate: 7_000 })], { base: -1 }), 'base 7000');
});

void t.test(
  'whatever the plan, the steps are whole cents that sum to the price, and it is never below 0',
  async () => {
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const money = fc.integer({ min: 0, max: 99_999 });
    const plans = fc.record({
      strategy: fc.constantFrom(...STRATEGIES),
      adjustmentPercent: percent,
      adjustmentAmount: optional(fc.integer({ min: -50_000, max: 50_000 })),
      occupancyRules: optional(fc.record({ singleRate: money, doubleRate: money, extraPersonRate: money })),
      occupancyPricing: optional(
        fc.array(
          fc.record({
            roomType: fc.constantFrom('STD', 'SUITE'),
            included: fc.integer({ min: 1, max: 4 }),
            extraAdult: money,
            single: fc.integer({ min: -10_000, max: 10_000 }),
            bands: fc.record({ CHILD: money }),
          }),
          { maxLength: 2 },
        ),
      ),
      dayOfWeekRates: optional(fc.record({ friday: money })),
      baseRate: optional(money),
      minRate: optional(money),
      strategyRules: fc.record({ bidPriceBy: fc.constantFrom('ROOMS_SOLD' as const, 'LIVE' as const) }),
    });
    const cells = fc.record({
      roomType: fc.constantFrom('STD', 'SUITE'),
      day: fc.integer({ min: 20_000, max: 20_400 }),
      sold: fc.nat(500),
      demand: fc.integer({ min: -100, max: 127 }),
      market: optional(money),
      live: optional(fc.integer({ min: 1, max: 32_000 })),
    });
    const party = fc.record({
      adults: fc.integer({ min: 1, max: 6 }),
      bands: fc.subarray(['BABY', 'CHILD', 'CHILD']),
    });
    const terms = fc.record({
      party,
      nights: fc.nat(30),
      ahead: fc.nat(400),
    });
    fc.assert(
      fc.property(stored, cells, plans, plans, terms, (rate, more, one, other, of) => {
        const lineage = [plan(one), plan(other)];
        const all = pricing.priceSteps(cell(rate, more), lineage, of);
        const sum = all.reduce((total, { amount }) => total + amount, 0);
        return (
          all.every(({ amount }) => Number.isSafeInteger(amount)) &&
          sum === pricing.nightPrice(cell(rate, more), lineage, of) &&
          sum >= 0
        );
      }),
    );
  },
);
