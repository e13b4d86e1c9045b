import t from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import { realBooking } from '../replay/real-booking.ts';
import { staysOf } from './stays.ts';

const ARRIVAL = dayOf('2016-05-10');
const LAST = ARRIVAL + 5;

void t.test('a stay is known from the day it was booked, and occupies each of its nights', async (t) => {
  const { books, occupied, firstNight, lastNight } = staysOf([realBooking({}), realBooking({ arrival: LAST })]);
  t.same([books.known(ARRIVAL, ARRIVAL - 11), books.known(ARRIVAL, ARRIVAL - 10)], [0, 1]);
  t.same(
    [-1, 0, 1, 2].map((days) => occupied.get(ARRIVAL + days)),
    [undefined, 1, 1, undefined],
  );
  t.same([firstNight, lastNight], [ARRIVAL, LAST]);
  t.equal(occupied.has(LAST + 1), false, 'of nights after the last arrival not all stays are known');
});

void t.test('a cancelled stay is known until the day before it was, and occupies nothing', async (t) => {
  const { books, occupied } = staysOf([realBooking({ outcome: 'Canceled', outcomeDay: ARRIVAL - 3 })]);
  t.same([books.known(ARRIVAL, ARRIVAL - 4), books.known(ARRIVAL, ARRIVAL - 3)], [1, 0]);
  t.equal(books.calledOff(ARRIVAL, ARRIVAL - 3), 1);
  t.equal(occupied.size, 0);
});

void t.test('a no-show is known as sold until it was noted, and never occupied', async (t) => {
  const { books, occupied } = staysOf([realBooking({ outcome: 'No-Show', outcomeDay: ARRIVAL })]);
  t.same([books.known(ARRIVAL, ARRIVAL - 1), books.known(ARRIVAL + 1, ARRIVAL)], [1, 0]);
  t.equal(occupied.size, 0);
});

void t.test('a stay that was called off before it was booked was never known', async (t) => {
  const { books } = staysOf([realBooking({ outcome: 'Canceled', outcomeDay: ARRIVAL - 90 })]);
  t.same([books.known(ARRIVAL, ARRIVAL - 50), books.known(ARRIVAL, ARRIVAL - 10)], [0, 0]);
});

void t.test('a booking of no nights takes no room', async (t) => {
  const { books, lastNight } = staysOf([realBooking({}), realBooking({ nights: 0, arrival: LAST })]);
  t.equal(books.known(LAST, LAST), 0);
  t.equal(lastNight, ARRIVAL);
});
