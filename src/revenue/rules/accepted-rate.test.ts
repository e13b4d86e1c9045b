import t from 'tap';

import { type AcceptedRate, outcomeOf, ratesOfDayStart, totalsOf, unadvisedRates } from './accepted-rate.ts';

const DAY = 20_000;

const accepted = (over: Partial<AcceptedRate> = {}): AcceptedRate => ({
  optimizationId: 'one',
  roomType: 'STD',
  day: DAY,
  acceptedAt: 1_000,
  acceptedBy: 'mara',
  byRule: false,
  from: 10_000,
  to: 11_000,
  roomsExpected: 4,
  revenueBefore: 40_000,
  revenueExpected: 43_000,
  roomsBooked: 10,
  revenueBooked: 95_000,
  ...over,
});

void t.test('what a night has gained since is compared with what was expected of it', async (t) => {
  const over = outcomeOf(accepted(), { rooms: 15, revenue: 150_000 });
  t.same(over.actual, { rooms: 5, revenue: 55_000 });
  const comes = outcomeOf(accepted({ day: DAY + 1 }), undefined);
  t.equal(comes.actual, undefined);
  t.same(totalsOf([over, comes]), {
    accepted: 2,
    over: 1,
    revenueBefore: 40_000,
    revenueExpected: 43_000,
    revenueActual: 55_000,
  });
  t.same(outcomeOf(accepted(), { rooms: 8, revenue: 70_000 }).actual, { rooms: -2, revenue: -25_000 });
});

void t.test('limits of a day count from the first rate of the day, until somebody sets another', async (t) => {
  const twice = [accepted({ acceptedAt: 2_000, from: 11_000, to: 12_000 }), accepted()];
  t.same([...ratesOfDayStart(twice, () => 12_000)], [[`${DAY} STD`, 10_000]]);
  t.same([...ratesOfDayStart(twice, () => 15_000)], []);
  t.same([...ratesOfDayStart(twice, () => undefined)], []);
});

void t.test('what a night cost before recommendations moved it counts from what somebody has set', async (t) => {
  const days = [
    accepted({ acceptedAt: 3_000, from: 12_000, to: 13_000 }),
    accepted({ acceptedAt: 1_000 }),
    accepted({ acceptedAt: 2_000, from: 11_000, to: 12_000 }),
  ];
  t.same([...unadvisedRates(days, () => 13_000)], [[`${DAY} STD`, 10_000]]);
  t.same([...unadvisedRates(days, () => 9_000)], [], 'set by hand since');
  const byHand = [days[0]!, accepted({ acceptedAt: 2_000, from: 9_000, to: 11_500 })];
  t.same([...unadvisedRates(byHand, () => 13_000)], [[`${DAY} STD`, 12_000]], 'set by hand between them');
});
