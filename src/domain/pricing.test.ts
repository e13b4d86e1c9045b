import fc from 'fast-check';
import t from 'tap';
import { plan, property } from '../testing/property-world.ts';
import * as pricing from './pricing.ts';
import type { RatePlan } from './rate-plan.ts';

const { bookedNight } = pricing;
type Stored = { base: number; multiplier: number; amount: number };

/** A night of a house that has sold nothing yet, for two persons who arrive in a month. */
const USUAL = { persons: 2, nights: 1, ahead: 30 };
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
  const { policies } = property({ policies: { taxPercent: 10, feePerNight: 300, feePerPersonNight: 200 } }).metadata;
  t.same(bookedNight(20_000, 12_345, 3, policies), { day: 20_000, rate: 12_345, taxes: 1_234, fees: 900 });
});
