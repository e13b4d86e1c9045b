import fc from 'fast-check';
import t from 'tap';

import { leastRate, quoteConfidence, withinMost } from './group-rates.ts';

const COSTS = { commissionPercent: 10, costPerRoomNight: 2_000, usualCost: 0, increment: 1 };
const BLOCK = { rooms: 5, rate: 12_000 };
const lost = (revenue: number, rooms = 5): Parameters<typeof leastRate>[0] => ({ rooms, revenue });

void t.test('a least rate pays for what a room displaces and costs, after the commission', async (t) => {
  const rate = leastRate(lost(35_000), BLOCK, COSTS);
  t.equal(rate, 10_000);
  t.ok(5 * rate * 0.9 >= 35_000 + 5 * 2_000);
  t.equal(leastRate(lost(35_001), BLOCK, COSTS), 10_001, 'rounded up');
  t.equal(leastRate(lost(35_001), BLOCK, { ...COSTS, increment: 100 }), 10_100, 'in amounts of the currency');
  t.equal(leastRate(lost(0, 0), BLOCK, { ...COSTS, costPerRoomNight: 0 }), 0, 'rooms that nobody else wants');
});

void t.test('who is displaced would have cost something too, and nobody pays more than the rate', async (t) => {
  const costs = { ...COSTS, commissionPercent: 0, usualCost: 2_000 };
  t.equal(leastRate(lost(35_000, 0), BLOCK, costs), 9_000, 'each room of the block costs');
  t.equal(leastRate(lost(35_000), BLOCK, costs), 7_000, 'as each of the others would');
  t.equal(leastRate(lost(60_000, 1), BLOCK, costs), 12_000);
  t.equal(leastRate(lost(60_000, 1), BLOCK, { ...costs, costPerRoomNight: 3_000 }), 13_000, 'costs of its own');
  t.equal(leastRate(lost(0), BLOCK, { ...costs, costPerRoomNight: 0 }), 0, 'a room is not given away');
});

void t.test('what a peak displaces beyond its rate is on the nights beside it', async (t) => {
  const night = (revenue: number, most = 10_000) => ({ revenue, most });
  t.same(withinMost([night(0), night(40_000), night(5_000)]), [10_000, 10_000, 10_000]);
  t.same(withinMost([night(0), night(16_000), night(0, 5_000)]), [4_000, 10_000, 2_000]);
  t.same(withinMost([night(4_000), night(9_000)]), [4_000, 9_000]);
  t.same(withinMost([night(4_000, 0)]), [0]);
  t.same(withinMost([]), []);
  const nights = fc.array(fc.record({ revenue: fc.nat(90_000), most: fc.nat(30_000) }), { maxLength: 9 });
  fc.assert(
    fc.property(nights, (all) => {
      const within = withinMost(all);
      const total = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0);
      const least = Math.min(total(all.map((one) => one.revenue)), total(all.map((one) => one.most)));
      return within.every((one, n) => one <= all[n]!.most) && Math.abs(total(within) - least) <= all.length;
    }),
  );
});

void t.test('a quote by a typical booking curve has low confidence', async (t) => {
  t.equal(quoteConfidence('curve', 'PROGRAM'), 'LOW');
  t.equal(quoteConfidence('pickup', 'PROGRAM'), 'MEDIUM');
  t.equal(quoteConfidence('ensemble', 'NIGHTS'), 'MEDIUM');
  t.equal(quoteConfidence('ensemble', 'PROGRAM'), 'HIGH');
  t.equal(quoteConfidence('regression', 'PROGRAM'), 'HIGH');
});
