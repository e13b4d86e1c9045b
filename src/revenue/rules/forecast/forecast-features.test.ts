import t from 'tap';

import { dayOf, weekdayIndex } from '../../../kernel/rules/dates.ts';
import { bookedNights } from '../../../testing/booked-nights.ts';
import { COLUMNS, ForecastFeatures } from './forecast-features.ts';
import { type BookChange, OnTheBooks } from './on-the-books.ts';

const SUNDAY = dayOf('2027-05-02');
/** Every night sells 4 rooms 60 days before, 2 more 20 days before, and loses one 3 days before. */
const CHANGES = Array.from({ length: 300 }, (_, index): BookChange[] => {
  const night = SUNDAY - 200 + index;
  return [
    { moment: night - 60, night, rooms: 4 },
    { moment: night - 20, night, rooms: 2 },
    { moment: night - 3, night, rooms: -1 },
  ];
}).flat();

void t.test('a row tells what is on the books, and how nights like it went on', async (t) => {
  const [known, ...more] = new ForecastFeatures(new OnTheBooks(CHANGES)).row(SUNDAY, 30).slice(0, COLUMNS.known);
  t.equal(known, 4);
  t.same(more.slice(0, 6), [0, 0, 0, 0, 0, 0], 'a Sunday is none of the other weekdays');
  const [recent, weekday, toCome, pace, ...rest] = more.slice(6);
  t.same([recent, weekday, toCome], [1, 1, 1], 'from 30 days before on, nights end with one room more');
  // In four weeks the nights up to 20 days ahead gained two rooms, of which those up to 3 days ahead lost one.
  t.equal(pace!.toFixed(6), ((21 * 2 - 4 * 1) / 28).toFixed(6));
  t.same(rest.slice(0, 3), [0, 0, 0], 'it gained nothing in the last weeks');
  t.same(rest.slice(3, 7), [0, 0, 0, 0], 'its neighbours stand as it does');
  t.equal(rest[7], 0);
});

void t.test('the features have weekday, recent weeks and cancellations', async (t) => {
  const books = new OnTheBooks(CHANGES);
  const row = new ForecastFeatures(books).row(SUNDAY + 3, 2);
  t.same(row.slice(1, 7), [0, 0, 1, 0, 0, 0]);
  t.equal(weekdayIndex(SUNDAY + 3), 3);
  t.same(row.slice(11, 14), [-1, -1, 1], 'one room less than a week and two ago, one more than four weeks ago');
  t.equal(row[18], 1);
});

void t.test('trees see the week around, other recent weeks, and what is left to sell', async (t) => {
  const row = new ForecastFeatures(new OnTheBooks(CHANGES)).wideRow(SUNDAY, 30);
  t.equal(row.length, COLUMNS.all);
  const wide = Array.from(row.subarray(COLUMNS.withSeason));
  t.same(
    wide.slice(0, 10),
    Array.from({ length: 10 }, () => 0),
    'its neighbours stand as it does',
  );
  t.equal(wide[10], 4, 'so does the mean around it');
  t.same(wide.slice(11, 14), [1, 1, 1], 'nights gained one room from 30 days before on');
  t.same(wide.slice(14), [1, 0, 30], 'the fullest nights ended with five rooms; a Sunday; the days before');
});

void t.test('values that the books are too young for are NaN', async (t) => {
  const row = new ForecastFeatures(new OnTheBooks(CHANGES)).row(SUNDAY - 190, 40);
  t.same(row.slice(7, 10), [NaN, NaN, NaN]);
  t.equal(row[0], 4);
});

void t.test('rooms sold before the books began are no momentum', async (t) => {
  const opened = SUNDAY - 100;
  const books = new OnTheBooks(CHANGES.map((change) => ({ ...change, moment: Math.max(opened, change.moment) })));
  const row = new ForecastFeatures(books).row(opened + 19, 9);
  t.equal(row[0], 6);
  t.same(row.slice(12, 14), [0, 0]);
});

void t.test('a row is made of what was known so many days before, and of nothing that came later', async (t) => {
  const changes = bookedNights({ first: SUNDAY - 200, nights: 300, rooms: () => 40 });
  for (const lead of [0, 1, 14, 60]) {
    const moment = SUNDAY - lead;
    const later = changes.filter((change) => change.moment > moment).map((change) => ({ ...change, rooms: 7 }));
    // Early departures and no-shows are recorded after the night.
    for (const night of [moment - 7, moment - 3, moment]) later.push({ moment: moment + 1, night, rooms: -9 });
    const sooner = changes.filter((change) => change.moment <= moment);
    const row = new ForecastFeatures(new OnTheBooks(changes)).wideRow(SUNDAY, lead);
    t.same(
      new ForecastFeatures(new OnTheBooks([...sooner, ...later])).wideRow(SUNDAY, lead),
      row,
      `${lead} days before`,
    );
    t.notSame(new ForecastFeatures(new OnTheBooks([...sooner.slice(0, -50), ...later])).wideRow(SUNDAY, lead), row);
  }
});
