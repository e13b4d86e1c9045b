import t from 'tap';

import { leastRate, quoteConfidence } from './group-rates.ts';

void t.test('a least rate pays for what a room displaces and costs, after the commission', async (t) => {
  const costs = { commissionPercent: 10, costPerRoomNight: 2_000, increment: 1 };
  const rate = leastRate(35_000, 5, costs);
  t.equal(rate, 10_000);
  t.ok(5 * rate * 0.9 >= 35_000 + 5 * 2_000);
  t.equal(leastRate(35_001, 5, costs), 10_001, 'rounded up');
  t.equal(leastRate(35_001, 5, { ...costs, increment: 100 }), 10_100, 'in amounts of the currency');
  t.equal(leastRate(0, 5, { ...costs, costPerRoomNight: 0 }), 0, 'rooms that nobody else wants');
});

void t.test('a quote by a typical booking curve has low confidence', async (t) => {
  t.equal(quoteConfidence('curve', 'PROGRAM'), 'LOW');
  t.equal(quoteConfidence('pickup', 'PROGRAM'), 'MEDIUM');
  t.equal(quoteConfidence('ensemble', 'NIGHTS'), 'MEDIUM');
  t.equal(quoteConfidence('ensemble', 'PROGRAM'), 'HIGH');
  t.equal(quoteConfidence('regression', 'PROGRAM'), 'HIGH');
});
