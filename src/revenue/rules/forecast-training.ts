import type { Day } from '../../kernel/rules/dates.ts';
import type { OnTheBooks } from './on-the-books.ts';

/** Nights that a forecast learns from: a year of them holds each season once. */
const TRAINING_NIGHTS = 365;

/**
 * The nights that had passed by the end of the day `moment`, latest last, as far as the books have what was known
 * `lead` days before them. The night of `moment` itself is not over.
 */
export function trainingNights(books: OnTheBooks, moment: Day, lead: number): Day[] {
  const first = Math.max(moment - TRAINING_NIGHTS, books.firstNight, books.firstMoment + lead);
  return Number.isFinite(first)
    ? Array.from({ length: Math.max(0, moment - first) }, (_, index) => first + index)
    : [];
}

/** What each night of the last year gained, or lost, in the last `lead` days before it. */
export function pickups(books: OnTheBooks, moment: Day, lead: number): number[] {
  return trainingNights(books, moment, lead).map(
    (night) => books.known(night, moment) - books.known(night, night - lead),
  );
}
