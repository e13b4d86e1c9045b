import type { Day } from '../../src/kernel/rules/dates.ts';
import { mean } from '../../src/kernel/rules/figures.ts';
import { pickups, trainingNights } from '../../src/revenue/rules/forecast/forecast-training.ts';
import { fitLinear } from '../../src/revenue/rules/forecast/least-squares.ts';
import type { OnTheBooks } from '../../src/revenue/rules/forecast/on-the-books.ts';

/** Days back to the same weekday of the year before. */
const YEAR_OF_WEEKS = 364;

/** A straight line through rooms on the books and final rooms of the nights of the last year. */
export function plainRegression(books: OnTheBooks, moment: Day, night: Day): number {
  const lead = night - moment;
  const nights = trainingNights(books, moment, lead);
  const rowAt = (one: Day): Float64Array => Float64Array.of(books.known(one, one - lead));
  const observations = {
    rows: nights.map(rowAt),
    targets: nights.map((one) => books.known(one, moment)),
    weights: nights.map(() => 1),
  };
  return Math.max(0, fitLinear(observations, { columns: 1, penalty: 0, rounds: 0 })(rowAt(night)));
}

/** Rooms on the books plus the mean pickup of the nights of the last year from this lead on. */
export function additivePickup(books: OnTheBooks, moment: Day, night: Day): number {
  const gains = pickups(books, moment, night - moment);
  return Math.max(0, books.known(night, moment) + mean(gains));
}

/** Final rooms of the same weekday of the year before; 0 when the books do not go back so far. */
export function sameDateLastYear(books: OnTheBooks, moment: Day, night: Day): number {
  return books.known(night - YEAR_OF_WEEKS, moment);
}
