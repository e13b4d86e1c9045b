import type { Day } from '../../kernel/rules/dates.ts';
import { mean } from '../../kernel/rules/figures.ts';
import { trainingNights } from './forecast-training.ts';
import { fitLinear } from './least-squares.ts';
import type { OnTheBooks } from './on-the-books.ts';

/** Days back to the same weekday of the year before. */
const YEAR_OF_WEEKS = 364;

/** A straight line through the rooms on the books and the final rooms of the nights of the last year, nothing else. */
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

/** Rooms on the books and what the nights of the last year gained on the mean from this lead on. */
export function additivePickup(books: OnTheBooks, moment: Day, night: Day): number {
  const gains = pickups(books, moment, night - moment);
  return Math.max(0, books.known(night, moment) + mean(gains));
}

/** What each night of the last year gained, or lost, in the last `lead` days before it. */
export function pickups(books: OnTheBooks, moment: Day, lead: number): number[] {
  return trainingNights(books, moment, lead).map(
    (night) => books.known(night, moment) - books.known(night, night - lead),
  );
}

/** What the same weekday of the year before ended with; 0 where the books do not go back so far. */
export function sameDateLastYear(books: OnTheBooks, moment: Day, night: Day): number {
  return books.known(night - YEAR_OF_WEEKS, moment);
}
