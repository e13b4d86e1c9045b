import t from 'tap';

import { baseRate, marketRate, meanArrivals, trueElasticity } from './demand-scenario.ts';
import { scenario, smallHotel } from './small-scenario.ts';

const property = scenario({ events: [{ night: 3, nights: 2, demand: 2, market: 1.5 }] });

void t.test('base rates know weekends, competitors and arrivals know events', async (t) => {
  t.same(
    [0, 4, 5, 6].map((night) => baseRate(property, 0, night)),
    [10_000, 12_000, 12_000, 10_000],
  );
  t.same(
    [2, 3, 5].map((night) => marketRate(property, 0, night)),
    [10_000, 15_000, 12_000],
  );
  t.same(
    [2, 3].map((night) => meanArrivals(property, 0, night)),
    [5.5, 11],
  );
});

void t.test('rates and arrivals are those of the month and the weekday', async (t) => {
  const hotel = {
    ...smallHotel(4),
    arrivals: [
      { month: 3, rooms: 4 },
      { month: 4, rooms: 8 },
    ],
    weekdays: [1, 2, 1, 1, 1, 1, 0],
  };
  const far = scenario({ hotel });
  t.same(
    [0, 1, 31].map((night) => meanArrivals(far, 0, night)),
    [8, 4, 8],
  );
});

void t.test('elasticities of guests stay within what is published', async (t) => {
  t.same(
    [0.1, 1, 9].map((sensitivity) => trueElasticity(scenario({ sensitivity }), 0, 10)),
    [0.5, 0.95, 2],
  );
});
