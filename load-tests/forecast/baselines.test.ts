import t from 'tap';

import { type BookChange, OnTheBooks } from '../../src/revenue/rules/forecast/on-the-books.ts';
import { additivePickup, plainRegression, sameDateLastYear } from './baselines.ts';

/** Nights 0 to 399: ten days before, each has 10 to 50 rooms on the books, and in the end twice that plus five. */
const onTheBooks = (night: number): number => 10 + ((night * 7) % 41);
const CHANGES = Array.from({ length: 400 }, (_, night): BookChange[] => [
  { moment: night - 20, night, rooms: onTheBooks(night) },
  { moment: night - 5, night, rooms: onTheBooks(night) + 5 },
]).flat();
const books = new OnTheBooks(CHANGES);

void t.test('plain regression finds how what is on the books grows', async (t) => {
  t.equal(plainRegression(books, 380, 390).toFixed(6), (2 * onTheBooks(390) + 5).toFixed(6));
});

void t.test('pickup adds what the nights of the last year gained on the mean', async (t) => {
  const gains = Array.from({ length: 365 }, (_, index) => onTheBooks(379 - index) + 5);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / 365;
  t.equal(additivePickup(books, 380, 390).toFixed(6), (onTheBooks(390) + mean).toFixed(6));
});

void t.test('last year is the same weekday 52 weeks ago', async (t) => {
  t.equal(sameDateLastYear(books, 380, 390), 2 * onTheBooks(26) + 5);
});

void t.test('without a past they say what is on the books, or nothing', async (t) => {
  const young = new OnTheBooks([{ moment: 100, night: 120, rooms: 8 }]);
  t.equal(additivePickup(young, 110, 120), 8);
  t.equal(plainRegression(young, 110, 120), 0);
  t.equal(sameDateLastYear(young, 110, 120), 0);
});

void t.test('no baseline looks at data after the moment', async (t) => {
  const after = CHANGES.map((change) => (change.moment > 380 ? { ...change, rooms: change.rooms + 90 } : change));
  const other = new OnTheBooks([
    ...after,
    { moment: 381, night: 370, rooms: 50 },
    { moment: 381, night: 26, rooms: 50 },
  ]);
  for (const baseline of [plainRegression, additivePickup, sameDateLastYear])
    t.equal(baseline(other, 380, 390), baseline(books, 380, 390), baseline.name);
});
