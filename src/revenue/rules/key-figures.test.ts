import t from 'tap';

import { averageDailyRate, cancellationRate, occupancyRate, pickup, revenuePerAvailableRoom } from './key-figures.ts';

t.test('occupancy, ADR, RevPAR and cancellation rate are the quotients of the key figures', async (t) => {
  t.equal(occupancyRate(45, 60), 75);
  t.equal(averageDailyRate(90_000, 4), 22_500);
  t.equal(revenuePerAvailableRoom(90_000, 8), 11_250);
  t.equal(cancellationRate(3, 20), 15);
  t.equal(pickup(5, 7), -2);
});

t.test('half a hundredth is rounded up, less is not', async (t) => {
  t.equal(occupancyRate(1, 3), 33.33);
  t.equal(occupancyRate(2, 3), 66.67);
  // 0.625 % and 1.005 %: as a binary fraction the second would be rounded down.
  t.equal(occupancyRate(1, 160), 0.63);
  t.equal(occupancyRate(201, 20_000), 1.01);
  t.equal(cancellationRate(1, 1_000_000), 0);
  t.equal(averageDailyRate(10_001, 2), 5_001);
  t.equal(averageDailyRate(10_000, 3), 3_333);
  t.equal(revenuePerAvailableRoom(999_999_999_999, 2), 500_000_000_000);
});

t.test('an empty property has nothing, and no nonsense', async (t) => {
  t.equal(occupancyRate(0, 0), 0);
  t.equal(averageDailyRate(0, 0), null, 'a rate of nothing is none');
  t.equal(revenuePerAvailableRoom(0, 0), 0);
  t.equal(cancellationRate(0, 0), 0);
  t.equal(occupancyRate(0, 7), 0);
});

t.test('an oversold property is over 100 percent', async (t) => {
  t.equal(occupancyRate(11, 10), 110);
});

t.test('RevPAR is ADR x occupancy, but for the rounding of each', async (t) => {
  for (const [revenue, sold, available] of [
    [123_456, 7, 11],
    [1, 1, 999],
    [88_801, 13, 60],
  ] as const) {
    const product = (averageDailyRate(revenue, sold)! * occupancyRate(sold, available)) / 100;
    const within = 0.5 + occupancyRate(sold, available) / 200 + averageDailyRate(revenue, sold)! / 20_000;
    t.ok(Math.abs(revenuePerAvailableRoom(revenue, available) - product) <= within);
  }
});
