import t from 'tap';

import { dayOf, isWeekend } from '../../src/kernel/rules/dates.ts';
import { OnTheBooks } from '../../src/revenue/rules/forecast/on-the-books.ts';
import { bookedNights } from '../../src/testing/booked-nights.ts';
import { inCiOrNightly } from '../../test/loop/nightly.ts';
import { readBookings } from '../replay/bookings.ts';
import { RESORT_FILE, RESORT_FILE_IS_MISSING } from '../replay/resort-file.ts';
import { plainRegression } from './baselines.ts';
import { evaluate, firstJudged, HORIZONS } from './evaluation.ts';
import { MoneyOfStays } from './money.ts';
import { type Stays, staysOf } from './stays.ts';
import { jsonLine, table } from './table.ts';

const FIRST = dayOf('2016-01-01');

function invented(nights: number): Stays {
  const rooms = (night: number): number => (isWeekend(night) ? 60 : 30);
  const books = new OnTheBooks(bookedNights({ first: FIRST, nights, rooms }), FIRST + nights - 1);
  const days = Array.from({ length: nights }, (_, index) => FIRST + index);
  const occupied = new Map(days.map((night) => [night, books.known(night, night)]));
  const money = new MoneyOfStays([], books, FIRST + nights - 1);
  return { books, occupied, money, firstNight: FIRST, lastNight: FIRST + nights - 1 };
}

void t.test('the last year is judged, or what there is behind the first one', async (t) => {
  const until = (lastNight: number): number => firstJudged({ ...invented(1), lastNight });
  t.equal(until(FIRST + 1000), FIRST + 1000 - 364);
  t.equal(until(FIRST + 500), FIRST + 365);
});

void t.test('each night is evaluated once, at every horizon, and the line for machines has its shape', async (t) => {
  const progress: number[][] = [];
  const evaluation = evaluate(invented(395), FIRST + 365, (...done) => void progress.push(done), {
    every: 1,
    // All nights by one ensemble for each horizon, which is most of what it takes.
    fittedDays: inCiOrNightly(42, 7),
  });
  t.same([progress.length, progress.at(-1)], [30, [30, 30]]);
  t.same([evaluation.from, evaluation.to], [FIRST + 365, FIRST + 394]);
  const line = jsonLine(evaluation);
  t.notMatch(line, '\n');
  const { horizons, ...others } = JSON.parse(line) as { horizons: Record<string, number>[] };
  t.same(Object.keys(others), ['money']);
  t.same(
    horizons.map(({ days }) => days),
    [1, 7, 14, 30, 60, 90],
  );
  for (const one of horizons) {
    t.same(Object.keys(one), ['days', 'ours', 'regression', 'lastYear', 'pickup']);
    t.ok(Object.values(one).every((value) => Number.isFinite(value) && value >= 0));
  }
  t.ok(horizons[5]!['ours']! < horizons[5]!['regression']!, 'a weekly pattern is worth knowing 90 days before');
  t.ok(horizons[0]!['ours']! < horizons[5]!['ours']!, 'and a day before there is less to guess');
  t.ok(horizons[5]!['ours']! < 30);
  t.equal(table(evaluation).split('\n').length, 2 + HORIZONS.length);
});

void t.test('too few nights are refused with what there is', async (t) => {
  t.throws(() => evaluate(invented(300), FIRST + 200, () => {}), /2016-01-01 to 2016-10-26.* a year before/);
  t.throws(() => evaluate(staysOf([]), FIRST, () => {}), /no nights/);
});

void t.test('being worse than plain regression is said plainly', async (t) => {
  const figures = { days: 7, ours: 5, regression: 4, lastYear: 9, pickup: 6, band: 80 };
  t.match(table({ from: FIRST, to: FIRST, horizons: [figures], money: [] }), 'WORSE +25.0 %');
  t.notMatch(table({ from: FIRST, to: FIRST, horizons: [{ ...figures, ours: 3 }], money: [] }), 'WORSE');
});

void t.test(
  'plain regression over the resort file is as its README says',
  { skip: RESORT_FILE_IS_MISSING },
  async (t) => {
    const stays = staysOf(await readBookings(RESORT_FILE));
    const from = firstJudged(stays);
    t.equal(from, dayOf('2016-09-01'));
    const nights = Array.from({ length: 365 }, (_, index) => from + index);
    const truth = (night: number): number => stays.occupied.get(night) ?? 0;
    const rooms = nights.reduce((sum, night) => sum + truth(night), 0);
    const expected: [number, number][] = [
      [7, 3.4],
      [14, 4.9],
      [30, 6.5],
      [60, 8.9],
      [90, 10],
    ];
    for (const [lead, percent] of expected) {
      const off = nights.map((night) => Math.abs(plainRegression(stays.books, night - lead, night) - truth(night)));
      const found = (100 * off.reduce((sum, one) => sum + one, 0)) / rooms;
      t.ok(Math.abs(found - percent) < 0.1, `${lead} days: ${found} where ${percent} is reported`);
    }
  },
);
