import t from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { DemandForecast } from '../../src/revenue/rules/forecast/demand-forecast.ts';
import type { RealBooking } from '../replay/bookings.ts';
import { realBooking } from '../replay/real-booking.ts';
import { MoneyJudge } from './money-judge.ts';
import { type Stays, staysOf } from './stays.ts';
import { moneyTable } from './table.ts';

const NIGHT = dayOf('2016-05-10');
const forecast = (expected: number): DemandForecast => {
  const range = { low: expected, high: expected, deviation: 1, confidence: 1 };
  return { night: NIGHT, expected, ...range, method: 'regression' };
};

/** Ten rooms of a night booked a month before at 100.00, and others of nights around at another rate. */
const bookings = (...more: RealBooking[]): RealBooking[] => [
  ...Array.from({ length: 10 }, () => realBooking({ arrival: NIGHT, leadDays: 30, nights: 1 })),
  ...Array.from({ length: 10 }, () => realBooking({ arrival: NIGHT + 1, leadDays: 12, nights: 1, adr: 12_000 })),
  ...more,
];

void t.test('revenue is on the books from the day it was booked, until it is cancelled', async (t) => {
  const gone = realBooking({ arrival: NIGHT, leadDays: 20, nights: 1, outcome: 'Canceled', outcomeDay: NIGHT - 5 });
  const { money } = staysOf(bookings(gone));
  t.same(
    [31, 30, 20, 6, 5].map((days) => money.revenue.known(NIGHT, NIGHT - days)),
    [0, 100_000, 110_000, 110_000, 100_000],
  );
  t.equal(money.earned.get(NIGHT), 100_000);
  t.equal(money.adrOnBooks(NIGHT, NIGHT - 10), 10_000);
});

void t.test('rooms to come earn what rooms have cost lately, as a part of it that the books pay', async (t) => {
  const { money } = staysOf(bookings());
  const { revenue } = money.forecast(NIGHT, NIGHT - 10, forecast(15));
  t.ok(revenue > 100_000 + 5 * 9_000 && revenue < 100_000 + 5 * 13_000, `${revenue}`);
  t.match(money.forecast(NIGHT, NIGHT - 10, forecast(5)), { adr: 10_000, revenue: 50_000 });
  t.same(money.forecast(NIGHT - 60, NIGHT - 70, forecast(5)), { adr: 0, revenue: 0 }, 'nothing is known yet');
});

void t.test('nothing that was booked later is known', async (t) => {
  const before = staysOf(bookings());
  const later = Array.from({ length: 9 }, () =>
    realBooking({ arrival: NIGHT, leadDays: 4, nights: 3, adr: 90_000, roomType: 'X' }),
  );
  const after = staysOf(bookings(...later));
  const at = NIGHT - 10;
  for (const night of [NIGHT, NIGHT + 1]) {
    t.same(after.money.forecast(night, at, forecast(14)), before.money.forecast(night, at, forecast(14)));
    t.equal(after.money.adrOnBooks(night, at), before.money.adrOnBooks(night, at));
  }
});

void t.test('a right forecast has no error, and errors are parts of what was earned', async (t) => {
  const stays: Stays = staysOf(bookings());
  const judge = new MoneyJudge(stays, [10, 40]);
  judge.night(NIGHT);
  judge.forecast(10, NIGHT, forecast(10));
  judge.forecast(40, NIGHT, forecast(0));
  const [near, far] = judge.figures();
  t.same([near!.revenue.ours, near!.adr.ours], [0, 0]);
  t.equal(far!.revenue.ours, 100);
  t.match(moneyTable({ money: judge.figures() }), /Error of room revenue[^]*Error of the mean rate/);
});
