import type { Day } from '../../../kernel/rules/dates.ts';
import type { OnTheBooks } from './on-the-books.ts';

/** Training nights of a forecast: a year has each season once. */
const TRAINING_NIGHTS = 365;

/**
 * Nights that had passed by the end of the day `moment`, latest last, for which the books have the state `lead` days
 * before. The night of `moment` itself is not over.
 */
export function trainingNights(books: OnTheBooks, moment: Day, lead: number): Day[] {
  const first = Math.max(moment - TRAINING_NIGHTS, books.firstNight, books.firstMoment + lead);
  return Number.isFinite(first)
    ? Array.from({ length: Math.max(0, moment - first) }, (_, index) => first + index)
    : [];
}

/** Rooms gained or lost by each night of the last year in the last `lead` days before it. */
export function pickups(books: OnTheBooks, moment: Day, lead: number): number[] {
  return trainingNights(books, moment, lead).map(
    (night) => books.known(night, moment) - books.known(night, night - lead),
  );
}
