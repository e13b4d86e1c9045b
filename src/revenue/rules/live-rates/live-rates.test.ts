import t from 'tap';

import { BestRates } from './best-rate.ts';
import { type GuestModel, LiveRates } from './live-rates.ts';

const best = new BestRates(1.1, 0);

/** So many rooms a day of arrival, for one to three nights, with a busy night 6. */
function guests(rooms: number, nights = 3): GuestModel {
  return {
    periods: [0, 7],
    lengths: [nights],
    usual: () => 10_000,
    best: () => best,
    expected: (arrival, period) => (period === 0 ? rooms * (arrival === 6 ? 6 : 1) : 0),
  };
}

function renewed(model: GuestModel, left = 8): LiveRates {
  const rates = new LiveRates(14);
  for (let night = 0; night < 14; night++) rates.setLeft(night, left);
  for (let round = 0; round < 3; round++) for (let night = 0; night < 14; night++) rates.renew(night, 0, model);
  return rates;
}

const stay = (arrival: number, nights: number, rooms = 1) => ({ arrival, nights, rooms });

void t.test('a booking moves the next rate at once, and a cancellation moves it back', async (t) => {
  const model = guests(2);
  const rates = renewed(model);
  const before = rates.rate(stay(4, 2), model, 0);
  rates.take(stay(4, 2), 1);
  const after = rates.rate(stay(4, 2), model, 0);
  rates.take(stay(4, 2), -1);
  t.ok(after > before, `${before} ${after}`);
  t.equal(rates.rate(stay(4, 2), model, 0), before);
  t.equal(rates.rate(stay(10, 2), model, 0), renewed(model).rate(stay(10, 2), model, 0));
});

void t.test('a night that many want costs more, and so does a stay over it', async (t) => {
  const model = guests(1, 1);
  const rates = renewed(model);
  t.ok(rates.value(6) > 2 * rates.value(5));
  t.ok(rates.rate(stay(5, 3), model, 0) > rates.rate(stay(1, 3), model, 0));
});

void t.test('a block of rooms costs more for each, since its last room is worth more than its first', async (t) => {
  const model = guests(2);
  const rates = renewed(model);
  t.ok(rates.rate(stay(6, 1, 5), model, 0) > rates.rate(stay(6, 1), model, 0));
});

void t.test('without guests to come a stay costs what earns most of this one', async (t) => {
  const model = guests(0);
  t.equal(renewed(model).rate(stay(6, 2), model, 0), Math.round(10_000 * best.rate(0)));
});

void t.test(
  'a night of which nothing is left, or more is sold than there is, has the value of its last room',
  async (t) => {
    const model = guests(2);
    const rates = renewed(model);
    rates.setLeft(6, 0);
    const none = rates.value(6);
    rates.setLeft(6, -3);
    t.equal(rates.value(6), none);
    t.ok(none > 0);
  },
);
