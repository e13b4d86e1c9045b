import t from 'tap';

import { baseRate, forecastRooms, marketRate, meanArrivals } from './demand-scenario.ts';
import { scenario } from './small-scenario.ts';

const property = scenario({ events: [{ night: 3, nights: 2, demand: 2, market: 1.5 }] });
const [std] = property.roomTypes as [(typeof property.roomTypes)[0]];

void t.test('base rates know weekends, competitors and arrivals know events', async (t) => {
  t.same(
    [0, 4, 5, 6].map((night) => baseRate(property, std, night)),
    [10_000, 12_000, 12_000, 10_000],
  );
  t.same(
    [2, 3, 5].map((night) => marketRate(property, std, night)),
    [10_000, 15_000, 12_000],
  );
  t.ok(Math.abs(meanArrivals(property, std, 3) / meanArrivals(property, std, 2) - 2) < 1e-9);
});

void t.test(
  'a forecast a year ahead is the demand of the scenario; later ones are less, since much is booked',
  async (t) => {
    const far = scenario({ nights: 400, demand: { weekday: 0.8, weekend: 0.8 } });
    const at = (from: number, night = 380): number =>
      forecastRooms(far, std, from, { night, rate: baseRate(far, std, night) });
    t.ok(Math.abs(at(0) - 8) < 0.01, `${at(0)} of 10 rooms`);
    t.ok(at(0) > at(350) && at(350) > at(379) && at(379) > at(380) && at(380) > 0);
    t.equal(at(381), 0);
  },
);

void t.test('a dearer night is wanted by fewer', async (t) => {
  const at = (rate: number): number => forecastRooms(property, std, 0, { night: 9, rate });
  t.ok(at(9_000) > at(10_000) && at(10_000) > at(15_000));
});
